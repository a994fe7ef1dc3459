// The json outputter: one document a return, four spaces a level unless told otherwise.
import { stringifyJson, type Value } from '../../core/value/index.ts'
import type { OutputOptions } from './outputter.ts'

/**
 * Prints as Salt does: text beyond ASCII as it is, keys in their own order, `--out-indent` spaces a level and one line
 * where that is negative; `'pretty'` sorts the keys. What JSON cannot hold (a list as a key) prints `{}`.
 */
export function json(data: Value, options: OutputOptions): string {
  const indent = options.outputIndent === undefined ? 4 : options.outputIndent
  try {
    if (indent === 'pretty') return stringifyJson(data, { ascii: false, indent: 4, sortKeys: true })
    if (indent === null || indent < 0) return stringifyJson(data, { ascii: false })
    return stringifyJson(data, { ascii: false, indent })
  } catch {
    // Salt promises valid JSON whatever the data.
    return '{}'
  }
}
