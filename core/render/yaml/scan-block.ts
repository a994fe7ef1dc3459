// Scans literal (`|`) and folded (`>`) block scalars.
import { type Cursor, END, isBlank, isBlankOrEnd, isBreak } from './cursor.ts'

/** What the header says about the line breaks at the end: `-` none, nothing one, `+` all. */
export type Chomping = 'strip' | 'clip' | 'keep'

/** A block scalar as read: `indent` is the column of its lines. */
export interface BlockScalar {
  readonly value: string
  readonly chomping: Chomping
  readonly indent: number
}

const CONTEXT = 'while scanning a block scalar'
const PLUS = 0x2b
const MINUS = 0x2d
const SPACE = 0x20
const TAB = 0x09

/** Reads from the indicator to the end of the block. `parent` is the enclosing indentation, -1 at the top. */
export function scanBlock(cursor: Cursor, parent: number): BlockScalar {
  const start = cursor.at
  const literal = cursor.text[start] === '|'
  cursor.at++
  const header = scanHeader(cursor, start)
  let indent = header.increment === 0 ? 0 : Math.max(parent, 0) + header.increment
  let value = ''
  let first = ''
  const opening = scanBreaks(cursor, indent, parent, start)
  let breaks = opening.text
  indent = opening.indent
  let previousBlank = false
  while (cursor.column === indent && cursor.code() !== END) {
    const blank = isBlank(cursor.code())
    if (!literal && first === '\n' && !previousBlank && !blank) value += breaks === '' ? ' ' : ''
    else value += first
    value += breaks
    previousBlank = blank
    const from = cursor.at
    while (!isBreak(cursor.code()) && cursor.code() !== END) cursor.at++
    value += cursor.text.slice(from, cursor.at)
    first = cursor.readBreak()
    breaks = scanBreaks(cursor, indent, parent, start).text
  }
  if (header.chomping !== 'strip') value += first
  if (header.chomping === 'keep') value += breaks
  return { value, chomping: header.chomping, indent }
}

function scanHeader(cursor: Cursor, start: number): { chomping: Chomping; increment: number } {
  let chomping: Chomping = 'clip'
  let increment = 0
  const sign = (): boolean => {
    const code = cursor.code()
    if (code !== PLUS && code !== MINUS) return false
    chomping = code === PLUS ? 'keep' : 'strip'
    cursor.at++
    return true
  }
  const digit = (): boolean => {
    const code = cursor.code()
    if (code < 0x30 || code > 0x39) return false
    if (code === 0x30) throw cursor.scannerError('found an indentation indicator equal to 0', CONTEXT, start)
    increment = code - 0x30
    cursor.at++
    return true
  }
  if (sign()) digit()
  else if (digit()) sign()
  while (isBlank(cursor.code())) cursor.at++
  if (cursor.code() === 0x23) while (!isBreak(cursor.code()) && cursor.code() !== END) cursor.at++
  if (!isBlankOrEnd(cursor.code())) {
    throw cursor.scannerError('did not find expected comment or line break', CONTEXT, start)
  }
  cursor.skipBreak()
  return { chomping, increment }
}

/** Passes indentation and empty lines; an `indent` of 0 is found out from the first line with text. */
function scanBreaks(cursor: Cursor, indent: number, parent: number, start: number): { text: string; indent: number } {
  let text = ''
  let widest = 0
  for (;;) {
    while ((indent === 0 || cursor.column < indent) && cursor.code() === SPACE) cursor.at++
    if (cursor.column > widest) widest = cursor.column
    if ((indent === 0 || cursor.column < indent) && cursor.code() === TAB) {
      throw cursor.scannerError('found a tab character where an indentation space is expected', CONTEXT, start)
    }
    if (!isBreak(cursor.code())) break
    text += cursor.readBreak()
  }
  return { text, indent: indent === 0 ? Math.max(widest, parent + 1, 1) : indent }
}
