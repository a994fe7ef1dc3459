// The tokens of a JMESPath expression.
import { parseJson, type Value } from '../../../value/index.ts'
import { PythonError } from '../python-error.ts'

/** One token; literals carry their value. */
export interface Token {
  readonly type: 'name' | 'number' | 'literal' | 'operator' | 'end'
  readonly text: string
  readonly value?: Value
  /** A name in quotes cannot be called. */
  readonly quoted?: boolean
}

const PATTERN =
  /[ \t\n\r]+|([A-Za-z_][A-Za-z0-9_]*)|(-?\d+)|("(?:[^"\\]|\\[\s\S])*")|('(?:[^'\\]|\\[\s\S])*')|(`(?:[^`\\]|\\[\s\S])*`)|(\[\?|\|\||&&|==|!=|<=|>=|[[\].*,:@&(){}|<>!])/y

/** The error of an expression that cannot be read or evaluated. */
export function jmespathError(message: string): PythonError {
  return new PythonError('ValueError', message)
}

/** The tokens in order, an end behind them. */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  let at = 0
  while (at < text.length) {
    PATTERN.lastIndex = at
    const match = PATTERN.exec(text)
    if (match === null) throw jmespathError(`Bad jmespath expression: Unknown token ${text[at]}:\n${text}`)
    at += match[0].length
    const token = tokenOf(match, text)
    if (token !== undefined) found.push(token)
  }
  found.push({ type: 'end', text: '' })
  return found
}

function tokenOf(match: RegExpExecArray, text: string): Token | undefined {
  const [, name, number, quoted, raw, literal, operator] = match
  if (name !== undefined) return { type: 'name', text: name }
  if (number !== undefined) return { type: 'number', text: number, value: Number(number) }
  if (quoted !== undefined) return { type: 'name', text: String(json(quoted, text)), quoted: true }
  if (raw !== undefined) return { type: 'literal', text: raw, value: raw.slice(1, -1).replaceAll("\\'", "'") }
  if (literal !== undefined) return { type: 'literal', text: literal, value: literalValue(literal) }
  return operator === undefined ? undefined : { type: 'operator', text: operator }
}

function json(source: string, text: string): Value {
  try {
    return parseJson(source)
  } catch {
    throw jmespathError(`Bad jmespath expression: invalid JSON in ${text}`)
  }
}

/** JSON between backticks; what is no JSON is a text, as in early versions of the language. */
function literalValue(source: string): Value {
  const inner = source.slice(1, -1).replaceAll('\\`', '`').trimStart()
  try {
    return parseJson(inner)
  } catch {
    return json(`"${inner.replaceAll('"', '\\"')}"`, source)
  }
}
