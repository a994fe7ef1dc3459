// Jinja's operands: literals, names, tuples, lists, maps, and what follows them: attributes, items, calls.
import { stringRepr } from '../../value/index.ts'
import type { Arguments, Const, Expression, GetAttribute, GetItem, Name, NamespaceRef, Slice } from './syntax-tree.ts'
import { describeToken, syntaxError, type TokenStream } from './token.ts'

/** How deep expressions may nest; Python gives up earlier. */
const MAX_DEPTH = 200

/** How {@link OperandGrammar.tuple} reads; the names are Jinja's. */
export interface TupleOptions {
  readonly simplified?: boolean
  readonly withoutCondition?: boolean
  readonly explicitParentheses?: boolean
  readonly withNamespace?: boolean
}

/** The part of the grammar below the operators. */
export abstract class OperandGrammar {
  protected readonly stream: TokenStream
  private depth = 0

  constructor(stream: TokenStream) {
    this.stream = stream
  }

  /** A whole expression. */
  abstract expression(withCondition?: boolean): Expression

  protected fail(message: string, line = this.stream.current.line): Error {
    return syntaxError(message, line)
  }

  protected nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw this.fail('expression nested too deep')
    const result = read()
    this.depth--
    return result
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

  protected postfix(start: Expression): Expression {
    let node = start
    for (;;) {
      const { type } = this.stream.current
      if (type === 'dot' || type === 'lbracket') node = this.subscript(node)
      else if (type === 'lparen') node = this.call(node)
      else return node
    }
  }

  protected call(callee: Expression): Expression {
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
}
