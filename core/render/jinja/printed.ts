// What `{{ … }}` prints: Salt's finalizer makes maps read well as YAML; and template data as plain values.
import { Float, mapOf, Tuple, type Value } from '../../value/index.ts'
import { checkSize } from './budget.ts'
import { type Datum, isDict, repr, str, TemplateObject, TextObject, textOf } from './datum.ts'
import { dictPairs } from './dict.ts'
import { GroupTuple } from './group-tuple.ts'
import { typeError } from './python-error.ts'
import { Undefined } from './undefined.ts'
import { doubleQuoted } from './yaml-quote.ts'

/** The text of a printed datum: Python's `str`, but strings with line breaks inside maps are quoted as YAML. */
export function printed(datum: Datum): string {
  if (Array.isArray(datum)) {
    checkSize(datum)
    return listText(datum)
  }
  if (isDict(datum)) {
    checkSize(datum)
    return dictText(datum, itemStr)
  }
  return str(datum)
}

function itemRepr(item: Datum): string {
  if (Array.isArray(item)) return listText(item)
  return isDict(item) ? dictText(item, itemRepr) : repr(item)
}

function itemStr(item: Datum): string {
  if (Array.isArray(item)) return listText(item)
  return isDict(item) ? dictText(item, itemStr) : str(item)
}

function listText(items: readonly Datum[]): string {
  if (items instanceof GroupTuple) refuseGroup()
  const texts = Array.from(items, itemRepr)
  if (!(items instanceof Tuple)) return `[${texts.join(', ')}]`
  return texts.length === 1 ? `(${texts[0]},)` : `(${texts.join(', ')})`
}

/** Salt's finalizer rebuilds tuples from a list, which the groups of `groupby` do not take. */
function refuseGroup(): never {
  throw typeError("_GroupTuple.__new__() missing 1 required positional argument: 'list'")
}

function dictText(dict: { [key: string]: Datum } | Map<Datum, Datum>, item: (item: Datum) => string): string {
  const pairs: [Datum, Datum][] = dict instanceof Map ? [...dict] : Object.entries(dict)
  const texts = pairs.map(([key, value]) => {
    const text = textOf(value)
    return `${repr(key)}: ${text === undefined ? item(value) : quoted(value, text)}`
  })
  return `{${texts.join(', ')}}`
}

function quoted(value: Datum, text: string): string {
  return /[\n\r\t]/.test(text) ? doubleQuoted(text, true) : repr(value)
}

/** What a printed list or map is worth as a value. Fails where printing it would fail. */
export function printedValue(datum: Datum): Value {
  if (isDict(datum)) for (const [, value] of dictPairs(datum)) if (value instanceof Undefined) value.str()
  checkSize(datum)
  return copy(datum, (object) => (object instanceof Undefined ? object.repr() : object.str()), true)
}

/** What becomes of an object that is no value: its text, or an error. */
export type Unrepresentable = (object: TemplateObject) => Value

/**
 * A datum as a plain value that shares nothing with the template: text objects as strings, template maps as objects
 * where that loses nothing. Objects become what `otherwise` says, by default the text they print.
 */
export function toValue(datum: Datum, checked = false, otherwise: Unrepresentable = (object) => object.str()): Value {
  if (typeof datum !== 'object' || datum === null || datum instanceof Float) return datum
  if (datum instanceof TextObject) return datum.text()
  if (datum instanceof TemplateObject) return otherwise(datum)
  if (!checked) checkSize(datum)
  return copy(datum, otherwise)
}

function copy(datum: Datum, otherwise: Unrepresentable, prints = false): Value {
  if (typeof datum !== 'object' || datum === null || datum instanceof Float) return datum
  if (datum instanceof TextObject) return datum.text()
  if (datum instanceof TemplateObject) return otherwise(datum)
  if (Array.isArray(datum)) {
    if (prints && datum instanceof GroupTuple) refuseGroup()
    const list: Value[] = datum instanceof Tuple ? new Tuple() : []
    for (const item of datum) list.push(copy(item, otherwise, prints))
    return list
  }
  const pairs: [Datum, Datum][] = datum instanceof Map ? [...datum] : Object.entries(datum)
  return mapOf(pairs.map(([key, value]) => [copy(key, otherwise), copy(value, otherwise, prints)] as const))
}
