// Scans a plain scalar: no quotes, ends at `: `, ` #`, a lesser indentation, and in flow context at `,[]{}`.
import { type Cursor, isBlank, isBlankOrEnd, isBreak } from './cursor.ts'

const COLON = 0x3a
const HASH = 0x23
const TAB = 0x09

/** What was read, where it ended, and whether line breaks followed (a simple key may then begin). */
export interface PlainScalar {
  readonly value: string
  readonly end: number
  readonly endsLine: boolean
}

function isFlowEnd(code: number): boolean {
  return code === 0x2c || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d
}

/** Reads from the cursor on; `indent` is the column that continuation lines must reach. */
export function scanPlain(cursor: Cursor, indent: number, inFlow: boolean): PlainScalar {
  const start = cursor.at
  let value = ''
  let end = start
  let between = ''
  let endsLine = false
  for (;;) {
    if (cursor.atDocumentMark() || cursor.code() === HASH) break
    const from = cursor.at
    scanWord(cursor, inFlow, start)
    if (cursor.at > from) {
      value += between + cursor.text.slice(from, cursor.at)
      end = cursor.at
      endsLine = false
    }
    const next = cursor.code()
    if (!isBlank(next) && !isBreak(next)) break
    const gap = scanGap(cursor, indent, start)
    between = gap.text
    endsLine ||= gap.broke
    if (!inFlow && cursor.column < indent) break
  }
  return { value, end, endsLine }
}

function scanWord(cursor: Cursor, inFlow: boolean, start: number): void {
  for (;;) {
    const code = cursor.code()
    if (isBlankOrEnd(code)) return
    if (code === COLON) {
      const next = cursor.code(1)
      if (isBlankOrEnd(next)) return
      if (inFlow && (isFlowEnd(next) || next === 0x3f)) {
        throw cursor.scannerError("found unexpected ':'", 'while scanning a plain scalar', start)
      }
    } else if (inFlow && isFlowEnd(code)) return
    cursor.at++
  }
}

/** The white space between two words: one break folds to a space, further ones stay. */
function scanGap(cursor: Cursor, indent: number, start: number): { text: string; broke: boolean } {
  const from = cursor.at
  let first = ''
  let more = ''
  for (;;) {
    const code = cursor.code()
    if (isBlank(code)) {
      if (first !== '' && cursor.column < indent && code === TAB) {
        throw cursor.scannerError(
          'found a tab character that violates indentation',
          'while scanning a plain scalar',
          start,
        )
      }
      cursor.at++
    } else if (isBreak(code)) {
      if (first === '') first = cursor.readBreak()
      else more += cursor.readBreak()
    } else break
  }
  if (first === '') return { text: cursor.text.slice(from, cursor.at), broke: false }
  return { text: first === '\n' ? more || ' ' : first + more, broke: true }
}
