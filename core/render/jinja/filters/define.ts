// How a filter is defined.
import type { Activation } from '../activation.ts'
import { type Datum, type Kwargs, plain } from '../datum.ts'
import type { Run } from '../run.ts'
import { type Bound, bind, parseSignature, type Signature } from '../signature.ts'

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

/** Jinja's own functions, by how they are called in its messages and whether they get the environment first. */
const SYNC = new Set('first groupby join list slice sum'.split(' '))
const PLAIN = new Set(
  'attr batch capitalize center default dictsort filesizeformat float forceescape indent int items last lower pprint random replace reverse round sort striptags title trim truncate upper urlencode urlize wordcount wordwrap xmlattr'.split(
    ' ',
  ),
)
const WITH_ENVIRONMENT = new Set(
  'attr first groupby join random replace sort sum truncate urlize wordwrap xmlattr'.split(' '),
)

function signatureOf(name: string, spec: string): { signature: Signature; first: number } {
  const shown = SYNC.has(name) ? `sync_do_${name}` : PLAIN.has(name) ? `do_${name}` : name
  return { signature: parseSignature(shown, spec), first: WITH_ENVIRONMENT.has(name) ? 2 : 1 }
}

type Body = (input: Datum, args: readonly (Datum | undefined)[], run: Run, bound: Bound) => Datum

/**
 * A filter whose parameters behind the input are read by `parseSignature`; the body finds `undefined` where an argument
 * was left out. Text objects arrive as plain strings.
 */
export function filter(name: string, spec: string, body: Body): NamedFilter {
  const { signature, first } = signatureOf(name, spec)
  return [
    name,
    {
      plain: true,
      apply: (input, args, kwargs, run) => {
        const bound = bind(signature, args, kwargs, first)
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
  const { signature, first } = signatureOf(name, spec)
  return [
    name,
    {
      plain: false,
      apply: (input, args, kwargs, run) => {
        const bound = bind(signature, args, kwargs, first)
        return body(input, bound.values, run, bound)
      },
    },
  ]
}
