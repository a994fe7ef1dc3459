// What evaluation throws when it needs an answer from outside; whoever renders answers and starts again.
import type { Value } from '../../value/index.ts'

/** A read-only call that has to be answered before the template can go on. */
export class Need extends Error {
  readonly fun: string
  readonly args: readonly Value[]
  readonly kwargs: Readonly<Record<string, Value>>

  constructor(fun: string, args: readonly Value[], kwargs: Readonly<Record<string, Value>>) {
    super(`the template needs ${fun}`)
    this.name = 'Need'
    this.fun = fun
    this.args = args
    this.kwargs = kwargs
  }
}
