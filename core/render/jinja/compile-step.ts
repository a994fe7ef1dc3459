// Small steps that compiled statements are made of.
import { type Activation, type Evaluate, type Execute, NORMAL } from './activation.ts'
import type { CompileFrame } from './compile-frame.ts'
import type { Datum } from './datum.ts'

/** Everything stored in the scopes around, by name. */
export function visibleLocals(frame: CompileFrame): (activation: Activation) => ReadonlyMap<string, Datum> {
  const { scope } = frame.symbols
  const stores = [...frame.symbols.visibleStores()]
  return (activation) => {
    const locals = new Map<string, Datum>()
    for (const [name, variable] of stores) {
      let at: Activation | undefined = activation
      for (let hops = scope.depth - variable.owner.depth; hops > 0; hops--) at = at?.parent
      const value = at?.slots[variable.slot]
      if (value !== undefined) locals.set(name, value)
    }
    return locals
  }
}

/** Prints text of the template. */
export function writing(text: string): Execute {
  return (activation) => {
    activation.run.write(text)
    return NORMAL
  }
}

/** One step after the other. */
export function inOrder(parts: readonly Execute[]): Execute {
  const [first, second, third] = parts
  if (first === undefined) return () => NORMAL
  if (second === undefined) return first
  if (third === undefined) {
    return (activation) => {
      first(activation)
      return second(activation)
    }
  }
  return (activation) => {
    for (const part of parts) part(activation)
    return NORMAL
  }
}

/** Evaluates an expression for its effect. */
export function onLine(line: number, value: Evaluate): Execute {
  return (activation) => {
    activation.run.line = line
    activation.run.charge(1)
    value(activation)
    return NORMAL
  }
}
