// Compiles the arguments of calls, filters and tests.
import type { Activation, Evaluate } from './activation.ts'
import type { ExpressionCompiler } from './compile-expression.ts'
import type { CompileFrame } from './compile-frame.ts'
import { type Datum, isDict, type Kwargs, NO_KWARGS, textOf, typeName } from './datum.ts'
import { dictPairs } from './dict.ts'
import { collect, isIterable } from './iterate.ts'
import { typeError } from './python-error.ts'
import type { Arguments } from './syntax-tree.ts'

/** Positional and keyword arguments, each evaluated by its own closure: positional first. */
export interface CompiledArguments {
  readonly args: (activation: Activation) => readonly Datum[]
  readonly kwargs: (activation: Activation) => Kwargs
  readonly empty: boolean
}

const NO_ARGS: readonly Datum[] = []

/** The arguments; `caller` is added as a keyword, `plain` compiles string literals without structure. */
export function compileArguments(
  compiler: ExpressionCompiler,
  node: Arguments,
  frame: CompileFrame,
  caller: Evaluate | undefined,
  plain = false,
): CompiledArguments {
  const args = node.args.map((arg) => compiler.compile(arg, frame, plain))
  const kwargs = node.kwargs.map(({ name, value }) => [name, compiler.compile(value, frame, plain)] as const)
  if (caller !== undefined) kwargs.push(['caller', caller])
  const dynArgs = node.dynArgs && compiler.compile(node.dynArgs, frame, plain)
  const dynKwargs = node.dynKwargs && compiler.compile(node.dynKwargs, frame, plain)
  return {
    args: positional(args, dynArgs),
    kwargs: keywords(kwargs, dynKwargs),
    empty: args.length === 0 && kwargs.length === 0 && dynArgs === undefined && dynKwargs === undefined,
  }
}

function positional(
  args: readonly Evaluate[],
  dynamic: Evaluate | undefined,
): (activation: Activation) => readonly Datum[] {
  const [first, second] = args
  if (dynamic === undefined) {
    if (first === undefined) return () => NO_ARGS
    if (second === undefined) return (activation) => [first(activation)]
    return (activation) => {
      const values: Datum[] = []
      for (const arg of args) values.push(arg(activation))
      return values
    }
  }
  return (activation) => {
    const values = args.map((arg) => arg(activation))
    const rest = dynamic(activation)
    if (!isIterable(rest)) throw typeError(`Value after * must be an iterable, not ${typeName(rest)}`)
    return [...values, ...collect(rest, activation.run)]
  }
}

function keywords(
  kwargs: readonly (readonly [string, Evaluate])[],
  dynamic: Evaluate | undefined,
): (activation: Activation) => Kwargs {
  if (kwargs.length === 0 && dynamic === undefined) return () => NO_KWARGS
  return (activation) => {
    const values = new Map<string, Datum>()
    for (const [name, value] of kwargs) values.set(name, value(activation))
    if (dynamic === undefined) return values
    const rest = dynamic(activation)
    if (!isDict(rest)) throw typeError(`argument after ** must be a mapping, not ${typeName(rest)}`)
    for (const [key, value] of dictPairs(rest)) {
      const name = textOf(key)
      if (name === undefined) throw typeError('keywords must be strings')
      if (values.has(name)) throw typeError(`got multiple values for keyword argument '${name}'`)
      values.set(name, value)
    }
    return values
  }
}
