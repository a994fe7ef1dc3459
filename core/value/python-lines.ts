// Lines and trailing space as Python sees them; outputters depend on both.

const ENDS = '\\n\\r\\v\\f\\u001c-\\u001e\\u0085\\u2028\\u2029'
const SPACES = '\\u0009-\\u000d\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const LINE_END = new RegExp(`\\r\\n|[${ENDS}]`)
const LINE = new RegExp(`[^${ENDS}]*(?:\\r\\n|[${ENDS}])|[^${ENDS}]+$`, 'g')
const TRAILING = new RegExp(`[${SPACES}]+$`)
const AROUND = new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, 'g')

/** Python's `str.splitlines()`: no lines for the empty text, and no empty line after a final line end. */
export function splitLines(text: string): string[] {
  const lines = text.split(LINE_END)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** {@link splitLines} with each line's end kept, as `str.splitlines(True)`. */
export function splitLinesKeepingEnds(text: string): string[] {
  return text.match(LINE) ?? []
}

/** Python's `str.rstrip()`. */
export function rstrip(text: string): string {
  return text.replace(TRAILING, '')
}

/** Python's `str.strip()`. */
export function strip(text: string): string {
  return text.replace(AROUND, '')
}

/** How many characters Python counts: code points, not UTF-16 units. */
export function textLength(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0xdc00 || unit > 0xdfff) length++
  }
  return length
}
