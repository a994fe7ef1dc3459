// Python's iteration, length and membership over template data.
import { Float } from '../../value/index.ts'
import { characters, textLength } from './code-points.ts'
import { type Datum, equal, isDict, type Source, TemplateObject, TextObject, textOf, typeName } from './datum.ts'
import { dictHas, dictKeys, dictSize } from './dict.ts'
import { typeError } from './python-error.ts'
import type { Run } from './run.ts'

/** A Python generator or iterator: it can be gone through once. */
export class Generator extends TemplateObject {
  readonly typeName: string
  private readonly source: Source
  private readonly what: string
  constructor(source: Source, what = 'generator', shown = `${what} object`) {
    super()
    this.source = source
    this.typeName = what
    this.what = shown
  }

  override repr(): string {
    return `<${this.what} at 0x7f0000000000>`
  }

  override iterate(): Source {
    return this.source
  }
}

/** A generator over a JavaScript one. */
export function generate(items: Iterator<Datum>, name: string): Generator {
  const next = (): Datum | undefined => {
    const step = items.next()
    return step.done === true ? undefined : step.value
  }
  return new Generator({ next }, 'generator', `generator object ${name}`)
}

/** `iter(datum)`. A list is followed while it grows. */
export function iterate(datum: Datum, run: Run): Source {
  if (Array.isArray(datum)) {
    let at = 0
    return {
      next: () => {
        run.charge(1)
        return at < datum.length ? datum[at++] : undefined
      },
    }
  }
  if (datum instanceof TemplateObject && !(datum instanceof TextObject)) {
    const source = datum.iterate()
    if (source === undefined) throw notIterable(datum)
    return {
      next: () => {
        run.charge(1)
        return source.next()
      },
    }
  }
  return iterate(collect(datum, run), run)
}

/** The items of anything iterable; a list is returned as it is, not copied. */
export function collect(datum: Datum, run: Run): Datum[] {
  if (Array.isArray(datum)) {
    run.charge(datum.length)
    return datum
  }
  const text = textOf(datum)
  if (text !== undefined) {
    run.charge(text.length)
    return characters(text)
  }
  if (datum instanceof TemplateObject) {
    const items: Datum[] = []
    const source = iterate(datum, run)
    for (let item = source.next(); item !== undefined; item = source.next()) items.push(item)
    return items
  }
  if (isDict(datum)) {
    const keys = dictKeys(datum)
    run.charge(keys.length)
    return keys
  }
  throw notIterable(datum)
}

/** The items as a list of the caller's own. */
export function collectCopy(datum: Datum, run: Run): Datum[] {
  return Array.from(collect(datum, run))
}

/** The TypeError of `iter(datum)` for what cannot be iterated. */
function notIterable(datum: Datum): Error {
  return typeError(`'${typeName(datum)}' object is not iterable`)
}

/** True where `iter(datum)` works. An undefined that is strict throws. */
export function isIterable(datum: Datum): boolean {
  if (typeof datum === 'string' || Array.isArray(datum) || datum instanceof TextObject) return true
  if (datum instanceof TemplateObject) return datum.iterate() !== undefined
  return isDict(datum)
}

/** `len(datum)`, `undefined` where it has none. */
export function lengthOf(datum: Datum): number | undefined {
  if (typeof datum === 'string') return textLength(datum)
  if (Array.isArray(datum)) return datum.length
  if (datum instanceof TextObject) return textLength(datum.text())
  if (datum instanceof TemplateObject) return datum.length()
  return isDict(datum) ? dictSize(datum) : undefined
}

/** `len(datum)`. */
export function length(datum: Datum): number {
  const found = lengthOf(datum)
  if (found === undefined) throw typeError(`object of type '${typeName(datum)}' has no len()`)
  return found
}

/** `item in container`. */
export function contains(container: Datum, item: Datum, run: Run): boolean {
  const text = textOf(container)
  if (text !== undefined) {
    const part = textOf(item)
    if (part === undefined) throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`)
    return text.includes(part)
  }
  if (Array.isArray(container)) {
    run.charge(container.length)
    return container.some((other) => equal(other, item))
  }
  if (container instanceof TemplateObject) {
    const known = container.contains(item)
    if (known !== undefined) return known
    if (container.iterate() !== undefined) return collect(container, run).some((other) => equal(other, item))
  } else if (isDict(container)) return dictHas(container, item)
  throw typeError(`argument of type '${container instanceof Float ? 'float' : typeName(container)}' is not iterable`)
}
