// How a filter is defined.
import type { Activation } from '../activation.ts'
import { type Datum, type Kwargs, plain } from '../datum.ts'
import type { Run } from '../run.ts'
import { type Bound, bind, parseSignature } from '../signature.ts'

/** A filter as expressions apply it. */
export interface Filter {
  /** Only the characters of its input and arguments matter, so that string literals need not be structure. */
  readonly plain: boolean
  readonly apply: (
    input: Datum,
    args: readonly Datum[],
    kwargs: Kwargs,
    run: Run,
    activation: Activation | undefined,
  ) => Datum
}

/** A filter with its name. */
export type NamedFilter = readonly [name: string, filter: Filter]

type Body = (input: Datum, args: readonly (Datum | undefined)[], run: Run, bound: Bound) => Datum

/**
 * A filter whose parameters behind the input are read by `parseSignature`; the body finds `undefined` where an argument
 * was left out. Text objects arrive as plain strings.
 */
export function filter(name: string, spec: string, body: Body): NamedFilter {
  const signature = parseSignature(name, spec)
  return [
    name,
    {
      plain: true,
      apply: (input, args, kwargs, run) => {
        const bound = bind(signature, args, kwargs, 1)
        const values = bound.values.some((value) => typeof value === 'object')
          ? bound.values.map((value) => (value === undefined ? undefined : plain(value)))
          : bound.values
        return body(plain(input), values, run, bound)
      },
    },
  ]
}

/** As {@link filter}, with input and arguments as they are: ropes stay ropes. */
export function ropeFilter(name: string, spec: string, body: Body): NamedFilter {
  const signature = parseSignature(name, spec)
  return [
    name,
    {
      plain: false,
      apply: (input, args, kwargs, run) => {
        const bound = bind(signature, args, kwargs, 1)
        return body(input, bound.values, run, bound)
      },
    },
  ]
}
