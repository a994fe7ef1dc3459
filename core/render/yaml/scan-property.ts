// Scans what decorates a node or a document: anchors, aliases, tags, directives.
import { type Cursor, END, isBlank, isBlankOrEnd, isBreak } from './cursor.ts'

/** A tag as written: `!<uri>` has no handle, `!x` the handle `!`, `!!x` the handle `!!`. */
export interface TagText {
  readonly handle: string
  readonly suffix: string
}

/** A `%` line: the version, or a prefix for a handle. */
export type Directive =
  | { readonly kind: 'version'; readonly major: number; readonly minor: number }
  | { readonly kind: 'tag'; readonly handle: string; readonly prefix: string }

function isWordCode(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f ||
    code === 0x2d
  )
}

function scanWord(cursor: Cursor): string {
  const from = cursor.at
  while (isWordCode(cursor.code())) cursor.at++
  return cursor.text.slice(from, cursor.at)
}

/** The name after `&` or `*`. */
export function scanAnchor(cursor: Cursor): string {
  const start = cursor.at
  const context = cursor.text[start] === '&' ? 'while scanning an anchor' : 'while scanning an alias'
  cursor.at++
  const name = scanWord(cursor)
  const next = cursor.code()
  if (name === '' || !(isBlankOrEnd(next) || '?:,]}%@`'.includes(String.fromCharCode(next)))) {
    throw cursor.scannerError('did not find expected alphabetic or numeric character', context, start)
  }
  return name
}

const CONTEXT = 'while scanning a tag'

/** A tag from its `!` on; a blank, a break, the end or in flow context a comma has to follow. */
export function scanTag(cursor: Cursor, inFlow: boolean): TagText {
  const start = cursor.at
  let tag: TagText
  if (cursor.code(1) === 0x3c) {
    cursor.at += 2
    const suffix = scanUri(cursor, true, undefined, start)
    if (cursor.code() !== 0x3e) throw cursor.scannerError("did not find the expected '>'", CONTEXT, start)
    cursor.at++
    tag = { handle: '', suffix }
  } else {
    const handle = scanHandle(cursor, false, start)
    if (handle.length > 1 && handle.endsWith('!')) {
      tag = { handle, suffix: scanUri(cursor, false, undefined, start) }
    } else {
      const suffix = scanUri(cursor, false, handle, start)
      tag = suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix }
    }
  }
  if (!isBlankOrEnd(cursor.code()) && !(inFlow && cursor.code() === 0x2c)) {
    throw cursor.scannerError('did not find expected whitespace or line break', CONTEXT, start)
  }
  return tag
}

function scanHandle(cursor: Cursor, directive: boolean, start: number): string {
  const context = directive ? 'while scanning a tag directive' : CONTEXT
  if (cursor.code() !== 0x21) throw cursor.scannerError("did not find expected '!'", context, start)
  cursor.at++
  let handle = `!${scanWord(cursor)}`
  if (cursor.code() === 0x21) {
    cursor.at++
    handle += '!'
  } else if (directive && handle !== '!') {
    throw cursor.scannerError("did not find expected '!'", 'while parsing a tag directive', start)
  }
  return handle
}

const URI = /[-\w;/?:@&=+$.%!~*'()]/
const URI_VERBATIM = /[-\w;/?:@&=+$.%!~*'()[\],]/

/** `head` is what was read as a handle and turned out to be the beginning of the URI; without one it must not be empty. */
function scanUri(cursor: Cursor, verbatim: boolean, head: string | undefined, start: number): string {
  const allowed = verbatim ? URI_VERBATIM : URI
  let text = (head ?? '').slice(1)
  while (cursor.code() !== END && cursor.code() < 0x80 && allowed.test(cursor.text[cursor.at] ?? '')) {
    if (cursor.code() === 0x25) text += scanUriEscapes(cursor, start)
    else text += cursor.text[cursor.at++]
  }
  if (text === '' && head === undefined) {
    throw cursor.scannerError('did not find expected tag URI', 'while parsing a tag', start)
  }
  return text
}

function scanUriEscapes(cursor: Cursor, start: number): string {
  const found = /^(?:%[0-9a-fA-F]{2})+/.exec(cursor.text.slice(cursor.at))
  if (found === null) throw cursor.scannerError('did not find URI escaped octet', 'while parsing a tag', start)
  try {
    const text = decodeURIComponent(found[0])
    cursor.at += found[0].length
    return text
  } catch {
    throw cursor.scannerError('found an incorrect UTF-8 sequence', 'while parsing a tag', start)
  }
}

/** A line that begins with `%`, to its end. */
export function scanDirective(cursor: Cursor): Directive {
  const start = cursor.at
  const context = 'while scanning a directive'
  cursor.at++
  const name = scanWord(cursor)
  if (name === '') throw cursor.scannerError('could not find expected directive name', context, start)
  if (!isBlankOrEnd(cursor.code())) {
    throw cursor.scannerError('found unexpected non-alphabetical character', context, start)
  }
  if (name !== 'YAML' && name !== 'TAG') throw cursor.scannerError('found unknown directive name', context, start)
  const directive = name === 'YAML' ? scanVersion(cursor, start) : scanTagDirective(cursor, start)
  skipBlanks(cursor)
  if (cursor.code() === 0x23) while (!isBreak(cursor.code()) && cursor.code() !== END) cursor.at++
  if (!isBlankOrEnd(cursor.code())) {
    throw cursor.scannerError('did not find expected comment or line break', context, start)
  }
  cursor.skipBreak()
  return directive
}

function scanVersion(cursor: Cursor, start: number): Directive {
  const context = 'while scanning a %YAML directive'
  skipBlanks(cursor)
  const major = scanNumber(cursor, start)
  if (cursor.code() !== 0x2e) throw cursor.scannerError("did not find expected digit or '.' character", context, start)
  cursor.at++
  return { kind: 'version', major, minor: scanNumber(cursor, start) }
}

function scanNumber(cursor: Cursor, start: number): number {
  const from = cursor.at
  while (cursor.code() >= 0x30 && cursor.code() <= 0x39) cursor.at++
  const context = 'while scanning a %YAML directive'
  if (cursor.at - from > 9) throw cursor.scannerError('found extremely long version number', context, start)
  if (cursor.at === from) throw cursor.scannerError('did not find expected version number', context, start)
  return Number(cursor.text.slice(from, cursor.at))
}

function scanTagDirective(cursor: Cursor, start: number): Directive {
  const context = 'while scanning a %TAG directive'
  skipBlanks(cursor)
  const handle = scanHandle(cursor, true, start)
  if (!isBlank(cursor.code())) throw cursor.scannerError('did not find expected whitespace', context, start)
  skipBlanks(cursor)
  const prefix = scanUri(cursor, true, undefined, start)
  if (!isBlankOrEnd(cursor.code())) {
    throw cursor.scannerError('did not find expected whitespace or line break', context, start)
  }
  return { kind: 'tag', handle, prefix }
}

function skipBlanks(cursor: Cursor): void {
  while (isBlank(cursor.code())) cursor.at++
}
