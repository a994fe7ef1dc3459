// JSON without loss: integers beyond 2⁵³, `1.0`, key order and Python's way of printing survive.
import { BrineError } from '../error.ts'
import { parseJsonExactly } from './json-reader.ts'
import type { Value } from './value.ts'

export { type JsonOptions, stringifyJson } from './json-writer.ts'

const DEPTH = 500

/**
 * Reads JSON as Python's `json.loads` does: big integers become bigint, `1.0` and `1e3` floats, maps with integer-like
 * keys a Dict in the order written; of equal keys the last wins; `NaN` and `Infinity` are accepted.
 * Nesting deeper than 500 is refused. Throws a BrineError with code `json` and Python's wording of the place.
 */
export function parseJson(text: string): Value {
  if (isPlain(text)) {
    try {
      return JSON.parse(text) as Value
    } catch {
      return parseJsonExactly(text, DEPTH)
    }
  }
  return parseJsonExactly(text, DEPTH)
}

/** {@link parseJson} of UTF-8 bytes; bytes that are not UTF-8 are refused. */
export function parseJsonBytes(bytes: Uint8Array): Value {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new BrineError('JSON is not UTF-8 text. Send it encoded as UTF-8.', { code: 'json', cause })
  }
  return parseJson(text)
}

/**
 * What JSON.parse would change, or text inside a string that looks like it: integers of 16 digits and more, floats,
 * minus zero; keys of digits and `__proto__`, also when escapes hide them.
 */
const LOSSY =
  /(?:^|[:,[\s])-?(?:\d{16}|\d+[.eE][-+.eE\d]*(?=[,\]}\s]|$)|0(?<=-0)(?=[,\]}\s]|$))|"(?:\d+|__proto__)"\s*:|\\u00[35]/

/** True where `JSON.parse` loses nothing and nesting stays within bounds; may say false where it would have been fine. */
function isPlain(text: string): boolean {
  return (
    !LOSSY.test(text) && (text.length < 2 * DEPTH || countUpTo(DEPTH, text, '{') + countUpTo(DEPTH, text, '[') < DEPTH)
  )
}

function countUpTo(limit: number, text: string, char: string): number {
  let count = 0
  for (let at = text.indexOf(char); at >= 0 && count < limit; at = text.indexOf(char, at + 1)) count++
  return count
}
