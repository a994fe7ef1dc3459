// What Python's str methods do to plain text: whitespace, lines, case and character classes as Python defines them.

const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const WORDS = new RegExp(`[^${SPACE}]+`, 'g')
const ONLY_SPACE = new RegExp(`^[${SPACE}]+$`)
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are Python's line boundaries
const LINES = /\r\n|[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/g

const SPACE_CODES: ReadonlySet<number> = new Set(
  Array.from(
    '\t\n\u000b\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
    (char) => char.charCodeAt(0),
  ),
)

/** `text.lstrip(chars)`; whitespace without `chars`. */
export function stripLeft(text: string, chars?: string): string {
  let at = 0
  if (chars === undefined) {
    while (at < text.length && SPACE_CODES.has(text.charCodeAt(at))) at++
    return at === 0 ? text : text.slice(at)
  }
  const set = new Set(chars)
  for (const char of text) {
    if (!set.has(char)) break
    at += char.length
  }
  return text.slice(at)
}

/** `text.rstrip(chars)`; whitespace without `chars`. */
export function stripRight(text: string, chars?: string): string {
  let end = text.length
  if (chars === undefined) {
    while (end > 0 && SPACE_CODES.has(text.charCodeAt(end - 1))) end--
    return end === text.length ? text : text.slice(0, end)
  }
  const set = new Set(chars)
  while (end > 0) {
    const pair = end > 1 && text.charCodeAt(end - 1) >= 0xdc00 && text.charCodeAt(end - 1) < 0xe000
    const char = pair ? text.slice(end - 2, end) : text.slice(end - 1, end)
    if (!set.has(char)) break
    end -= char.length
  }
  return text.slice(0, end)
}

/** `text.split(None, limit)`. */
export function splitWords(text: string, limit: number): string[] {
  if (limit < 0) return text.match(WORDS) ?? []
  const words: string[] = []
  let rest = stripLeft(text)
  while (rest !== '' && words.length < limit) {
    const word = rest.match(WORDS)?.[0] ?? ''
    words.push(word)
    rest = stripLeft(rest.slice(word.length))
  }
  if (rest !== '') words.push(stripRight(rest))
  return words
}

/** `text.rsplit(None, limit)`. */
export function splitWordsRight(text: string, limit: number): string[] {
  if (limit < 0) return splitWords(text, -1)
  const words: string[] = []
  let rest = stripRight(text)
  while (rest !== '' && words.length < limit) {
    let start = rest.length
    while (start > 0 && !SPACE_CODES.has(rest.charCodeAt(start - 1))) start--
    const word = rest.slice(start)
    words.unshift(word)
    rest = stripRight(rest.slice(0, rest.length - word.length))
  }
  if (rest !== '') words.unshift(stripLeft(rest))
  return words
}

/** `text.split(separator, limit)`. */
export function splitText(text: string, separator: string, limit: number): string[] {
  const parts = text.split(separator)
  if (limit < 0 || parts.length <= limit + 1) return parts
  return [...parts.slice(0, limit), parts.slice(limit).join(separator)]
}

/** `text.rsplit(separator, limit)`: the parts are looked for from the end. */
export function splitTextRight(text: string, separator: string, limit: number): string[] {
  const parts: string[] = []
  let end = text.length
  while (limit < 0 || parts.length < limit) {
    const at = end < separator.length ? -1 : text.lastIndexOf(separator, end - separator.length)
    if (at < 0) break
    parts.unshift(text.slice(at + separator.length, end))
    end = at
  }
  parts.unshift(text.slice(0, end))
  return parts
}

/** `text.splitlines(keepends)`. */
export function splitLines(text: string, keepEnds = false): string[] {
  const lines: string[] = []
  let at = 0
  for (const match of text.matchAll(LINES)) {
    lines.push(text.slice(at, keepEnds ? match.index + match[0].length : match.index))
    at = match.index + match[0].length
  }
  if (at < text.length) lines.push(text.slice(at))
  return lines
}

/** `text.capitalize()`. */
export function capitalize(text: string): string {
  const [first = ''] = text
  return titleChar(first) + text.slice(first.length).toLowerCase()
}

function titleChar(char: string): string {
  const upper = char.toUpperCase()
  return upper.length > char.length ? (upper[0] ?? '') + upper.slice(1).toLowerCase() : upper
}

const CASED = /[\p{Lowercase}\p{Uppercase}\p{Lt}]/u

/** `text.title()`: a capital wherever a letter does not follow a letter. */
export function titleCase(text: string): string {
  let result = ''
  let after = false
  for (const char of text) {
    result += after ? char.toLowerCase() : titleChar(char)
    after = /[\p{Lu}\p{Ll}\p{Lt}]/u.test(char)
  }
  return result
}

/** `str.swapcase`. */
export function swapCase(text: string): string {
  return Array.from(text, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join('')
}

/** `str.casefold`, for the letters where it differs from lower case in Latin and Greek. */
export function caseFold(text: string): string {
  return text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ').replaceAll('ŉ', 'ʼn')
}

function every(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text)
}

/** Python's `str.is…` tests that ask the same of every character; all false for the empty text but `isascii`. */
export const CHARACTER_TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  isalpha: every(/^\p{L}+$/u),
  isdecimal: every(/^\p{Nd}+$/u),
  isdigit: every(
    /^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490]+$/u,
  ),
  isnumeric: every(/^\p{N}+$/u),
  isalnum: every(/^[\p{L}\p{N}]+$/u),
  isspace: every(ONLY_SPACE),
  isascii: (text) => !/[\u0080-\uffff]/.test(text),
  isidentifier: every(/^[\p{ID_Start}_][\p{ID_Continue}]*$/u),
  isprintable: (text) => !/[^\P{C}]|[^\P{Z} ]/u.test(text),
  islower: (text) => CASED.test(text) && text === text.toLowerCase() && !/\p{Lt}/u.test(text),
  isupper: (text) => CASED.test(text) && text === text.toUpperCase() && !/\p{Lt}/u.test(text),
  istitle: (text) => CASED.test(text) && titleCase(text) === text,
}
