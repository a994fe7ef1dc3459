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

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * True where `JSON.parse` loses nothing: no floats, no long integers, no `-0`, no key that begins with a digit, an
 * underscore or holds an escape, no deep nesting. May say false where it would have been fine; never the reverse.
 */
function isPlain(text: string): boolean {
  let depth = 0
  let digits = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      const end = closingQuote(text, index + 1)
      if (end < 0) return false
      if (mightReorder(text, index + 1, end) && isKey(text, end + 1)) return false
      index = end
      digits = 0
    } else if (code >= 0x30 && code <= 0x39) {
      if (++digits > 15) return false
    } else {
      if (code === 0x2e || code === 0x2d) return false
      if ((code === 0x65 || code === 0x45) && digits > 0) return false
      if (code === 0x4e || code === 0x49) return false
      if ((code === 0x7b || code === 0x5b) && ++depth > DEPTH) return false
      if (code === 0x7d || code === 0x5d) depth--
      digits = 0
    }
  }
  return true
}

function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) {
    let slashes = 1
    while (end - 1 - slashes >= from && text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) break
    end = text.indexOf('"', end + 1)
  }
  return end
}

function mightReorder(text: string, from: number, end: number): boolean {
  const first = text.charCodeAt(from)
  if ((first >= 0x30 && first <= 0x39) || first === 0x5f) return true
  return first === BACKSLASH && end > from
}

function isKey(text: string, after: number): boolean {
  for (let index = after; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x3a) return true
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false
  }
  return false
}
