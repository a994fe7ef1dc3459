// Compiles expressions to closures.
import { float, stringRepr } from '../../value/index.ts'
import type { Activation, Evaluate } from './activation.ts'
import { callDatum, callMethod } from './call.ts'
import { order } from './compare.ts'
import { type CompiledArguments, compileArguments } from './compile-arguments.ts'
import { type Compilation, type CompileFrame, readVariable } from './compile-frame.ts'
import { type Datum, equal, TemplateObject, truth, tuple } from './datum.ts'
import { newDict } from './dict.ts'
import { FILTERS } from './filters.ts'
import { contains } from './iterate.ts'
import { attributeOf, isDictMethod, itemOf, methodOf, sliceOf } from './lookup.ts'
import { nearest } from './nearest.ts'
import { binary, unary } from './operators.ts'
import { PythonError } from './python-error.ts'
import { concat } from './rope.ts'
import type * as Tree from './syntax-tree.ts'
import { TESTS } from './tests.ts'
import { Rope } from './text-object.ts'
import { syntaxError } from './token.ts'
import { Undefined } from './undefined.ts'

type Expression = Tree.Expression

/** Compiles the expressions of one template in one mode. */
export class ExpressionCompiler {
  readonly compilation: Compilation

  constructor(compilation: Compilation) {
    this.compilation = compilation
  }

  /**
   * The closure of an expression. `plain` says that only the characters matter, so that string literals need not be
   * structure.
   */
  compile(node: Expression, frame: CompileFrame, plain = false): Evaluate {
    switch (node.kind) {
      case 'const':
        return this.constant(node, plain)
      case 'name':
        return this.name(node.name, frame)
      case 'tuple':
      case 'list':
        return this.sequence(node, frame, plain)
      case 'dict':
        return this.dict(node, frame)
      case 'binary':
        return this.binary(node, frame)
      case 'and':
      case 'or':
        return this.logic(node, frame, plain)
      case 'unary':
        return this.unary(node, frame)
      case 'concat':
        return this.concat(node, frame)
      case 'compare':
        return this.compare(node, frame)
      case 'conditional':
        return this.conditional(node, frame, plain)
      case 'attribute':
        return this.attribute(node, frame)
      case 'item':
        return this.item(node, frame)
      case 'call':
        return this.call(node, frame)
      case 'filter':
        return this.filter(node, frame, undefined)
      case 'test':
        return this.test(node, frame)
      case 'slice':
        throw syntaxError('invalid syntax', node.line)
      case 'nsref':
        return this.name(node.name, frame)
    }
  }

  private constant(node: Tree.Const, plain: boolean): Evaluate {
    if (typeof node.value === 'string' && !plain && this.compilation.mode === 'holes') {
      const rope = new Rope(node.value, [])
      return () => rope
    }
    const value = node.float === true ? float(Number(node.value)) : node.value
    return () => value
  }

  private name(name: string, frame: CompileFrame): Evaluate {
    const variable = frame.symbols.ref(name)
    const missing = { name }
    if (variable.owner === frame.symbols.scope) {
      const { slot } = variable
      return (activation) => {
        const value = activation.slots[slot]
        return value === undefined ? activation.run.undefined(missing) : value
      }
    }
    const read = readVariable(frame.symbols.scope, variable)
    return (activation) => {
      const value = read(activation)
      return value === undefined ? activation.run.undefined(missing) : value
    }
  }

  private sequence(node: Tree.Sequence, frame: CompileFrame, plain: boolean): Evaluate {
    const items = node.items.map((item) => this.compile(item, frame, plain))
    if (node.kind === 'tuple') return (activation) => tuple(items.map((item) => item(activation)))
    return (activation) => {
      const list: Datum[] = []
      for (const item of items) list.push(item(activation))
      return list
    }
  }

  private dict(node: Tree.DictLiteral, frame: CompileFrame): Evaluate {
    const pairs = node.pairs.map(
      ([key, value]) => [this.compile(key, frame, true), this.compile(value, frame)] as const,
    )
    return (activation) => newDict(pairs.map(([key, value]) => [key(activation), value(activation)] as const))
  }

  private binary(node: Tree.Binary, frame: CompileFrame): Evaluate {
    const { operator } = node
    const left = this.compile(node.left, frame)
    const right = this.compile(node.right, frame)
    return (activation) => binary(operator, left(activation), right(activation), activation.run)
  }

  private logic(node: Tree.Logic, frame: CompileFrame, plain: boolean): Evaluate {
    const left = this.compile(node.left, frame, plain)
    const right = this.compile(node.right, frame, plain)
    if (node.kind === 'and') {
      return (activation) => {
        const value = left(activation)
        return truth(value) ? right(activation) : value
      }
    }
    return (activation) => {
      const value = left(activation)
      return truth(value) ? value : right(activation)
    }
  }

  private unary(node: Tree.Unary, frame: CompileFrame): Evaluate {
    const { operator } = node
    const operand = this.compile(node.operand, frame, operator === 'not')
    if (operator === 'not') return (activation) => !truth(operand(activation))
    return (activation) => unary(operator, operand(activation))
  }

  private concat(node: Tree.Concat, frame: CompileFrame): Evaluate {
    const items = node.items.map((item) => this.compile(item, frame))
    return (activation) =>
      concat(
        items.map((item) => item(activation)),
        activation.run,
      )
  }

  private compare(node: Tree.Compare, frame: CompileFrame): Evaluate {
    const first = this.compile(node.first, frame, true)
    const rest = node.rest.map(({ operator, operand }) => ({
      test: comparison(operator),
      operand: this.compile(operand, frame, true),
    }))
    const [only] = rest
    if (only !== undefined && rest.length === 1) {
      const { test, operand } = only
      return (activation) => test(first(activation), operand(activation), activation)
    }
    return (activation) => {
      let left = first(activation)
      for (const { test, operand } of rest) {
        const right = operand(activation)
        if (!test(left, right, activation)) return false
        left = right
      }
      return true
    }
  }

  private conditional(node: Tree.Conditional, frame: CompileFrame, plain: boolean): Evaluate {
    const soft = frame.softened()
    const test = this.compile(node.test, soft, true)
    const then = this.compile(node.value, soft, plain)
    if (node.otherwise === undefined) {
      const { name } = this.compilation.template
      const where = name === undefined ? `line ${node.line}` : `line ${node.line} in ${stringRepr(name)}`
      const hint = `the inline if-expression on ${where} evaluated to false and no else section was defined.`
      const missing = new Undefined({ hint }, false)
      return (activation) => (truth(test(activation)) ? then(activation) : missing)
    }
    const otherwise = this.compile(node.otherwise, soft, plain)
    return (activation) => (truth(test(activation)) ? then(activation) : otherwise(activation))
  }

  private attribute(node: Tree.GetAttribute, frame: CompileFrame): Evaluate {
    const { name } = node
    const object = this.compile(node.object, frame)
    if (isDictMethod(name)) return (activation) => attributeOf(object(activation), name, activation.run)
    return (activation) => {
      const from = object(activation)
      if (typeof from === 'object' && from !== null) {
        const prototype: unknown = Object.getPrototypeOf(from)
        if (prototype === Object.prototype && Object.hasOwn(from, name)) {
          const found = (from as { [key: string]: Datum })[name]
          if (found !== undefined) return found
        }
      }
      return attributeOf(from, name, activation.run)
    }
  }

  private item(node: Tree.GetItem, frame: CompileFrame): Evaluate {
    const object = this.compile(node.object, frame)
    if (node.key.kind === 'slice') {
      const bounds = [node.key.start, node.key.stop, node.key.step].map((part) =>
        part === undefined ? () => null : this.compile(part, frame, true),
      )
      const [start, stop, step] = bounds
      return (activation) =>
        sliceOf(
          object(activation),
          start?.(activation) ?? null,
          stop?.(activation) ?? null,
          step?.(activation) ?? null,
          activation.run,
        )
    }
    const key = this.compile(node.key, frame, true)
    return (activation) => itemOf(object(activation), key(activation), activation.run)
  }

  private call(node: Tree.Call, frame: CompileFrame): Evaluate {
    return this.callWith(node, frame, undefined)
  }

  /** A call; with `caller` the callee gets that macro as its `caller`. */
  callWith(node: Tree.Call, frame: CompileFrame, caller: Evaluate | undefined): Evaluate {
    const args = compileArguments(this, node, frame, caller)
    const { callee } = node
    if (callee.kind === 'attribute') return this.methodCall(callee, args, frame)
    const target = this.compile(callee, frame)
    return (activation) => {
      const called = target(activation)
      return callDatum(called, args.args(activation), args.kwargs(activation), activation.run)
    }
  }

  private methodCall(callee: Tree.GetAttribute, args: CompiledArguments, frame: CompileFrame): Evaluate {
    const { name } = callee
    const object = this.compile(callee.object, frame)
    return (activation) => {
      const self = object(activation)
      const { run } = activation
      const method = self instanceof TemplateObject ? undefined : methodOf(self, name, run)
      if (method !== undefined) return callMethod(self, method, args.args(activation), args.kwargs(activation), run)
      const called = attributeOf(self, name, run)
      return callDatum(called, args.args(activation), args.kwargs(activation), run)
    }
  }

  /** A filter; `captured` gives its input where the filter stands without one. */
  filter(node: Tree.Filter, frame: CompileFrame, captured: Evaluate | undefined): Evaluate {
    const filter = FILTERS.get(node.name)
    const input =
      node.input === undefined
        ? (captured ?? ((activation: Activation) => activation.run.undefined({ name: node.name })))
        : node.input.kind === 'filter' && captured !== undefined
          ? this.filter(node.input, frame, captured)
          : this.compile(node.input, frame, filter?.plain ?? false)
    if (filter === undefined) {
      const fail = unknown('filter', node.name, node.line, frame.soft, FILTERS.keys())
      return () => {
        throw fail()
      }
    }
    const args = compileArguments(this, node, frame, undefined, filter.plain)
    const { apply } = filter
    return (activation) =>
      apply(input(activation), args.args(activation), args.kwargs(activation), activation.run, activation)
  }

  private test(node: Tree.Test, frame: CompileFrame): Evaluate {
    const test = TESTS.get(node.name)
    const input = this.compile(node.input, frame, true)
    if (test === undefined) {
      const fail = unknown('test', node.name, node.line, frame.soft, TESTS.keys())
      return () => {
        throw fail()
      }
    }
    const args = compileArguments(this, node, frame, undefined, true)
    if (node.args.length === 0 && args.empty) {
      return (activation) => test.apply(input(activation), [], args.kwargs(activation), activation.run)
    }
    return (activation) => test.apply(input(activation), args.args(activation), args.kwargs(activation), activation.run)
  }
}

/** Jinja refuses unknown filters when it compiles, unless they stand where they may not be reached. */
function unknown(
  kind: 'filter' | 'test',
  name: string,
  line: number,
  soft: boolean,
  known: Iterable<string>,
): () => PythonError {
  const near = nearest(name, known)
  const advice = near === undefined ? undefined : `The nearest ${kind} is '${near}'.`
  if (soft) return () => new PythonError('TemplateRuntimeError', `No ${kind} named ${stringRepr(name)} found.`, advice)
  const error = new PythonError('TemplateSyntaxError', `No ${kind} named ${stringRepr(name)}.`, advice)
  error.saltLine = line
  throw error
}

function comparison(operator: Tree.ComparisonOperator): (a: Datum, b: Datum, activation: Activation) => boolean {
  switch (operator) {
    case 'eq':
      return equal
    case 'ne':
      return (a, b) => !equal(a, b)
    case 'lt':
      return (a, b) => order(a, b, '<')
    case 'lteq':
      return (a, b) => order(a, b, '<=')
    case 'gt':
      return (a, b) => order(a, b, '>')
    case 'gteq':
      return (a, b) => order(a, b, '>=')
    case 'in':
      return (a, b, { run }) => contains(b, a, run)
    case 'notin':
      return (a, b, { run }) => !contains(b, a, run)
  }
}
