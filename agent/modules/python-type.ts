// Python's names for the types of values.
import { Dict, isFloat, isMapping, type Value } from '../../core/value/index.ts'

/** `<class 'int'>` and the like, as `str(type(value))` prints it. */
export function pythonType(value: Value): string {
  return `<class '${pythonTypeName(value)}'>`
}

/** `int`, `str`, `NoneType`, … */
export function pythonTypeName(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  if (isFloat(value)) return 'float'
  if (typeof value === 'number' || typeof value === 'bigint') return 'int'
  if (Array.isArray(value)) return 'list'
  return value instanceof Dict || isMapping(value) ? 'dict' : 'object'
}
