// Turns a YAML 1.1 text into tokens as libyaml does, which Salt reads with: simple keys, indentation, flow context.
// js-yaml's parseEvents follows YAML 1.2 and differs in keys, tabs, line breaks, document marks and most errors.
import { BYTE_ORDER_MARK, Cursor, END, isBlankOrEnd, isBreak } from './cursor.ts'
import { scanBlock } from './scan-block.ts'
import { scanPlain } from './scan-plain.ts'
import { scanAnchor, scanDirective, scanTag } from './scan-property.ts'
import { scanQuoted } from './scan-quoted.ts'
import type { BareKind, Token } from './token.ts'
import type { YamlError, YamlProblem } from './yaml-error.ts'

/** A place where a `? ` may turn out to have been meant: a key on one line, at most 1,024 characters long. */
interface SimpleKey {
  readonly token: number
  readonly at: number
  readonly line: number
  readonly column: number
  readonly required: boolean
}

const LONGEST_KEY = 1024

/** Tokens one by one. Errors come as they are reached, so that what is wrong first is reported. */
export class Scanner {
  private readonly cursor: Cursor
  private readonly tokens: Token[] = []
  private head = 0
  private taken = 0
  private done = false
  private indent = -1
  private readonly indents: number[] = []
  private flow = 0
  private keyAllowed = true
  private readonly keys: (SimpleKey | undefined)[] = [undefined]

  constructor(text: string, name?: string) {
    this.cursor = new Cursor(text, name)
    this.cursor.skipOpeningMark()
  }

  /** The next token, left in place. After the end it is `streamEnd` for ever. */
  peek(): Token {
    while (this.needsMore()) this.fetch()
    return this.tokens[this.head] ?? { kind: 'streamEnd', at: this.cursor.at }
  }

  /** Takes the next token. */
  next(): Token {
    const token = this.peek()
    if (token.kind !== 'streamEnd') {
      this.head++
      this.taken++
      if (this.head > 512) {
        this.tokens.splice(0, this.head)
        this.head = 0
      }
    }
    return token
  }

  /** An error at a place of this text. */
  error(problem: YamlProblem): YamlError {
    return this.cursor.error(problem)
  }

  private needsMore(): boolean {
    if (this.head === this.tokens.length) return !this.done
    this.dropStaleKeys()
    return !this.done && this.keys.some((key) => key?.token === this.taken)
  }

  private fetch(): void {
    this.skipToToken()
    this.dropStaleKeys()
    this.unroll(this.cursor.column)
    const cursor = this.cursor
    const code = cursor.code()
    if (code === END) this.endStream()
    else if (cursor.column === 0 && code === 0x25) this.directive()
    else if (cursor.atDocumentMark()) this.documentMark(code === 0x2d ? 'documentStart' : 'documentEnd')
    else this.fetchAt(String.fromCharCode(code))
  }

  private fetchAt(char: string): void {
    const next = this.cursor.code(1)
    const spaced = isBlankOrEnd(next)
    if (char === '[') this.openFlow('flowSequence')
    else if (char === '{') this.openFlow('flowMapping')
    else if (char === ']') this.closeFlow('flowSequenceEnd')
    else if (char === '}') this.closeFlow('flowMappingEnd')
    else if (char === ',') this.flowEntry()
    else if (char === '-' && spaced) this.blockEntry()
    else if (char === '?' && (this.flow > 0 || spaced)) this.key()
    else if (char === ':' && (this.flow > 0 || spaced)) this.value()
    else if (char === '&' || char === '*') this.anchor(char === '&' ? 'anchor' : 'alias')
    else if (char === '!') this.tag()
    else if (char === "'" || char === '"') this.quoted(char === '"' ? 'double' : 'single')
    else if ((char === '|' || char === '>') && this.flow === 0) this.block(char === '|' ? 'literal' : 'folded')
    else if (this.startsPlain(char, spaced)) this.plain()
    else throw this.cannotStart()
  }

  private startsPlain(char: string, spaced: boolean): boolean {
    if (char === '-') return !spaced
    if (char === '?' || char === ':') return this.flow === 0 && !spaced
    return !'#|>%@`\t'.includes(char)
  }

  private cannotStart(): YamlError {
    const context = 'while scanning for the next token'
    return this.cursor.scannerError('found character that cannot start any token', context, this.cursor.at)
  }

  private skipToToken(): void {
    const cursor = this.cursor
    for (;;) {
      if (cursor.column === 0 && cursor.code() === BYTE_ORDER_MARK) cursor.at++
      let code = cursor.code()
      while (code === 0x20 || (code === 0x09 && (this.flow > 0 || !this.keyAllowed))) {
        cursor.at++
        code = cursor.code()
      }
      if (code === 0x23) {
        while (code !== END && !isBreak(code)) {
          cursor.at++
          code = cursor.code()
        }
      }
      if (!isBreak(code)) return
      cursor.skipBreak()
      if (this.flow === 0) this.keyAllowed = true
    }
  }

  private push(kind: BareKind, at = this.cursor.at): void {
    this.tokens.push({ kind, at })
  }

  private endStream(): void {
    this.cursor.endLine()
    this.unroll(-1)
    this.removeKey()
    this.keyAllowed = false
    this.push('streamEnd')
    this.done = true
  }

  private directive(): void {
    this.unroll(-1)
    this.removeKey()
    this.keyAllowed = false
    const at = this.cursor.at
    this.tokens.push({ kind: 'directive', at, directive: scanDirective(this.cursor) })
  }

  private documentMark(kind: 'documentStart' | 'documentEnd'): void {
    this.unroll(-1)
    this.removeKey()
    this.keyAllowed = false
    this.push(kind)
    this.cursor.at += 3
  }

  private openFlow(kind: 'flowSequence' | 'flowMapping'): void {
    this.saveKey()
    this.flow++
    this.keys.push(undefined)
    this.keyAllowed = true
    this.push(kind)
    this.cursor.at++
  }

  private closeFlow(kind: 'flowSequenceEnd' | 'flowMappingEnd'): void {
    this.removeKey()
    if (this.flow > 0) {
      this.flow--
      this.keys.pop()
    }
    this.keyAllowed = false
    this.push(kind)
    this.cursor.at++
  }

  private flowEntry(): void {
    this.removeKey()
    this.keyAllowed = true
    this.push('flowEntry')
    this.cursor.at++
  }

  private blockEntry(): void {
    if (this.flow === 0) {
      if (!this.keyAllowed) throw this.notAllowed('block sequence entries')
      this.roll(this.cursor.column, 'blockSequence', this.cursor.at)
    }
    this.removeKey()
    this.keyAllowed = true
    this.push('blockEntry')
    this.cursor.at++
  }

  private key(): void {
    if (this.flow === 0) {
      if (!this.keyAllowed) throw this.notAllowed('mapping keys')
      this.roll(this.cursor.column, 'blockMapping', this.cursor.at)
    }
    this.removeKey()
    this.keyAllowed = this.flow === 0
    this.push('key')
    this.cursor.at++
  }

  private value(): void {
    const key = this.keys.at(-1)
    if (key !== undefined) {
      const place = key.token - this.taken + this.head
      this.tokens.splice(place, 0, { kind: 'key', at: key.at })
      this.roll(key.column, 'blockMapping', key.at, place)
      this.keys[this.keys.length - 1] = undefined
      this.keyAllowed = false
    } else {
      if (this.flow === 0) {
        if (!this.keyAllowed) throw this.notAllowed('mapping values')
        this.roll(this.cursor.column, 'blockMapping', this.cursor.at)
      }
      this.keyAllowed = this.flow === 0
    }
    this.push('value')
    this.cursor.at++
  }

  private anchor(kind: 'anchor' | 'alias'): void {
    this.saveKey()
    this.keyAllowed = false
    const at = this.cursor.at
    this.tokens.push({ kind, at, name: scanAnchor(this.cursor) })
  }

  private tag(): void {
    this.saveKey()
    this.keyAllowed = false
    const at = this.cursor.at
    this.tokens.push({ kind: 'tag', at, tag: scanTag(this.cursor, this.flow > 0) })
  }

  private quoted(style: 'single' | 'double'): void {
    this.saveKey()
    this.keyAllowed = false
    const at = this.cursor.at
    this.tokens.push({ kind: 'scalar', at, scalar: { value: scanQuoted(this.cursor), style } })
  }

  private block(style: 'literal' | 'folded'): void {
    this.removeKey()
    this.keyAllowed = true
    const at = this.cursor.at
    this.tokens.push({ kind: 'scalar', at, scalar: { ...scanBlock(this.cursor, this.indent), style } })
  }

  private plain(): void {
    this.saveKey()
    const at = this.cursor.at
    const { value, endsLine } = scanPlain(this.cursor, this.indent + 1, this.flow > 0)
    this.keyAllowed = endsLine
    this.tokens.push({ kind: 'scalar', at, scalar: { value, style: 'plain' } })
  }

  private saveKey(): void {
    if (!this.keyAllowed) return
    this.removeKey()
    const { at, line, column } = this.cursor
    const required = this.flow === 0 && this.indent === column
    const token = this.taken + this.tokens.length - this.head
    this.keys[this.keys.length - 1] = { token, at, line, column, required }
  }

  private removeKey(): void {
    const key = this.keys.at(-1)
    if (key?.required === true) throw this.missingColon(key)
    this.keys[this.keys.length - 1] = undefined
  }

  private dropStaleKeys(): void {
    const { line, at } = this.cursor
    for (let level = 0; level < this.keys.length; level++) {
      const key = this.keys[level]
      if (key === undefined || (key.line === line && at - key.at <= LONGEST_KEY)) continue
      if (key.required) throw this.missingColon(key)
      this.keys[level] = undefined
    }
  }

  private missingColon(key: SimpleKey): YamlError {
    return this.cursor.scannerError("could not find expected ':'", 'while scanning a simple key', key.at)
  }

  private notAllowed(what: string): YamlError {
    return this.cursor.scannerError(`${what} are not allowed in this context`)
  }

  private roll(column: number, kind: BareKind, at: number, place = this.tokens.length): void {
    if (this.flow > 0 || this.indent >= column) return
    this.indents.push(this.indent)
    this.indent = column
    this.tokens.splice(place, 0, { kind, at })
  }

  private unroll(column: number): void {
    if (this.flow > 0) return
    while (this.indent > column) {
      this.push('blockEnd')
      this.indent = this.indents.pop() ?? -1
    }
  }
}
