// Scans single and double quoted scalars: escapes, folded line breaks.
import { type Cursor, END, isBlank, isBlankOrEnd, isBreak } from './cursor.ts'

const BACKSLASH = 0x5c
const DOUBLE = 0x22
const SINGLE = 0x27

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
}
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }
const CONTEXT = 'while scanning a quoted scalar'

/** Reads from the opening quote to past the closing one. */
export function scanQuoted(cursor: Cursor): string {
  const start = cursor.at
  const quote = cursor.code()
  let value = ''
  cursor.at++
  for (;;) {
    if (cursor.atDocumentMark()) throw cursor.scannerError('found unexpected document indicator', CONTEXT, start)
    if (cursor.code() === END) throw cursor.scannerError('found unexpected end of stream', CONTEXT, start)
    const word = scanWord(cursor, quote, start)
    value += word.text
    if (cursor.code() === quote) break
    value += scanGap(cursor, word.brokeLine)
  }
  cursor.at++
  return value
}

interface Word {
  readonly text: string
  /** An escaped line break ended it: the break is gone, further ones stay. */
  readonly brokeLine: boolean
}

function scanWord(cursor: Cursor, quote: number, start: number): Word {
  let text = ''
  let from = cursor.at
  for (;;) {
    const code = cursor.code()
    if (isBlankOrEnd(code)) break
    if (code === quote) {
      if (quote !== SINGLE || cursor.code(1) !== SINGLE) break
      text += cursor.text.slice(from, cursor.at + 1)
      cursor.at += 2
      from = cursor.at
    } else if (quote === DOUBLE && code === BACKSLASH) {
      text += cursor.text.slice(from, cursor.at)
      if (isBreak(cursor.code(1))) {
        cursor.at++
        cursor.skipBreak()
        return { text, brokeLine: true }
      }
      text += scanEscape(cursor, start)
      from = cursor.at
    } else cursor.at++
  }
  return { text: text + cursor.text.slice(from, cursor.at), brokeLine: false }
}

function scanEscape(cursor: Cursor, start: number): string {
  const context = 'while parsing a quoted scalar'
  const letter = cursor.text[cursor.at + 1] ?? ''
  const simple = ESCAPES[letter]
  if (simple !== undefined) {
    cursor.at += 2
    return simple
  }
  const length = HEX_LENGTHS[letter]
  if (length === undefined) throw cursor.scannerError('found unknown escape character', context, start)
  const digits = cursor.text.slice(cursor.at + 2, cursor.at + 2 + length)
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
    throw cursor.scannerError('did not find expected hexdecimal number', context, start)
  }
  const code = Number.parseInt(digits, 16)
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw cursor.scannerError('found invalid Unicode character escape code', context, start)
  }
  cursor.at += 2 + length
  return String.fromCodePoint(code)
}

function scanGap(cursor: Cursor, brokeLine: boolean): string {
  const from = cursor.at
  let first = ''
  let more = ''
  let broke = brokeLine
  for (;;) {
    const code = cursor.code()
    if (isBlank(code)) cursor.at++
    else if (isBreak(code)) {
      if (broke) more += cursor.readBreak()
      else first = cursor.readBreak()
      broke = true
    } else break
  }
  if (!broke) return cursor.text.slice(from, cursor.at)
  if (first === '\n') return more || ' '
  return first + more
}
