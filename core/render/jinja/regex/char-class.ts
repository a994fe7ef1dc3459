// Python's character classes and case folding, by code point.
import type { CharTest } from './node.ts'

const WORD = /[\p{L}\p{N}_]/u
const DIGIT = /\p{Nd}/u

const char = (code: number): string => String.fromCodePoint(code)

function isAsciiWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || (code >= 0x61 && code <= 0x7a)
  )
}

/** `\w`. */
export function isWord(code: number, ascii: boolean): boolean {
  return code < 0x80 || ascii ? isAsciiWord(code) : WORD.test(char(code))
}

function isDigit(code: number, ascii: boolean): boolean {
  return code < 0x80 || ascii ? code >= 0x30 && code <= 0x39 : DIGIT.test(char(code))
}

const SPACES = new Set([
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f,
  0x3000,
])

function isSpace(code: number, ascii: boolean): boolean {
  if (ascii) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return SPACES.has(code) || (code >= 0x2000 && code <= 0x200a)
}

/** The class of `\d \D \w \W \s \S`, `undefined` for another letter. */
export function classEscape(letter: string, ascii: boolean): CharTest | undefined {
  const test = { d: isDigit, w: isWord, s: isSpace }[letter.toLowerCase()]
  if (test === undefined) return undefined
  return letter === letter.toLowerCase() ? (code) => test(code, ascii) : (code) => !test(code, ascii)
}

/** The one form of a character that ignoring case compares. */
export function fold(code: number): number {
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? code + 32 : code
  const lower = char(code).toLowerCase()
  const folded = lower.codePointAt(0) ?? code
  return lower.length === (folded > 0xffff ? 2 : 1) ? folded : code
}

/** The test of one character. */
export function literalTest(code: number, ignoreCase: boolean): CharTest {
  if (!ignoreCase) return (other) => other === code
  const folded = fold(code)
  return (other) => other === code || fold(other) === folded
}

/** A test that also tries the other case. */
export function anyCase(test: CharTest, ignoreCase: boolean): CharTest {
  if (!ignoreCase) return test
  return (code) => {
    if (test(code) || test(fold(code))) return true
    const upper = char(code).toUpperCase().codePointAt(0)
    return upper !== undefined && test(upper)
  }
}
