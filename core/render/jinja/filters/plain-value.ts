// The value that a serializing filter prints: plain, sorted where the filter sorts, or the undefined it holds.
import { Float, mapOf, Tuple, type Value } from '../../../value/index.ts'
import { budgetError, MAX_DEPTH, MAX_ITEMS } from '../budget.ts'
import { order } from '../compare.ts'
import { type Datum, TemplateObject, TextObject } from '../datum.ts'
import { PythonError, typeError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { Undefined } from '../undefined.ts'

/** How a filter takes its input apart. */
export interface PlainOptions {
  readonly sortKeys: boolean
  /** What becomes of an object that is no value. */
  readonly otherwise: (object: TemplateObject) => Value
}

/** The input as a value of its own, or an undefined with the messages of all that the input holds. */
export function plainValue(input: Datum, options: PlainOptions, run: Run): Value | Undefined {
  if (typeof input !== 'object' || input === null) return input
  const reader = new PlainReader(options)
  const value = reader.read(input, 0)
  return reader.messages.length === 0 ? value : run.undefined({ hint: reader.messages.join('\n') })
}

class PlainReader {
  readonly messages: string[] = []
  private parts = 0
  private readonly options: PlainOptions

  constructor(options: PlainOptions) {
    this.options = options
  }

  read(datum: Datum, depth: number): Value {
    if (++this.parts > MAX_ITEMS) throw budgetError('parts in one value', MAX_ITEMS)
    if (typeof datum !== 'object' || datum === null || datum instanceof Float) return datum
    if (datum instanceof TextObject) return datum.text()
    if (datum instanceof TemplateObject) return this.object(datum)
    if (depth > MAX_DEPTH) throw new PythonError('RecursionError', 'maximum recursion depth exceeded')
    if (Array.isArray(datum)) {
      const list: Value[] = datum instanceof Tuple ? new Tuple() : []
      for (const item of datum) list.push(this.read(item, depth + 1))
      return list
    }
    return datum instanceof Map ? this.dict(datum, depth) : this.mapping(datum, depth)
  }

  private object(object: TemplateObject): Value {
    if (!(object instanceof Undefined) || !object.strict) return this.options.otherwise(object)
    this.messages.push(object.message)
    return null
  }

  private mapping(map: { [key: string]: Datum }, depth: number): Value {
    const keys = Object.keys(map)
    if (this.options.sortKeys) keys.sort(byCodePoint)
    const copy: { [key: string]: Value } = {}
    for (const key of keys) copy[key] = this.read(map[key] ?? null, depth + 1)
    return copy
  }

  private dict(map: ReadonlyMap<Datum, Datum>, depth: number): Value {
    const pairs = [...map]
    if (this.options.sortKeys) pairs.sort(([a], [b]) => (order(a, b, '<') ? -1 : order(b, a, '<') ? 1 : 0))
    return mapOf(pairs.map(([key, value]) => [this.read(key, depth + 1), this.read(value, depth + 1)] as const))
  }
}

function byCodePoint(a: string, b: string): number {
  return order(a, b, '<') ? -1 : 1
}

/** Refuses an object that JSON has no place for. */
export function unserializable(object: TemplateObject): Value {
  throw typeError(`Object of type ${object.typeName} is not JSON serializable`)
}
