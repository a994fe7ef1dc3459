// The newline_values_only outputter: values without minion ids, a line each.
import { entries, isList, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import { Unprintable } from './outputter.ts'

/** The values of a map of returns, one a line; a list's items are a line each. */
export function newlineValuesOnly(data: Value): string {
  if (!isMap(data)) throw new Unprintable('newline_values_only', 'anything but a map of returns')
  return entries(data)
    .flatMap(([, value]) => (isList(value) ? value : [value]))
    .map(pythonStr)
    .join('\n')
}
