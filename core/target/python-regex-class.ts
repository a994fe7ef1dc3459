// The character classes of Python's `\d`, `\s`, `\w`, and how a literal is spelled in a JavaScript expression.

/** What stands between the brackets of a JavaScript class. */
export interface WordSet {
  readonly inner: string
}

interface Kinds {
  readonly unicode: WordSet
  readonly ascii: WordSet
}

/** `\d`: Python's takes the digits of every script. */
export const DIGIT: Kinds = { unicode: { inner: '\\p{Nd}' }, ascii: { inner: '0-9' } }

/** `\s`: Python's has the separators U+001C to U+001F and U+0085, and not U+FEFF. */
export const SPACE: Kinds = {
  unicode: { inner: '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000' },
  ascii: { inner: '\\t-\\r\\x20' },
}

/** `\w`: letters, digits and other numbers of every script, and the underscore. */
export const WORD: Kinds = { unicode: { inner: '\\p{L}\\p{N}_' }, ascii: { inner: 'a-zA-Z0-9_' } }

/** A character that stands for itself, inside a class and outside. */
export function escapeLiteral(char: string): string {
  if (/^[a-zA-Z0-9_]$/.test(char)) return char
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`
}

/** A class that takes a character in either case. Nested in another class it is a union. */
export function anyCase(char: string): string {
  const forms = new Set([char, char.toLowerCase(), char.toUpperCase()].filter((form) => [...form].length === 1))
  return `[${[...forms].map(escapeLiteral).join('')}]`
}
