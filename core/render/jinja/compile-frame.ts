// What the compiler knows at a point of a template: the scope, and what kind of body it is in.
import type { Activation, Evaluate, Execute } from './activation.ts'
import { NORMAL } from './activation.ts'
import type { Mode } from './run.ts'
import { FunctionScope, Symbols, type Variable } from './symbols.ts'
import type { Node } from './syntax-walk.ts'
import type { Template } from './template.ts'

/** Jinja's compile-time frame. */
export class CompileFrame {
  symbols: Symbols
  /** Directly in the template's root, also inside `if`: assignments are exported. */
  toplevel = false
  /** As {@link toplevel}, but not inside `if`. */
  rootlevel = false
  /** Inside `if` or a conditional expression: unknown filters fail only when reached. */
  soft = false
  /** Inside a loop's body, so that `break` and `continue` mean something. */
  inLoop = false
  /** Output is dropped where the template extends another. */
  checksOutput = false

  constructor(symbols: Symbols) {
    this.symbols = symbols
  }

  /** A frame for a new scope of the same function. */
  inner(): CompileFrame {
    const frame = new CompileFrame(new Symbols(this.symbols.scope, this.symbols))
    frame.checksOutput = this.checksOutput
    frame.inLoop = this.inLoop
    return frame
  }

  /** A frame for the body of a function defined here. */
  function(): CompileFrame {
    const frame = new CompileFrame(new Symbols(new FunctionScope(this.symbols.scope), this.symbols))
    frame.checksOutput = this.checksOutput
    return frame
  }

  /** A frame for a part that may not run: it shares the variables. */
  softened(): CompileFrame {
    const frame = new CompileFrame(this.symbols.copy())
    frame.toplevel = this.toplevel
    frame.inLoop = this.inLoop
    frame.soft = true
    frame.checksOutput = this.checksOutput
    return frame
  }

  /** The root frame of a function without an outer one. */
  static root(): CompileFrame {
    return new CompileFrame(new Symbols(new FunctionScope(undefined), undefined))
  }
}

/** What holds for the whole of one compilation. */
export interface Compilation {
  readonly template: Template
  readonly mode: Mode
  /** Statements `extends` met so far. */
  extendsSoFar: number
  /** An `extends` is known to have run: what follows at the root prints nothing. */
  hasKnownExtends: boolean
}

/** Reads a variable: `undefined` where it was never set. */
export function readVariable(
  scope: FunctionScope,
  variable: Variable,
): (activation: Activation) => ReturnType<Evaluate> | undefined {
  const { slot } = variable
  const hops = scope.depth - variable.owner.depth
  if (hops === 0) return (activation) => activation.slots[slot]
  if (hops === 1) return (activation) => activation.parent?.slots[slot]
  return (activation) => {
    let at: Activation | undefined = activation
    for (let hop = 0; hop < hops; hop++) at = at?.parent
    return at?.slots[slot]
  }
}

/** What has to happen when a scope is entered: names are resolved, taken over from outside, or reset. */
export function enterFrame(frame: CompileFrame): Execute {
  const { scope } = frame.symbols
  const steps: ((activation: Activation) => void)[] = []
  for (const [{ slot }, rule] of frame.symbols.loads) {
    if (rule.kind === 'resolve') {
      const { name } = rule
      steps.push((activation) => {
        activation.slots[slot] = activation.context.resolve(name)
      })
    } else if (rule.kind === 'alias') {
      const read = readVariable(scope, rule.of)
      steps.push((activation) => {
        activation.slots[slot] = read(activation)
      })
    } else if (rule.kind === 'missing') {
      steps.push((activation) => {
        activation.slots[slot] = undefined
      })
    }
  }
  const [first, second] = steps
  if (first === undefined) return () => NORMAL
  if (second === undefined) {
    return (activation) => {
      first(activation)
      return NORMAL
    }
  }
  return (activation) => {
    for (const step of steps) step(activation)
    return NORMAL
  }
}

/** The names a list of nodes uses, analysed into a frame. */
export function analyse(frame: CompileFrame, nodes: Iterable<Node>): void {
  frame.symbols.visitAll(nodes)
}
