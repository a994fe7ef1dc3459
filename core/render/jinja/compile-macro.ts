// Compiles the bodies of macros and call blocks.
import { Activation, type Evaluate } from './activation.ts'
import { analyse, type CompileFrame, enterFrame } from './compile-frame.ts'
import type { StatementCompiler } from './compile-statement.ts'
import { Macro, type MacroCode } from './macro.ts'
import { findUndeclared } from './symbols.ts'
import type { Signature, Statement } from './syntax-tree.ts'
import { syntaxError } from './token.ts'

/** What makes the macro object where the tag stands; `name` is absent for a call block's `caller`. */
export function compileMacro(
  compiler: StatementCompiler,
  node: Signature & { readonly body: readonly Statement[]; readonly line: number },
  name: string | undefined,
  outer: CompileFrame,
): Evaluate {
  const frame = outer.function()
  frame.checksOutput = false
  const { symbols } = frame
  analyse(frame, [...node.params, ...node.defaults, ...node.body])
  const params = node.params.map((param) => param.name)
  const special = findUndeclared(node.body, ['caller', 'kwargs', 'varargs'])
  const callerIndex = params.indexOf('caller')
  if (special.has('caller') && callerIndex >= 0 && callerIndex < params.length - node.defaults.length) {
    throw syntaxError(
      'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.',
      node.line,
    )
  }
  const extra = (word: string): number =>
    special.has(word) && !params.includes(word) ? symbols.declareParameter(word).slot : -1
  const [callerSlot, kwargsSlot, varargsSlot] = [extra('caller'), extra('kwargs'), extra('varargs')]
  const slots = params.map((param) => symbols.ref(param).slot)
  const firstDefault = params.length - node.defaults.length
  const defaults = node.params.map((_, index) => {
    const value = node.defaults[index - firstDefault]
    return index < firstDefault || value === undefined ? undefined : compiler.compile(value, frame)
  })
  const body = compiler.statements(node.body, frame)
  const enter = enterFrame(frame)
  const { template } = compiler.compilation
  const code: MacroCode = {
    name,
    params,
    callerSlot,
    catchesKwargs: kwargsSlot >= 0,
    catchesVarargs: varargsSlot >= 0,
    run: ({ args, caller, kwargs, varargs }, activation) => {
      const { run } = activation
      const inner = new Activation(symbols.scope.size, activation, activation.context, run)
      const outerTemplate = run.template
      const outerLine = run.line
      run.enter()
      run.template = template
      run.line = node.line
      if (callerSlot >= 0) inner.slots[callerSlot] = caller
      if (kwargsSlot >= 0) inner.slots[kwargsSlot] = kwargs
      if (varargsSlot >= 0) inner.slots[varargsSlot] = varargs
      slots.forEach((slot, index) => {
        inner.slots[slot] = args[index]
      })
      try {
        const text = run.capture(() => {
          enter(inner)
          slots.forEach((slot, index) => {
            if (inner.slots[slot] !== undefined) return
            const param = params[index] ?? ''
            const compute = defaults[index]
            inner.slots[slot] =
              compute === undefined
                ? run.undefined({ hint: `parameter '${param}' was not provided`, name: param })
                : compute(inner)
          })
          body(inner)
        })
        run.line = outerLine
        run.template = outerTemplate
        run.depth--
        return text
      } catch (error) {
        run.locate(error, true)
        throw error
      }
    },
  }
  return (activation) => new Macro(code, activation)
}
