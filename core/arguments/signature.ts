// What a function accepts, as data: the parameters of a module, runner or wheel function.
import type { Value } from '../value/index.ts'

/** One parameter. Without a default it must be given. */
export interface Parameter {
  readonly name: string
  readonly default?: Value
  /** After `*` in Python: it can only be given by name. @default false */
  readonly keywordOnly?: boolean
}

/** A function's parameters in order. */
export interface Signature {
  readonly params: readonly Parameter[]
  /** `*args`: takes any number of further positional arguments. @default false */
  readonly varArgs?: boolean
  /** `**kwargs`: takes keywords of any other name. @default false */
  readonly varKwargs?: boolean
}
