// Jinja's undefined: what a name or lookup that found nothing evaluates to, strict as Salt sets it or lenient.
import { type Datum, type Kwargs, repr, type Source, TemplateObject, typeName } from './datum.ts'
import { type ExceptionName, PythonError } from './python-error.ts'

/** What was looked up, for the message. */
export interface Missing {
  /** The whole message, where it is not made of the rest. */
  readonly hint?: string
  /** The object that lacks the name; absent for a variable. */
  readonly object?: Datum
  readonly name?: Datum
  readonly exception?: ExceptionName
}

/** Fails on every use but `is defined` and `default`; the lenient one prints, loops and tests as empty. */
export class Undefined extends TemplateObject {
  readonly typeName: string
  readonly missing: Missing
  readonly strict: boolean

  constructor(missing: Missing, strict: boolean) {
    super()
    this.missing = missing
    this.strict = strict
    this.typeName = strict ? 'StrictUndefined' : 'Undefined'
  }

  override get qualifiedName(): string {
    return this.strict ? 'jinja2.runtime.StrictUndefined' : 'jinja2.runtime.Undefined'
  }

  get message(): string {
    const { hint, object, name = null } = this.missing
    if (hint !== undefined) return hint
    if (object === undefined) return `${repr(name)} is undefined`
    if (typeof name !== 'string') return `${objectTypeName(object)} has no element ${repr(name)}`
    return `${repr(objectTypeName(object))} has no attribute ${repr(name)}`
  }

  /** Throws Jinja's error for a use of this value. */
  fail(): never {
    throw new PythonError(this.missing.exception ?? 'UndefinedError', this.message)
  }

  private failIfStrict(): void {
    if (this.strict) this.fail()
  }

  override repr(): string {
    return 'Undefined'
  }

  override str(): string {
    this.failIfStrict()
    return ''
  }

  override truth(): boolean {
    this.failIfStrict()
    return false
  }

  override equals(other: unknown): boolean {
    this.failIfStrict()
    return other instanceof Undefined
  }

  override iterate(): Source {
    this.failIfStrict()
    return { next: () => undefined }
  }

  override length(): number {
    this.failIfStrict()
    return 0
  }

  override contains(): boolean | undefined {
    this.failIfStrict()
    return undefined
  }

  override attribute(): Datum {
    return this.fail()
  }

  override item(): Datum {
    return this.fail()
  }

  override call(_args: readonly Datum[], _kwargs: Kwargs): Datum {
    return this.fail()
  }
}

/** How Jinja's messages name an object: `dict object`, `None`, `jinja2.utils.Namespace object`. */
function objectTypeName(object: Datum): string {
  if (object === null) return 'None'
  return `${object instanceof TemplateObject ? object.qualifiedName : typeName(object)} object`
}

/** Throws if the datum is undefined: for operations that fail on both kinds. */
export function defined(datum: Datum): Datum {
  return datum instanceof Undefined ? datum.fail() : datum
}
