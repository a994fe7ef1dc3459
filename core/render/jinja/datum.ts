// What an expression of a template evaluates to: Python's values, and objects that only templates know.
import {
  Float,
  isFloat,
  PythonObject,
  pythonEquals,
  pythonRepr,
  pythonStr,
  pythonTruth,
  Tuple,
  type Value,
} from '../../value/index.ts'
import { checkSize } from './budget.ts'
import { typeError } from './python-error.ts'
import type { Run } from './run.ts'

/** Every {@link Value} is one; lists and maps may hold {@link TemplateObject}s besides. */
export type Datum =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | Datum[]
  | { [key: string]: Datum }
  | Map<Datum, Datum>
  | TemplateObject

/** Keyword arguments in the order written. */
export type Kwargs = ReadonlyMap<string, Datum>

/** No keyword arguments. */
export const NO_KWARGS: Kwargs = new Map()

/** What a loop draws from: the next item, `undefined` at the end. */
export interface Source {
  next(): Datum | undefined
}

/** An object of a template that is no {@link Value}: undefined, macro, range, loop, markup and so on. */
export abstract class TemplateObject extends PythonObject {
  /** `type(x).__name__`. */
  abstract readonly typeName: string

  /** The type with its module, as "… object has no attribute" names it; the bare name for Python's own types. */
  get qualifiedName(): string {
    return this.typeName
  }

  override repr(): string {
    return `<${this.qualifiedName} object>`
  }

  /** A public attribute or bound method; `undefined` where it has none. Only names listed here can be reached. */
  attribute(_name: string, _run: Run): Datum | undefined {
    return undefined
  }

  /** `x[key]`; `undefined` where that fails. */
  item(_key: Datum, _run: Run): Datum | undefined {
    return undefined
  }

  /** `x[start:stop:step]`; `undefined` where it cannot be sliced. */
  slice(_start: Datum, _stop: Datum, _step: Datum): Datum | undefined {
    return undefined
  }

  /** `iter(x)`; `undefined` where it cannot be iterated. */
  iterate(): Source | undefined {
    return undefined
  }

  /** `len(x)`; `undefined` where it has none. */
  length(): number | undefined {
    return undefined
  }

  /** True where `len(x)` and `x[0]` work, as the `sequence` test asks. */
  get isSequence(): boolean {
    return false
  }

  /** `key in x`; `undefined` to search by iterating. */
  contains(_item: Datum): boolean | undefined {
    return undefined
  }

  /** `x < other` and its kin; `undefined` where they cannot be ordered. */
  order(_other: Datum, _operator: '<' | '<=' | '>' | '>='): boolean | undefined {
    return undefined
  }

  /** `x - other` and its kin, for the objects that have operators of their own. */
  operate(_operator: string, _other: Datum): Datum | undefined {
    return undefined
  }

  /** True where {@link call} works. */
  get callable(): boolean {
    return false
  }

  call(_args: readonly Datum[], _kwargs: Kwargs, _run: Run): Datum {
    throw typeError(`'${this.typeName}' object is not callable`)
  }
}

/** A TemplateObject that Python would call a `str`: markup, and text that remembers which part is structure. */
export abstract class TextObject extends TemplateObject {
  readonly typeName: string = 'str'
  /** The characters, with every hole printed. */
  abstract text(): string

  /** True where HTML escaping leaves it alone, and escapes what is added to it. */
  get markup(): boolean {
    return false
  }

  override repr(): string {
    return pythonRepr(this.text())
  }

  override str(): string {
    return this.text()
  }

  override truth(): boolean {
    return this.text() !== ''
  }

  override equals(other: unknown): boolean {
    return this.text() === (other instanceof TextObject ? other.text() : other)
  }
}

/** The characters of anything Python would call a `str`, `undefined` for the rest. */
export function textOf(datum: Datum): string | undefined {
  return typeof datum === 'string' ? datum : datum instanceof TextObject ? datum.text() : undefined
}

/** A text object as the plain string it reads as; anything else as it is. */
export function plain(datum: Datum): Datum {
  return datum instanceof TextObject ? datum.text() : datum
}

/** Python's `str()`. Throws for a value too big to print. */
export function str(datum: Datum): string {
  if (typeof datum === 'string') return datum
  checkSize(datum)
  return pythonStr(datum as Value)
}

/** Python's `repr()`. Throws for a value too big to print. */
export function repr(datum: Datum): string {
  checkSize(datum)
  return pythonRepr(datum as Value)
}

/** Python's `bool()`. */
export function truth(datum: Datum): boolean {
  return typeof datum === 'boolean' ? datum : pythonTruth(datum as Value)
}

/** Python's `==`. */
export function equal(a: Datum, b: Datum): boolean {
  if (a === b) return !(a instanceof PythonObject) || a.equals(b)
  if (typeof a === 'string' && typeof b === 'string') return false
  checkSize(a)
  return pythonEquals(a as Value, b as Value)
}

/** A new Python tuple. */
export function tuple(items: Iterable<Datum>): Datum[] {
  const made = new Tuple()
  for (const item of items) made.push(item as Value)
  return made as Datum[]
}

/** True for the plain object or Map that stands for a Python dict. */
export function isDict(datum: Datum): datum is { [key: string]: Datum } | Map<Datum, Datum> {
  return (
    typeof datum === 'object' &&
    datum !== null &&
    !Array.isArray(datum) &&
    !(datum instanceof TemplateObject) &&
    !(datum instanceof Float)
  )
}

/** Python's `type(x).__name__`. */
export function typeName(datum: Datum): string {
  if (typeof datum === 'string') return 'str'
  if (datum === null) return 'NoneType'
  if (typeof datum === 'boolean') return 'bool'
  if (isFloat(datum)) return 'float'
  if (typeof datum !== 'object') return 'int'
  if (Array.isArray(datum)) return datum instanceof Tuple ? 'tuple' : 'list'
  return datum instanceof TemplateObject ? datum.typeName : 'dict'
}

/** A builtin method or function bound to what it works on. */
export class BoundFunction extends TemplateObject {
  readonly typeName = 'builtin_function_or_method'
  readonly name: string
  private readonly run: (args: readonly Datum[], kwargs: Kwargs, run: Run) => Datum

  constructor(name: string, run: (args: readonly Datum[], kwargs: Kwargs, run: Run) => Datum) {
    super()
    this.name = name
    this.run = run
  }

  override get callable(): boolean {
    return true
  }

  override repr(): string {
    return `<built-in method ${this.name}>`
  }

  override call(args: readonly Datum[], kwargs: Kwargs, run: Run): Datum {
    return this.run(args, kwargs, run)
  }
}
