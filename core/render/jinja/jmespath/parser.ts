// Reads a JMESPath expression by precedence climbing, as the reference grammar binds.
import { type Comparator, CURRENT, type Expression } from './expression.ts'
import { jmespathError, type Token, tokens } from './tokens.ts'

const POWER: Readonly<Record<string, number>> = {
  '|': 1,
  '||': 2,
  '&&': 3,
  '==': 5,
  '!=': 5,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '[]': 9,
  '*': 20,
  '[?': 21,
  '.': 40,
  '!': 45,
  '{': 50,
  '[': 55,
  '(': 60,
}
const PROJECTION_STOP = 10
const MAX_DEPTH = 100

/** The tree of an expression. */
export function parseJmespath(text: string): Expression {
  const parser = new Parser(tokens(text), text)
  return parser.whole()
}

class Parser {
  private at = 0
  private depth = 0
  private readonly tokens: readonly Token[]
  private readonly text: string

  constructor(list: readonly Token[], text: string) {
    this.tokens = list
    this.text = text
  }

  whole(): Expression {
    const tree = this.expression(0)
    if (this.current.type !== 'end') throw this.unexpected()
    return tree
  }

  private get current(): Token {
    return this.tokens[this.at] ?? { type: 'end', text: '' }
  }

  private unexpected(): Error {
    const { text, type } = this.current
    return jmespathError(`Invalid jmespath expression: unexpected ${type === 'end' ? 'end' : text}: ${this.text}`)
  }

  private next(): Token {
    const token = this.current
    this.at++
    return token
  }

  private is(text: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead]
    return token?.type === 'operator' && token.text === text
  }

  private expect(text: string): void {
    if (!this.is(text)) throw this.unexpected()
    this.at++
  }

  private power(): number {
    if (this.current.type !== 'operator') return 0
    if (this.is('[') && this.is(']', 1)) return POWER['[]'] ?? 0
    return POWER[this.current.text] ?? 0
  }

  private expression(least: number): Expression {
    if (++this.depth > MAX_DEPTH) throw jmespathError(`Invalid jmespath expression: nested too deep: ${this.text}`)
    let left = this.prefix()
    while (this.power() > least) left = this.infix(left)
    this.depth--
    return left
  }

  private prefix(): Expression {
    const token = this.next()
    if (token.type === 'literal') return { kind: 'literal', value: token.value ?? null }
    if (token.type === 'name') {
      if (this.is('(') && token.quoted !== true) return this.call(token.text)
      return { kind: 'field', name: token.text }
    }
    switch (token.type === 'operator' ? token.text : '') {
      case '@':
        return CURRENT
      case '*':
        return { kind: 'values', of: CURRENT, each: this.projected(POWER['*'] ?? 0) }
      case '!':
        return { kind: 'not', of: this.expression(POWER['!'] ?? 0) }
      case '&':
        return { kind: 'reference', of: this.expression(0) }
      case '(': {
        const inner = this.expression(0)
        this.expect(')')
        return inner
      }
      case '{':
        return this.map()
      case '[?':
        return this.filter(CURRENT)
      case '[':
        return this.bracket(CURRENT, true)
      default:
        this.at--
        throw this.unexpected()
    }
  }

  private infix(left: Expression): Expression {
    const { text } = this.next()
    switch (text) {
      case '.':
        return this.dot(left)
      case '|':
        return { kind: 'pipe', left, right: this.expression(POWER['|'] ?? 0) }
      case '||':
        return { kind: 'or', left, right: this.expression(POWER['||'] ?? 0) }
      case '&&':
        return { kind: 'and', left, right: this.expression(POWER['&&'] ?? 0) }
      case '[?':
        return this.filter(left)
      case '[':
        return this.bracket(left, false)
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return { kind: 'compare', operator: text as Comparator, left, right: this.expression(POWER[text] ?? 0) }
      default:
        this.at--
        throw this.unexpected()
    }
  }

  private dot(left: Expression): Expression {
    if (this.is('*')) {
      this.at++
      return { kind: 'values', of: left, each: this.projected(POWER['.'] ?? 0) }
    }
    return { kind: 'chain', left, right: this.afterDot(POWER['.'] ?? 0) }
  }

  private afterDot(power: number): Expression {
    if (this.current.type === 'name' || this.is('*')) return this.expression(power)
    if (this.is('[')) {
      this.at++
      return this.list()
    }
    if (this.is('{')) {
      this.at++
      return this.map()
    }
    throw this.unexpected()
  }

  /** What a projection applies to each element: everything that binds tighter than a pipe. */
  private projected(power: number): Expression {
    if (this.power() < PROJECTION_STOP) return CURRENT
    if (this.is('[') || this.is('[?')) return this.expression(power)
    this.expect('.')
    return this.afterDot(power)
  }

  private filter(left: Expression): Expression {
    const test = this.expression(0)
    this.expect(']')
    const each = this.is('[') && this.is(']', 1) ? CURRENT : this.projected(POWER['[?'] ?? 0)
    return { kind: 'filter', of: left, test, each }
  }

  /** Behind `[`: an index, a slice, `*`, nothing, or at the beginning a list of expressions. */
  private bracket(left: Expression, begins: boolean): Expression {
    if (this.current.type === 'number' || this.is(':')) return this.indexOrSlice(left)
    if (this.is(']')) {
      this.at++
      return { kind: 'project', of: { kind: 'flatten', of: left }, each: this.projected(POWER['[]'] ?? 0) }
    }
    if (this.is('*') && this.is(']', 1)) {
      this.at += 2
      return { kind: 'project', of: left, each: this.projected(POWER['*'] ?? 0) }
    }
    if (!begins) throw this.unexpected()
    return this.list()
  }

  private indexOrSlice(left: Expression): Expression {
    const parts: (number | undefined)[] = [undefined]
    while (!this.is(']')) {
      if (this.is(':')) {
        this.at++
        parts.push(undefined)
      } else if (this.current.type === 'number') parts[parts.length - 1] = Number(this.next().text)
      else throw this.unexpected()
    }
    this.at++
    const [start, stop, step] = parts
    if (parts.length === 1) return { kind: 'chain', left, right: { kind: 'index', index: start ?? 0 } }
    if (parts.length > 3) throw this.unexpected()
    const slice: Expression = {
      kind: 'slice',
      ...(start === undefined ? {} : { start }),
      ...(stop === undefined ? {} : { stop }),
      ...(step === undefined ? {} : { step }),
    }
    return { kind: 'project', of: { kind: 'chain', left, right: slice }, each: this.projected(POWER['*'] ?? 0) }
  }

  private list(): Expression {
    const items = [this.expression(0)]
    while (this.is(',')) {
      this.at++
      items.push(this.expression(0))
    }
    this.expect(']')
    return { kind: 'list', items }
  }

  private map(): Expression {
    const pairs: [string, Expression][] = []
    for (;;) {
      const key = this.next()
      if (key.type !== 'name') throw jmespathError(`Invalid jmespath expression: a key was expected: ${this.text}`)
      this.expect(':')
      pairs.push([key.text, this.expression(0)])
      if (this.is('}')) break
      this.expect(',')
    }
    this.at++
    return { kind: 'map', pairs }
  }

  private call(name: string): Expression {
    this.at++
    const args: Expression[] = []
    while (!this.is(')')) {
      args.push(this.expression(0))
      if (this.is(',')) this.at++
      else if (!this.is(')')) throw this.unexpected()
    }
    this.at++
    return { kind: 'call', name, args }
  }
}
