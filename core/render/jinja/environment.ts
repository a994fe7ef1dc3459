// What a render is given besides the template: variables, files, Salt functions, YAML, the outside, limits.
import type { Value } from '../../value/index.ts'
import type { Hole } from '../hole.ts'
import type { Budgets } from './budget.ts'
import type { Changes } from './changes.ts'
import type { Datum } from './datum.ts'

/** A function of `salt[…]` that answers from its arguments and the variables alone. */
export type SaltFunction = (
  args: readonly Value[],
  kwargs: Readonly<Record<string, Value>>,
  environment: Environment,
) => Value

/** Where `salt['a.b']()` finds its functions; the first that has the name answers. */
export interface SaltSource {
  /** Pure functions by name. */
  readonly pure: Readonly<Record<string, SaltFunction>>
  /** Whether a function that is not pure may be asked for; then a Need is thrown until {@link answers} has the answer. */
  readonly answerable?: (fun: string) => boolean
  /** How messages name the variable itself. @default 'dict' */
  readonly typeName?: string
  /** Answers by `callKey`. */
  readonly answers?: ReadonlyMap<string, Value>
}

/** YAML, as the tags and filters that load and dump it use it. */
export interface YamlTools {
  /** Reads one document; tokens in the text stand for `holes`. Throws what its own errors are. */
  readonly load: (text: string, holes?: readonly Hole[]) => Value
  /** Prints as Salt's `safe_dump`, in flow style or in blocks, ending in a line break. */
  readonly dump: (value: Value, flow: boolean) => string
}

/** What a pure evaluation cannot know. A filter that needs what is missing here fails and says so. */
export interface Outside {
  /** Seconds since 1970. */
  readonly now?: () => number
  /** A random number from 0 up to 1. */
  readonly random?: () => number
  /** Filters that ask the machine or the network, by name: `which`, `dns_check`, `http_query` … */
  readonly filters?: Readonly<
    Record<string, (args: readonly Value[], kwargs: Readonly<Record<string, Value>>) => Value>
  >
}

/** Everything one render may use. */
export interface Environment {
  /** The variables: `data`, `tag`, `grains` … and functions made by `hostFunction`. Rendering leaves them as they are. */
  readonly context: Readonly<Record<string, Datum>>
  /** The text of a file that is included or imported, `undefined` where there is none; may throw a Need. */
  readonly files?: (path: string) => string | undefined
  /** @default `salt` is not defined, unless {@link context} has it */
  readonly salt?: SaltSource
  /** @default Salt's loader and dumper */
  readonly yaml?: YamlTools
  readonly outside?: Outside
  /** What is changed in place, for templates that go on from each other. @default put back when the render ends */
  readonly changes?: Changes
  readonly budgets?: Partial<Budgets>
  /** Undefined values print and test as empty, as with Salt's `allow_undefined`. @default false */
  readonly allowUndefined?: boolean
}
