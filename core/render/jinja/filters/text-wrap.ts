// Python's `textwrap.wrap` as the `wordwrap` filter calls it: tabs and line breaks inside are left alone.
import { textLength } from '../code-points.ts'
import { valueError } from '../python-error.ts'

/** How {@link wrapText} breaks. */
export interface WrapOptions {
  readonly width: number
  readonly breakLongWords: boolean
  readonly breakOnHyphens: boolean
}

const HYPHENATED =
  /([\t\n\v\f\r ]+|(?<=[\p{L}\p{N}_!"'&.,?])-{2,}(?=[\p{L}\p{N}_])|[^\t\n\v\f\r ](?:[^\t\n\v\f\r ])*?(?:-(?:(?<=[\p{L}_]{2}-)|(?<=[\p{L}_]-[\p{L}_]-))(?=[\p{L}_]-?[\p{L}_])|(?=[\t\n\v\f\r ]|$)|(?<=[\p{L}\p{N}_!"'&.,?])(?=-{2,}[\p{L}\p{N}_])))/u
const SIMPLE = /([\t\n\v\f\r ]+)/

/** Longer words are not looked at for hyphens. */
const LONGEST_WORD = 1000

/** Words, their parts between hyphens, and the space between them. */
function hyphenated(text: string): string[] {
  return text
    .split(SIMPLE)
    .flatMap((word) => (word.includes('-') && word.length <= LONGEST_WORD ? word.split(HYPHENATED) : [word]))
    .filter((chunk) => chunk !== undefined && chunk !== '')
}

function isBlank(chunk: string | undefined): boolean {
  return chunk !== undefined && /^[\t\n\v\f\r ]*$/.test(chunk)
}

/** The lines of one paragraph. */
export function wrapText(text: string, { width, breakLongWords, breakOnHyphens }: WrapOptions): string[] {
  if (width <= 0) throw valueError(`invalid width ${width} (must be > 0)`)
  const chunks = breakOnHyphens ? hyphenated(text) : text.split(SIMPLE).filter((chunk) => chunk !== '')
  chunks.reverse()
  const lines: string[] = []
  while (chunks.length > 0) {
    const line: string[] = []
    let used = 0
    if (lines.length > 0 && isBlank(chunks.at(-1))) chunks.pop()
    for (let next = chunks.at(-1); next !== undefined && !isLonger(next, width - used); next = chunks.at(-1)) {
      line.push(next)
      used += textLength(next)
      chunks.pop()
    }
    const long = chunks.at(-1)
    if (long !== undefined && isLonger(long, width)) {
      if (breakLongWords) {
        const [head, tail] = splitLong(long, Math.max(1, width - used), breakOnHyphens)
        line.push(head)
        chunks[chunks.length - 1] = tail
      } else if (line.length === 0) {
        line.push(long)
        chunks.pop()
      }
    }
    if (isBlank(line.at(-1))) line.pop()
    if (line.length > 0) lines.push(line.join(''))
  }
  return lines
}

function splitLong(chunk: string, room: number, breakOnHyphens: boolean): [string, string] {
  const chars = Array.from(chunk.slice(0, room * 2)).slice(0, room)
  let end = room
  if (breakOnHyphens) {
    const hyphen = chars.lastIndexOf('-')
    if (hyphen > 0 && chars.slice(0, hyphen).some((char) => char !== '-')) end = hyphen + 1
  }
  const head = chars.slice(0, end).join('')
  return [head, chunk.slice(head.length)]
}

/** `len(text) > width` without counting all of a long text. */
function isLonger(text: string, width: number): boolean {
  if (text.length <= width) return false
  return text.length > width * 2 || textLength(text) > width
}
