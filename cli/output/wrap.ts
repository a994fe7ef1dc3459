// Wraps text as Python's textwrap does: at spaces, after hyphens inside words, and inside words that are too long.

/** How text is wrapped. */
export interface WrapOptions {
  /** Columns a line may have, its indent included. */
  readonly width: number
  /** Before every line. @default '' */
  readonly indent?: string
}

const WORD = '[\\p{L}\\p{N}_!"\'&.,?]'
const LETTER = '[\\p{L}_]'
const SPACE = '[\\t\\n\\v\\f\\r ]'
const CHUNK = new RegExp(
  `(${SPACE}+|(?<=${WORD})-{2,}(?=[\\p{L}\\p{N}_])|[^\\t\\n\\v\\f\\r ]+?(?:` +
    `-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${WORD}-))(?=${LETTER}-?${LETTER})` +
    `|(?=${SPACE}|$)|(?<=${WORD})(?=-{2,}[\\p{L}\\p{N}_])))`,
  'u',
)

/** The lines of `textwrap.wrap(text, width)`: every run of white space is as good as spaces; none for blank text. */
export function wrap(text: string, options: WrapOptions): string[] {
  const indent = options.indent ?? ''
  const width = Math.max(options.width - indent.length, 1)
  const chunks = expandTabs(text)
    .replace(/[\n\v\f\r]/g, ' ')
    .split(CHUNK)
    .filter((chunk) => chunk !== '' && chunk !== undefined)
    .reverse()
  const lines: string[] = []
  while (chunks.length > 0) {
    const line = takeLine(chunks, width, lines.length > 0)
    if (line !== '') lines.push(indent + line)
  }
  return lines
}

/** Tabs to the next multiple of eight columns, as `str.expandtabs()`. */
function expandTabs(text: string): string {
  if (!text.includes('\t')) return text
  let column = 0
  return text.replace(/\t|[\n\r]|[^\t\n\r]+/g, (part) => {
    const shown = part === '\t' ? ' '.repeat(8 - (column % 8)) : part
    column = part === '\n' || part === '\r' ? 0 : column + shown.length
    return shown
  })
}

/** Takes a line's chunks off the end of `chunks`, which hold the rest of the text in reverse. */
function takeLine(chunks: string[], width: number, dropSpace: boolean): string {
  if (dropSpace && chunks.at(-1)?.trim() === '') chunks.pop()
  let line = ''
  for (let next = chunks.at(-1); next !== undefined && line.length + next.length <= width; next = chunks.at(-1)) {
    line += next
    chunks.pop()
  }
  const next = chunks.at(-1)
  if (next !== undefined && next.length > width) {
    const room = width - line.length
    if (room > 0) {
      const cut = hyphenCut(next, room)
      line += next.slice(0, cut)
      chunks[chunks.length - 1] = next.slice(cut)
    }
  }
  return line.trimEnd()
}

/** A long word breaks after a hyphen that fits and has something other than hyphens before it, else where the line ends. */
function hyphenCut(word: string, room: number): number {
  if (word.length <= room) return room
  const hyphen = word.lastIndexOf('-', room - 1)
  return hyphen > 0 && /[^-]/.test(word.slice(0, hyphen)) ? hyphen + 1 : room
}
