// Splits a template into tokens exactly as Jinja 3.1 does: whitespace control, raw blocks, line statements, line numbers.
import { escapeRegex } from '../../value/escape-regex.ts'
import { stringRepr } from '../../value/index.ts'
import { unescapeString } from './escapes.ts'
import type { JinjaOptions } from './options.ts'
import { PythonError } from './python-error.ts'
import { stripRight } from './python-string.ts'
import { OPERATORS, syntaxError, type Token } from './token.ts'

/** Python's `\s`. */
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'

const WHITESPACE = new RegExp(`${SPACE}+`, 'y')
const ALL_SPACE = new RegExp(`^${SPACE}+$`)
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][-+]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/y
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy
const NAME = /[\p{L}\p{N}\p{M}_\u00b7\p{Pc}]+/uy
const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u
const STRING = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y
const OPERATOR = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

type Region = 'comment_begin' | 'block_begin' | 'variable_begin' | 'linestatement_begin' | 'linecomment_begin'

interface Rules {
  readonly root: RegExp
  /** The regions in the order of the groups of {@link root}, after `raw`. */
  readonly regions: readonly Region[]
  readonly comment: RegExp
  readonly raw: RegExp
  readonly blockEnd: RegExp
  readonly variableEnd: RegExp
}

const cache = new Map<string, Rules>()

function rulesOf(options: JinjaOptions): Rules {
  const key = JSON.stringify(options)
  const known = cache.get(key)
  if (known !== undefined) return known
  const rules = makeRules(options)
  if (cache.size < 32) cache.set(key, rules)
  return rules
}

function makeRules(options: JinjaOptions): Rules {
  const begin: [number, Region, string][] = [
    [options.comment_start_string.length, 'comment_begin', escapeRegex(options.comment_start_string)],
    [options.block_start_string.length, 'block_begin', escapeRegex(options.block_start_string)],
    [options.variable_start_string.length, 'variable_begin', escapeRegex(options.variable_start_string)],
  ]
  if (options.line_statement_prefix !== null) {
    const prefix = options.line_statement_prefix
    begin.push([prefix.length, 'linestatement_begin', `^[ \\t\\v]*${escapeRegex(prefix)}`])
  }
  if (options.line_comment_prefix !== null) {
    const prefix = options.line_comment_prefix
    begin.push([prefix.length, 'linecomment_begin', `(?:^|(?<=\\S))[^\\S\\r\\n]*${escapeRegex(prefix)}`])
  }
  begin.sort((a, b) => b[0] - a[0] || (a[1] < b[1] ? 1 : -1))
  const blockStart = escapeRegex(options.block_start_string)
  const blockEnd = escapeRegex(options.block_end_string)
  const commentEnd = escapeRegex(options.comment_end_string)
  const variableEnd = escapeRegex(options.variable_end_string)
  const suffix = options.trim_blocks ? '\\n?' : ''
  const end = (close: string): string => `(?:\\+${close}|-${close}${SPACE}*|${close}${suffix})`
  const raw = `(${blockStart}([-+]|)${SPACE}*raw${SPACE}*(?:-${blockEnd}${SPACE}*|${blockEnd}))`
  const parts = begin.map(([, , pattern]) => `(${pattern}([-+]|))`)
  return {
    root: new RegExp(`([\\s\\S]*?)(?:${[raw, ...parts].join('|')})`, 'my'),
    regions: begin.map(([, region]) => region),
    comment: new RegExp(`[\\s\\S]*?${end(commentEnd)}`, 'y'),
    raw: new RegExp(`([\\s\\S]*?)((?:${blockStart}([-+]|))${SPACE}*endraw${SPACE}*${end(blockEnd)})`, 'y'),
    blockEnd: new RegExp(end(blockEnd), 'y'),
    variableEnd: new RegExp(`-${variableEnd}${SPACE}*|${variableEnd}`, 'y'),
  }
}

const LINE_END = new RegExp(`${SPACE}*(?:\\n|$)`, 'my')

/** The tokens of a template; where it cannot be read the last one holds a PythonError in Jinja's words. */
export function tokenize(text: string, options: JinjaOptions): Token[] {
  return new Lexer(text, options).tokens()
}

class Lexer {
  private readonly source: string
  private readonly options: JinjaOptions
  private readonly rules: Rules
  private readonly found: Token[] = []
  private at = 0
  private line = 1
  private lineStarting = true

  constructor(text: string, options: JinjaOptions) {
    let source = text.replace(/\r\n|\r/g, '\n')
    if (!options.keep_trailing_newline && source.endsWith('\n')) source = source.slice(0, -1)
    this.source = source
    this.options = options
    this.rules = rulesOf(options)
  }

  tokens(): Token[] {
    try {
      this.read()
    } catch (error) {
      if (!(error instanceof PythonError)) throw error
      this.found.push({ line: this.line, type: 'error', value: '', error })
    }
    return this.found
  }

  private read(): void {
    while (this.at < this.source.length) {
      this.rules.root.lastIndex = this.at
      const match = this.rules.root.exec(this.source)
      if (match === null) {
        this.data(this.source.slice(this.at))
        this.at = this.source.length
        return
      }
      this.region(match)
    }
  }

  private region(match: RegExpExecArray): void {
    let group = 2
    while (match[group] === undefined) group += 2
    const sign = match[group + 1] ?? ''
    const region = group === 2 ? 'raw' : this.rules.regions[(group - 4) / 2]
    const before = this.strip(match[1] ?? '', sign, region !== 'variable_begin')
    this.data(before.text)
    this.line += before.newlines
    const tag = match[group] ?? ''
    const line = this.line
    this.advance(tag, match.index + match[0].length)
    if (region === 'raw') this.raw()
    else if (region === 'comment_begin') this.comment()
    else if (region === 'variable_begin') this.tag('variable', line)
    else if (region === 'block_begin') this.tag('block', line)
    else if (region === 'linestatement_begin') this.tag('line', line)
    else this.lineComment()
  }

  private strip(text: string, sign: string, strips: boolean): { text: string; newlines: number } {
    if (sign === '-') {
      const stripped = stripRight(text)
      return { text: stripped, newlines: countNewlines(text.slice(stripped.length)) }
    }
    if (sign !== '+' && this.options.lstrip_blocks && strips) {
      const lineStart = text.lastIndexOf('\n') + 1
      if ((lineStart > 0 || this.lineStarting) && ALL_SPACE.test(text.slice(lineStart))) {
        return { text: text.slice(0, lineStart), newlines: 0 }
      }
    }
    return { text, newlines: 0 }
  }

  private data(text: string): void {
    if (text === '') return
    const value = this.options.newline_sequence === '\n' ? text : text.replaceAll('\n', this.options.newline_sequence)
    this.found.push({ line: this.line, type: 'data', value })
    this.line += countNewlines(text)
  }

  /** Moves past matched characters, counting their lines. */
  private advance(text: string, end: number): void {
    this.line += countNewlines(text)
    this.lineStarting = this.source[end - 1] === '\n'
    this.at = end
  }

  private comment(): void {
    const match = this.match(this.rules.comment)
    if (match === null) {
      this.unclosed('Missing end of comment tag')
      return
    }
    this.advance(match[0], this.at + match[0].length)
  }

  private lineComment(): void {
    const end = this.source.indexOf('\n', this.at)
    this.at = end < 0 ? this.source.length : end
  }

  private raw(): void {
    const match = this.match(this.rules.raw)
    if (match === null) {
      this.unclosed('Missing end of raw directive')
      return
    }
    const inner = this.strip(match[1] ?? '', match[3] ?? '', true)
    this.data(inner.text)
    this.line += inner.newlines
    this.advance(match[2] ?? '', this.at + match[0].length)
  }

  /** Jinja forgives a comment or raw block that is opened at the very end. */
  private unclosed(message: string): void {
    if (this.at < this.source.length) throw syntaxError(message, this.line)
  }

  private tag(kind: 'variable' | 'block' | 'line', line: number): void {
    const name = kind === 'variable' ? 'variable' : 'block'
    const end = kind === 'variable' ? this.rules.variableEnd : kind === 'block' ? this.rules.blockEnd : LINE_END
    this.found.push({ line, type: `${name}_begin`, value: '' })
    const open: string[] = []
    for (;;) {
      const close = open.length === 0 ? this.match(end) : null
      if (close !== null) {
        this.found.push({ line: this.line, type: `${name}_end`, value: close[0] })
        this.advance(close[0], this.at + close[0].length)
        return
      }
      if (this.at >= this.source.length) return
      this.tagToken(open)
    }
  }

  private tagToken(open: string[]): void {
    const space = this.match(WHITESPACE)
    if (space !== null) {
      this.advance(space[0], this.at + space[0].length)
      return
    }
    const token = this.number() ?? this.name() ?? this.string() ?? this.operator(open)
    if (token === undefined) {
      const char = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0)
      throw syntaxError(`unexpected char ${stringRepr(char)} at ${this.at}`, this.line)
    }
    this.found.push(token)
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.source)
  }

  private number(): Token | undefined {
    const float = this.match(FLOAT)
    const integer = float === null ? this.match(INTEGER) : null
    const match = float ?? integer
    if (match === null) return undefined
    this.at += match[0].length
    const digits = match[0].replaceAll('_', '')
    if (float !== null) return { line: this.line, type: 'float', value: match[0], number: Number(digits) }
    const exact = BigInt(/^0+$/.test(digits) ? '0' : digits.toLowerCase())
    const safe = exact <= BigInt(Number.MAX_SAFE_INTEGER)
    return { line: this.line, type: 'integer', value: match[0], number: safe ? Number(exact) : exact }
  }

  private name(): Token | undefined {
    const match = this.match(NAME)
    if (match === null) return undefined
    if (!IDENTIFIER.test(match[0])) throw syntaxError('Invalid character in identifier', this.line)
    this.at += match[0].length
    return { line: this.line, type: 'name', value: match[0] }
  }

  private string(): Token | undefined {
    const match = this.match(STRING)
    if (match === null) return undefined
    const line = this.line
    const inner = match[0].slice(1, -1)
    const unescaped = unescapeString(inner)
    if ('error' in unescaped) throw syntaxError(unescaped.error, line)
    this.advance(match[0], this.at + match[0].length)
    return { line, type: 'string', value: unescaped.text }
  }

  private operator(open: string[]): Token | undefined {
    const match = this.match(OPERATOR)
    if (match === null) return undefined
    const text = match[0]
    const closes = CLOSING[text]
    if (closes !== undefined) open.push(closes)
    else if (text === ')' || text === ']' || text === '}') {
      const expected = open.pop()
      if (expected === undefined) throw syntaxError(`unexpected '${text}'`, this.line)
      if (expected !== text) throw syntaxError(`unexpected '${text}', expected '${expected}'`, this.line)
    }
    this.at += text.length
    return { line: this.line, type: OPERATORS[text] ?? text, value: text }
  }
}

function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
