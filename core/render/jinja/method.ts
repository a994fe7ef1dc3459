// A builtin method of Python's types, as templates may call it.
import { type Datum, type Kwargs, plain } from './datum.ts'
import type { Run } from './run.ts'
import { type Bound, bind, parseSignature } from './signature.ts'

/** A method: called with its object and the call's arguments. */
export type Method<Self> = (self: Self, args: readonly Datum[], kwargs: Kwargs, run: Run) => Datum

type Arguments = readonly (Datum | undefined)[]

type Body<Self> = (self: Self, args: Arguments, run: Run, bound: Bound) => Datum

/**
 * A method with parameters as {@link parseSignature} reads them; the body finds `undefined` where an argument was left
 * out. Text objects among the arguments arrive as plain strings.
 */
export function method<Self>(name: string, spec: string, body: Body<Self>): readonly [string, Method<Self>] {
  return ropeMethod<Self>(name, spec, (self, args, run, bound) => {
    const isPlain = !args.some((value) => typeof value === 'object')
    return body(
      self,
      isPlain ? args : args.map((value) => (value === undefined ? undefined : plain(value))),
      run,
      bound,
    )
  })
}

/** As {@link method}, with the arguments as they are: ropes stay ropes. */
export function ropeMethod<Self>(name: string, spec: string, body: Body<Self>): readonly [string, Method<Self>] {
  const signature = parseSignature(name, spec)
  return [
    name,
    (self, args, kwargs, run) => {
      const bound = bind(signature, args, kwargs, 1)
      return body(self, bound.values, run, bound)
    },
  ]
}
