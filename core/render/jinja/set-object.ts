// Python's set, as some of Salt's filters give it for tuples and generators.
import { BoundFunction, type Datum, repr, type Source, TemplateObject } from './datum.ts'
import { newDict } from './dict.ts'
import { collect } from './iterate.ts'

/** Distinct items. Integers stand in the order CPython's hash table gives them, the rest as they were added. */
export class SetObject extends TemplateObject {
  readonly typeName = 'set'
  private readonly members: Map<Datum, Datum>

  constructor(items: Iterable<Datum>) {
    super()
    this.members = newDict(Array.from(items, (item) => [item, item] as const))
  }

  items(): Datum[] {
    const items = [...this.members.keys()]
    return items.every((item): item is number => typeof item === 'number' && Number.isInteger(item))
      ? tableOrder(items)
      : items
  }

  has(item: Datum): boolean {
    return this.members.has(item) || newDict(this.members).has(item)
  }

  override repr(): string {
    if (this.members.size === 0) return 'set()'
    return `{${this.items().map(repr).join(', ')}}`
  }

  override truth(): boolean {
    return this.members.size > 0
  }

  override length(): number {
    return this.members.size
  }

  override contains(item: Datum): boolean {
    return this.has(item)
  }

  override iterate(): Source {
    const items = this.items()
    let at = 0
    return { next: () => items[at++] }
  }

  override equals(other: unknown): boolean {
    return (
      other instanceof SetObject &&
      other.members.size === this.members.size &&
      other.items().every((item) => this.has(item))
    )
  }

  /** What is in both. */
  intersection(other: SetObject): SetObject {
    return new SetObject(this.items().filter((item) => other.has(item)))
  }

  /** What is in either. */
  union(other: SetObject): SetObject {
    return new SetObject([...this.items(), ...other.items()])
  }

  /** What is in this one alone. */
  difference(other: SetObject): SetObject {
    return new SetObject(this.items().filter((item) => !other.has(item)))
  }

  override operate(operator: string, other: Datum): Datum | undefined {
    return operator === '-' && other instanceof SetObject ? this.difference(other) : undefined
  }

  override attribute(name: string): Datum | undefined {
    const operation = OPERATIONS.get(name)
    if (operation === undefined) return name === 'copy' ? new BoundFunction(name, () => this) : undefined
    return new BoundFunction(name, (others, _, run) =>
      others.reduce<SetObject>((made, other) => operation(made, new SetObject(collect(other, run))), this),
    )
  }
}

const OPERATIONS: ReadonlyMap<string, (a: SetObject, b: SetObject) => SetObject> = new Map([
  ['union', (a: SetObject, b: SetObject) => a.union(b)],
  ['intersection', (a: SetObject, b: SetObject) => a.intersection(b)],
  ['difference', (a: SetObject, b: SetObject) => a.difference(b)],
  ['symmetric_difference', (a: SetObject, b: SetObject) => a.union(b).difference(a.intersection(b))],
])

/** Where CPython's open addressing puts integers that are added one after the other. */
function tableOrder(items: readonly number[]): number[] {
  let table: (number | undefined)[] = new Array(8).fill(undefined)
  let used = 0
  for (const item of items) {
    insert(table, item)
    used++
    if (used * 5 >= (table.length - 1) * 3) {
      let size = 8
      while (size <= (used > 50_000 ? used * 2 : used * 4)) size *= 2
      const grown: (number | undefined)[] = new Array(size).fill(undefined)
      for (const old of table) if (old !== undefined) insert(grown, old)
      table = grown
    }
  }
  return table.filter((item) => item !== undefined)
}

function insert(table: (number | undefined)[], item: number): void {
  const mask = BigInt(table.length - 1)
  const hash = BigInt.asUintN(64, BigInt(item === -1 ? -2 : item))
  let perturb = hash
  let at = hash & mask
  for (;;) {
    const probes = at + 9n <= mask ? 9 : 0
    for (let probe = 0; probe <= probes; probe++) {
      const slot = Number(at) + probe
      if (table[slot] === undefined) {
        table[slot] = item
        return
      }
    }
    perturb >>= 5n
    at = (at * 5n + 1n + perturb) & mask
  }
}
