// Jinja's expression grammar with its precedence, from tokens to syntax tree.
import { stringRepr } from '../../value/index.ts'
import type {
  Arguments,
  ComparisonOperator,
  Const,
  Expression,
  Filter,
  GetAttribute,
  GetItem,
  Name,
  NamespaceRef,
  Slice,
} from './syntax-tree.ts'
import { describeToken, syntaxError, type TokenStream } from './token.ts'

const COMPARISONS = new Set(['eq', 'ne', 'lt', 'lteq', 'gt', 'gteq'])
const PRODUCTS: Readonly<Record<string, '*' | '/' | '//' | '%'>> = { mul: '*', div: '/', floordiv: '//', mod: '%' }
const TEST_ARGUMENTS = new Set(['name', 'string', 'integer', 'float', 'lparen', 'lbracket', 'lbrace'])
/** How deep expressions may nest; Python gives up earlier. */
const MAX_DEPTH = 200

/** How {@link ExpressionGrammar.tuple} reads; the names are Jinja's. */
export interface TupleOptions {
  readonly simplified?: boolean
  readonly withoutCondition?: boolean
  readonly explicitParentheses?: boolean
  readonly withNamespace?: boolean
}

/** Recursive descent over a token stream; the method names follow the grammar's levels. */
export class ExpressionGrammar {
  protected readonly stream: TokenStream
  private depth = 0

  constructor(stream: TokenStream) {
    this.stream = stream
  }

  expression(withCondition = true): Expression {
    if (++this.depth > MAX_DEPTH) throw this.fail('expression nested too deep')
    const result = withCondition ? this.conditional() : this.or()
    this.depth--
    return result
  }

  protected fail(message: string, line = this.stream.current.line): Error {
    return syntaxError(message, line)
  }

  private conditional(): Expression {
    let line = this.stream.current.line
    let result = this.or()
    while (this.stream.skipIf('name:if')) {
      const test = this.or()
      const otherwise = this.stream.skipIf('name:else') ? this.nested(() => this.conditional()) : undefined
      result = { kind: 'conditional', line, test, value: result, otherwise }
      line = this.stream.current.line
    }
    return result
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw this.fail('expression nested too deep')
    const result = read()
    this.depth--
    return result
  }

  private or(): Expression {
    let line = this.stream.current.line
    let left = this.and()
    while (this.stream.skipIf('name:or')) {
      left = { kind: 'or', line, left, right: this.and() }
      line = this.stream.current.line
    }
    return left
  }

  private and(): Expression {
    let line = this.stream.current.line
    let left = this.not()
    while (this.stream.skipIf('name:and')) {
      left = { kind: 'and', line, left, right: this.not() }
      line = this.stream.current.line
    }
    return left
  }

  private not(): Expression {
    if (!this.stream.test('name:not')) return this.compare()
    const { line } = this.stream.next()
    return { kind: 'unary', line, operator: 'not', operand: this.nested(() => this.not()) }
  }

  private compare(): Expression {
    let line = this.stream.current.line
    const first = this.sum()
    const rest: { operator: ComparisonOperator; operand: Expression }[] = []
    for (;;) {
      const { type } = this.stream.current
      let operator: ComparisonOperator
      if (COMPARISONS.has(type)) {
        this.stream.next()
        operator = type as ComparisonOperator
      } else if (this.stream.skipIf('name:in')) operator = 'in'
      else if (this.stream.test('name:not') && this.stream.lookTest('name:in')) {
        this.stream.next()
        this.stream.next()
        operator = 'notin'
      } else break
      rest.push({ operator, operand: this.sum() })
      line = this.stream.current.line
    }
    return rest.length === 0 ? first : { kind: 'compare', line, first, rest }
  }

  private sum(): Expression {
    let line = this.stream.current.line
    let left = this.concat()
    while (this.stream.current.type === 'add' || this.stream.current.type === 'sub') {
      const operator = this.stream.next().type === 'add' ? '+' : '-'
      left = { kind: 'binary', line, operator, left, right: this.concat() }
      line = this.stream.current.line
    }
    return left
  }

  private concat(): Expression {
    const { line } = this.stream.current
    const items = [this.product()]
    while (this.stream.skipIf('tilde')) items.push(this.product())
    const [only] = items
    return only !== undefined && items.length === 1 ? only : { kind: 'concat', line, items }
  }

  private product(): Expression {
    let line = this.stream.current.line
    let left = this.power()
    for (;;) {
      const operator = PRODUCTS[this.stream.current.type]
      if (operator === undefined) return left
      this.stream.next()
      left = { kind: 'binary', line, operator, left, right: this.power() }
      line = this.stream.current.line
    }
  }

  private power(): Expression {
    let line = this.stream.current.line
    let left = this.unary(true)
    while (this.stream.skipIf('pow')) {
      left = { kind: 'binary', line, operator: '**', left, right: this.unary(true) }
      line = this.stream.current.line
    }
    return left
  }

  private unary(withFilter: boolean): Expression {
    const { type, line } = this.stream.current
    let node: Expression
    if (type === 'sub' || type === 'add') {
      this.stream.next()
      const operand = this.nested(() => this.unary(false))
      node = { kind: 'unary', line, operator: type === 'sub' ? '-' : '+', operand }
    } else node = this.primary()
    node = this.postfix(node)
    return withFilter ? this.filters(node) : node
  }

  primary(withNamespace = false): Expression {
    const token = this.stream.current
    const { line } = token
    switch (token.type) {
      case 'name':
        return this.name(withNamespace)
      case 'string': {
        this.stream.next()
        let value = token.value
        while (this.stream.current.type === 'string') value += this.stream.next().value
        return { kind: 'const', line, value }
      }
      case 'integer':
      case 'float':
        this.stream.next()
        return { kind: 'const', line, value: token.number ?? 0, ...(token.type === 'float' ? { float: true } : {}) }
      case 'lparen': {
        this.stream.next()
        const node = this.nested(() => this.tuple({ explicitParentheses: true }))
        this.stream.expect('rparen')
        return node
      }
      case 'lbracket':
        return this.list()
      case 'lbrace':
        return this.dict()
      default:
        throw this.fail(`unexpected ${stringRepr(describeToken(token))}`, line)
    }
  }

  private name(withNamespace: boolean): Const | Name | NamespaceRef {
    const { value, line } = this.stream.next()
    if (value === 'true' || value === 'True') return { kind: 'const', line, value: true }
    if (value === 'false' || value === 'False') return { kind: 'const', line, value: false }
    if (value === 'none' || value === 'None') return { kind: 'const', line, value: null }
    if (withNamespace && this.stream.skipIf('dot')) {
      return { kind: 'nsref', line, name: value, attribute: this.stream.expect('name').value }
    }
    return { kind: 'name', line, name: value, use: 'load' }
  }

  tuple(options: TupleOptions = {}): Expression {
    let line = this.stream.current.line
    const items: Expression[] = []
    let isTuple = false
    for (;;) {
      if (items.length > 0) this.stream.expect('comma')
      if (this.atTupleEnd()) break
      items.push(
        options.simplified === true
          ? this.primary(options.withNamespace ?? false)
          : this.expression(options.withoutCondition !== true),
      )
      if (this.stream.current.type !== 'comma') break
      isTuple = true
      line = this.stream.current.line
    }
    if (!isTuple) {
      const [only] = items
      if (only !== undefined) return only
      if (options.explicitParentheses !== true) {
        throw this.fail(`Expected an expression, got ${stringRepr(describeToken(this.stream.current))}`)
      }
    }
    return { kind: 'tuple', line, items }
  }

  private atTupleEnd(): boolean {
    const { type } = this.stream.current
    return type === 'variable_end' || type === 'block_end' || type === 'rparen'
  }

  private list(): Expression {
    const { line } = this.stream.expect('lbracket')
    const items: Expression[] = []
    while (this.stream.current.type !== 'rbracket') {
      if (items.length > 0) this.stream.expect('comma')
      if (this.stream.current.type === 'rbracket') break
      items.push(this.expression())
    }
    this.stream.expect('rbracket')
    return { kind: 'list', line, items }
  }

  private dict(): Expression {
    const { line } = this.stream.expect('lbrace')
    const pairs: [Expression, Expression][] = []
    while (this.stream.current.type !== 'rbrace') {
      if (pairs.length > 0) this.stream.expect('comma')
      if (this.stream.current.type === 'rbrace') break
      const key = this.expression()
      this.stream.expect('colon')
      pairs.push([key, this.expression()])
    }
    this.stream.expect('rbrace')
    return { kind: 'dict', line, pairs }
  }

  private postfix(start: Expression): Expression {
    let node = start
    for (;;) {
      const { type } = this.stream.current
      if (type === 'dot' || type === 'lbracket') node = this.subscript(node)
      else if (type === 'lparen') node = this.call(node)
      else return node
    }
  }

  private filters(start: Expression): Expression {
    let node = start
    for (;;) {
      const { type, value } = this.stream.current
      if (type === 'pipe') node = this.filter(node)
      else if (type === 'name' && value === 'is') node = this.test(node)
      else if (type === 'lparen') node = this.call(node)
      else return node
    }
  }

  private call(callee: Expression): Expression {
    const { line } = this.stream.current
    return { kind: 'call', line, callee, ...this.arguments() }
  }

  private subscript(object: Expression): GetAttribute | GetItem {
    const { type, line } = this.stream.next()
    if (type === 'dot') {
      const token = this.stream.next()
      if (token.type === 'name') return { kind: 'attribute', line, object, name: token.value }
      if (token.type !== 'integer') throw this.fail('expected name or number', token.line)
      return { kind: 'item', line, object, key: { kind: 'const', line: token.line, value: token.number ?? 0 } }
    }
    const keys: Expression[] = []
    while (this.stream.current.type !== 'rbracket') {
      if (keys.length > 0) this.stream.expect('comma')
      keys.push(this.subscribed())
    }
    this.stream.expect('rbracket')
    const [only] = keys
    const key: Expression = only !== undefined && keys.length === 1 ? only : { kind: 'tuple', line, items: keys }
    return { kind: 'item', line, object, key }
  }

  private subscribed(): Expression {
    const { line } = this.stream.current
    let start: Expression | undefined
    if (this.stream.current.type !== 'colon') {
      start = this.expression()
      if (this.stream.current.type !== 'colon') return start
    }
    this.stream.next()
    let stop: Expression | undefined
    if (!this.atSliceEnd()) stop = this.expression()
    let step: Expression | undefined
    if (this.stream.skipIf('colon') && !this.atSliceEnd()) step = this.expression()
    return { kind: 'slice', line, start, stop, step } satisfies Slice
  }

  private atSliceEnd(): boolean {
    const { type } = this.stream.current
    return type === 'colon' || type === 'rbracket' || type === 'comma'
  }

  arguments(): Arguments {
    const { line } = this.stream.expect('lparen')
    const args: Expression[] = []
    const kwargs: { name: string; value: Expression }[] = []
    let dynArgs: Expression | undefined
    let dynKwargs: Expression | undefined
    const ensure = (holds: boolean): void => {
      if (!holds) throw this.fail('invalid syntax for function call expression', line)
    }
    let more = false
    while (this.stream.current.type !== 'rparen') {
      if (more) {
        this.stream.expect('comma')
        if (this.stream.current.type === 'rparen') break
      }
      if (this.stream.current.type === 'mul') {
        ensure(dynArgs === undefined && dynKwargs === undefined)
        this.stream.next()
        dynArgs = this.expression()
      } else if (this.stream.current.type === 'pow') {
        ensure(dynKwargs === undefined)
        this.stream.next()
        dynKwargs = this.expression()
      } else if (this.stream.current.type === 'name' && this.stream.look().type === 'assign') {
        ensure(dynKwargs === undefined)
        const name = this.stream.next().value
        this.stream.next()
        kwargs.push({ name, value: this.expression() })
      } else {
        ensure(dynArgs === undefined && dynKwargs === undefined && kwargs.length === 0)
        args.push(this.expression())
      }
      more = true
    }
    this.stream.expect('rparen')
    return { args, kwargs, dynArgs, dynKwargs }
  }

  private dottedName(): string {
    let name = this.stream.expect('name').value
    while (this.stream.skipIf('dot')) name += `.${this.stream.expect('name').value}`
    return name
  }

  private optionalArguments(): Arguments {
    if (this.stream.current.type === 'lparen') return this.arguments()
    return { args: [], kwargs: [], dynArgs: undefined, dynKwargs: undefined }
  }

  private filter(input: Expression): Filter {
    return this.filterChain(input, false) as Filter
  }

  /** Reads `|a|b(…)` behind `input`; with `inline` the first name stands without its bar. */
  filterChain(input: Expression | undefined, inline: boolean): Filter | undefined {
    let node = input
    let first = inline
    while (this.stream.current.type === 'pipe' || first) {
      if (!first) this.stream.next()
      first = false
      const { line } = this.stream.current
      node = { kind: 'filter', line, input: node, name: this.dottedName(), ...this.optionalArguments() }
    }
    return node as Filter | undefined
  }

  private test(input: Expression): Expression {
    const { line } = this.stream.next()
    const negated = this.stream.skipIf('name:not')
    const name = this.dottedName()
    let given: Arguments
    if (this.stream.current.type !== 'lparen' && this.takesBareArgument()) {
      if (this.stream.test('name:is')) throw this.fail('You cannot chain multiple tests with is')
      given = { args: [this.postfix(this.primary())], kwargs: [], dynArgs: undefined, dynKwargs: undefined }
    } else given = this.optionalArguments()
    const node: Expression = { kind: 'test', line, input, name, ...given }
    return negated ? { kind: 'unary', line, operator: 'not', operand: node } : node
  }

  private takesBareArgument(): boolean {
    const { type, value } = this.stream.current
    if (!TEST_ARGUMENTS.has(type)) return false
    return !(type === 'name' && (value === 'else' || value === 'or' || value === 'and'))
  }
}
