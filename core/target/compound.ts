// Compound targets: words joined by and, or, not and parentheses, evaluated as Python would evaluate them.
import { expandNodegroup, OPERATORS } from './nodegroup.ts'
import { type Nodegroups, nobody, type TargetMinion, type TargetTest } from './target.ts'

/** Compiles one term: the letter before `@` (`undefined` for a glob), its delimiter, and the pattern. */
export type CompileTerm = (letter: string | undefined, pattern: string, delimiter: string | undefined) => TargetTest

/** Salt's letters. `R` needs a range server, which Brine has none of: like any unknown engine it matches nobody. */
const TERM = /^(?:(G|P|I|J|L|N|S|E|R|T|M)((?<=[GPIJ])[^\n])?@)?([^\n]+)\n?$/u

type Token = string | TargetTest

/**
 * A test of the words of a compound target. An expression that is not well formed matches nobody: operators at the
 * wrong place, terms without an operator between them, parentheses that do not close, an unknown engine.
 */
export function compound(words: readonly string[], nodegroups: Nodegroups, compileTerm: CompileTerm): TargetTest {
  const tokens = readTokens(words, nodegroups, compileTerm)
  if (tokens === undefined) return nobody
  const expression = new Parser(tokens).parse()
  if (expression === undefined) return nobody
  return (minion) => expression(minion) === true
}

function readTokens(
  words: readonly string[],
  nodegroups: Nodegroups,
  compileTerm: CompileTerm,
): readonly Token[] | undefined {
  const tokens: Token[] = []
  const rest = [...words].reverse()
  for (let word = rest.pop(); word !== undefined; word = rest.pop()) {
    const last = tokens.at(-1)
    if (OPERATORS.includes(word)) {
      if (last === undefined && word !== '(' && word !== 'not') return undefined
      if (last === '(' && (word === 'and' || word === 'or')) return undefined
      if (word === 'not' && last !== undefined && last !== 'and' && last !== 'or' && last !== '(') tokens.push('and')
      tokens.push(word)
      continue
    }
    const [, letter, delimiter, pattern = word] = TERM.exec(word) ?? []
    if (letter === 'R') return undefined
    if (letter === 'N') rest.push(...[...expandNodegroup(pattern, nodegroups)].reverse())
    else tokens.push(compileTerm(letter, letter === undefined ? word : pattern, delimiter))
  }
  return tokens
}

/** What a part of the expression is for one minion; `undefined` where Python would raise an error. */
type Expression = (minion: TargetMinion) => boolean | undefined

/** Python's grammar of booleans. A term followed by parentheses is a call, which fails if it is ever evaluated. */
class Parser {
  private readonly tokens: readonly Token[]
  private at = 0
  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  parse(): Expression | undefined {
    const expression = this.or()
    return this.at === this.tokens.length ? expression : undefined
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false
    this.at++
    return true
  }

  private or(): Expression | undefined {
    let left = this.and()
    while (left !== undefined && this.take('or')) {
      const first = left
      const second = this.and()
      left = second && ((minion) => decide(first(minion), true, () => second(minion)))
    }
    return left
  }

  private and(): Expression | undefined {
    let left = this.not()
    while (left !== undefined && this.take('and')) {
      const first = left
      const second = this.not()
      left = second && ((minion) => decide(first(minion), false, () => second(minion)))
    }
    return left
  }

  private not(): Expression | undefined {
    if (!this.take('not')) return this.primary()
    const operand = this.not()
    return (
      operand &&
      ((minion) => {
        const value = operand(minion)
        return value === undefined ? undefined : !value
      })
    )
  }

  private primary(): Expression | undefined {
    let expression = this.atom()
    while (expression !== undefined && this.tokens[this.at] === '(') {
      const argument = this.group()
      expression = argument && (() => undefined)
    }
    return expression
  }

  private atom(): Expression | undefined {
    const token = this.tokens[this.at]
    if (typeof token === 'function') {
      this.at++
      return token
    }
    return token === '(' ? this.group() : undefined
  }

  /** Parentheses; empty ones are Python's empty tuple, which is false. */
  private group(): Expression | undefined {
    this.at++
    if (this.take(')')) return () => false
    const inner = this.or()
    return inner !== undefined && this.take(')') ? inner : undefined
  }
}

function decide(first: boolean | undefined, settled: boolean, second: () => boolean | undefined): boolean | undefined {
  return first === undefined || first === settled ? first : second()
}
