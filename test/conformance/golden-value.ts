// Our values in the form golden rows write Salt's: named types, JSON keys, infinity and NaN marked.
import {
  entries,
  Float,
  isFloat,
  isInteger,
  isList,
  isMap,
  mapOf,
  stringifyJson,
  type Value,
} from '../../core/value/index.ts'

/** Python's name of a value's type. */
export function typeName(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  if (isInteger(value)) return 'int'
  if (isFloat(value)) return 'float'
  return isList(value) ? 'list' : 'dict'
}

/** A value as the rows write it: what JSON has no number for is `{"__float__": "inf"}`. */
export function goldenValue(value: Value): Value {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { __float__: Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf' }
  }
  if (isList(value)) return value.map(goldenValue)
  if (isMap(value)) return mapOf(entries(value).map(([key, item]) => [keyText(key), goldenValue(item)]))
  return value
}

function keyText(key: Value): string {
  return typeof key === 'string' ? key : stringifyJson(key instanceof Float || !isList(key) ? key : String(key))
}

/** One line that is equal for equal values: types count, `1` is not `1.0`; the order of keys does not, unless asked. */
export function fingerprint(value: Value, ordered = false): string {
  return stringifyJson(value, { sortKeys: !ordered, ascii: false })
}
