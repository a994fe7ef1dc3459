// `namespace()`: the object whose attributes `set` may change from inner scopes.
import { type Datum, repr, TemplateObject } from './datum.ts'
import { newDict } from './dict.ts'

/** A bag of attributes. */
export class Namespace extends TemplateObject {
  readonly typeName = 'Namespace'
  private readonly attributes: Map<Datum, Datum>

  constructor(pairs: Iterable<readonly [Datum, Datum]>) {
    super()
    this.attributes = newDict(pairs)
  }

  override get qualifiedName(): string {
    return 'jinja2.utils.Namespace'
  }

  override repr(): string {
    return `<Namespace ${repr(this.attributes)}>`
  }

  override attribute(name: string): Datum | undefined {
    return this.attributes.get(name)
  }

  set(name: string, value: Datum): void {
    this.attributes.set(name, value)
  }
}
