// What `dict.keys()`, `.values()` and `.items()` give: a view that follows its dict.
import { type Datum, equal, repr, type Source, TemplateObject, tuple } from './datum.ts'
import { type DictDatum, dictHas, dictItem, dictKeys, dictPairs, dictSize, dictValues } from './dict.ts'

/** A live view; keys and items also answer `in` quickly. */
export class DictView extends TemplateObject {
  readonly dict: DictDatum
  readonly kind: 'keys' | 'values' | 'items'

  constructor(dict: DictDatum, kind: 'keys' | 'values' | 'items') {
    super()
    this.dict = dict
    this.kind = kind
  }

  get typeName(): string {
    return `dict_${this.kind}`
  }

  items(): Datum[] {
    if (this.kind === 'keys') return dictKeys(this.dict)
    return this.kind === 'values' ? dictValues(this.dict) : dictPairs(this.dict).map(tuple)
  }

  override repr(): string {
    return `${this.typeName}(${repr(this.items())})`
  }

  override truth(): boolean {
    return dictSize(this.dict) > 0
  }

  override length(): number {
    return dictSize(this.dict)
  }

  override iterate(): Source {
    const items = this.items()
    let at = 0
    return { next: () => items[at++] }
  }

  override contains(item: Datum): boolean | undefined {
    if (this.kind === 'keys') return dictHas(this.dict, item)
    if (this.kind === 'values' || !Array.isArray(item)) return undefined
    const found = item.length === 2 ? dictItem(this.dict, item[0] ?? null) : undefined
    return found !== undefined && equal(found, item[1] ?? null)
  }

  override equals(other: unknown): boolean {
    if (this === other) return true
    if (!(other instanceof DictView) || this.kind === 'values' || other.kind !== this.kind) return false
    const items = other.items()
    return items.length === this.length() && items.every((item) => this.contains(item) === true)
  }
}
