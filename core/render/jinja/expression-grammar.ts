// Jinja's expression grammar with its precedence, from tokens to syntax tree.
import { OperandGrammar } from './operand-grammar.ts'
import type { Arguments, ComparisonOperator, Expression, Filter } from './syntax-tree.ts'

const COMPARISONS = new Set(['eq', 'ne', 'lt', 'lteq', 'gt', 'gteq'])
const PRODUCTS: Readonly<Record<string, '*' | '/' | '//' | '%'>> = { mul: '*', div: '/', floordiv: '//', mod: '%' }
const TEST_ARGUMENTS = new Set(['name', 'string', 'integer', 'float', 'lparen', 'lbracket', 'lbrace'])
/** Recursive descent over a token stream; the method names follow the grammar's levels. */
export class ExpressionGrammar extends OperandGrammar {
  expression(withCondition = true): Expression {
    return this.nested(() => (withCondition ? this.conditional() : this.or()))
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
