// The tokens of a template, their names as Jinja's messages print them, and the stream the parser walks.
import { stringRepr } from '../../value/index.ts'
import { PythonError } from './python-error.ts'

/** What a token is: an operator by Jinja's name, or one of the rest. */
export type TokenType = string

/** A token of the lexer: its kind, its characters and its line. */
export interface Token {
  readonly line: number
  readonly type: TokenType
  /** The characters, a string's with its escapes resolved. */
  readonly value: string
  /** An integer's or float's value; integers may be bigint. */
  readonly number?: number | bigint
  /** Thrown when the stream gets here: Jinja reads no further than it parses. */
  readonly error?: PythonError
}

/** Jinja's names of the operators. */
export const OPERATORS: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '/': 'div',
  '//': 'floordiv',
  '*': 'mul',
  '%': 'mod',
  '**': 'pow',
  '~': 'tilde',
  '[': 'lbracket',
  ']': 'rbracket',
  '(': 'lparen',
  ')': 'rparen',
  '{': 'lbrace',
  '}': 'rbrace',
  '==': 'eq',
  '!=': 'ne',
  '>': 'gt',
  '>=': 'gteq',
  '<': 'lt',
  '<=': 'lteq',
  '=': 'assign',
  '.': 'dot',
  ':': 'colon',
  '|': 'pipe',
  ',': 'comma',
  ';': 'semicolon',
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(OPERATORS).map(([text, name]) => [name, text])),
  block_begin: 'begin of statement block',
  block_end: 'end of statement block',
  variable_begin: 'begin of print statement',
  variable_end: 'end of print statement',
  data: 'template data / text',
  eof: 'end of template',
}

/** How messages name a token: a name by itself, an operator by its characters. */
export function describeToken(token: Token): string {
  return token.type === 'name' ? token.value : describeType(token.type)
}

/** How messages name what was expected: `name:endif` as `endif`. */
export function describeExpected(expression: string): string {
  const colon = expression.indexOf(':')
  if (colon < 0) return describeType(expression)
  const type = expression.slice(0, colon)
  return type === 'name' ? expression.slice(colon + 1) : describeType(type)
}

function describeType(type: string): string {
  return Object.hasOwn(DESCRIPTIONS, type) ? (DESCRIPTIONS[type] ?? type) : type
}

/** A syntax error at a line, in Jinja's words. */
export function syntaxError(message: string, line: number): PythonError {
  const error = new PythonError('TemplateSyntaxError', message)
  error.saltLine = line
  return error
}

/** Tokens one after the other, with one token of look-ahead beyond the current. */
export class TokenStream {
  current: Token
  private readonly tokens: readonly Token[]
  private at = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
    this.current = tokens[0] ?? { line: 1, type: 'eof', value: '' }
    if (this.current.error !== undefined) throw this.current.error
  }

  /** The current token; the stream then stands on the one after it. */
  next(): Token {
    const token = this.current
    if (token.type !== 'eof') {
      this.at++
      this.current = this.tokens[this.at] ?? { line: token.line, type: 'eof', value: '' }
      if (this.current.error !== undefined) throw this.current.error
    }
    return token
  }

  look(): Token {
    const token = this.tokens[this.at + 1] ?? { line: this.current.line, type: 'eof', value: '' }
    if (token.error !== undefined) throw token.error
    return token
  }

  /** Whether the current token is of the type, or as in `name:endif` of type and value. */
  test(expression: string): boolean {
    return matches(this.current, expression)
  }

  lookTest(expression: string): boolean {
    return matches(this.look(), expression)
  }

  skipIf(expression: string): boolean {
    if (!this.test(expression)) return false
    this.next()
    return true
  }

  expect(expression: string): Token {
    if (this.test(expression)) return this.next()
    const expected = stringRepr(describeExpected(expression))
    if (this.current.type === 'eof') {
      throw syntaxError(`unexpected end of template, expected ${expected}.`, this.current.line)
    }
    const got = stringRepr(describeToken(this.current))
    throw syntaxError(`expected token ${expected}, got ${got}`, this.current.line)
  }
}

function matches(token: Token, expression: string): boolean {
  if (token.type === expression) return true
  const colon = expression.indexOf(':')
  return colon > 0 && token.type === expression.slice(0, colon) && token.value === expression.slice(colon + 1)
}
