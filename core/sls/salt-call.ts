// The very call that Salt's reactor would make for a chunk, with all that rides along in it.
import { type Dict, entries, type Mapping, type Value } from '../value/index.ts'
import type { Call } from './call.ts'
import { type Chunk, put } from './chunk.ts'

/** A call of one of Salt's clients. */
export type SaltCall =
  | {
      readonly client: 'local'
      readonly method: 'cmd_async'
      readonly tgt: Value
      readonly fun: string
      readonly kwargs: Mapping | Dict
    }
  | { readonly client: 'runner' | 'wheel'; readonly method: 'low'; readonly fun: string; readonly low: Mapping | Dict }
  | {
      readonly client: 'caller'
      readonly method: 'cmd'
      readonly fun: string
      readonly args: readonly Value[]
      readonly kwargs: Mapping | Dict
    }

/**
 * Salt's client call of a bound chunk, `undefined` for a refused one. Everything in the chunk that is no argument is
 * passed along, as Salt does; the arguments are those of the bound call.
 */
export function saltCall(chunk: Chunk, call: Call): SaltCall | undefined {
  const { fun } = chunk
  switch (call.kind) {
    case 'local': {
      const kwargs = rest(chunk.low, ['fun', 'tgt', 'args', 'arg', 'kwarg'])
      const { arg, kwarg } = call
      return {
        client: 'local',
        method: 'cmd_async',
        tgt: call.tgt,
        fun,
        kwargs: put(put(kwargs, 'arg', [...arg]), 'kwarg', kwarg),
      }
    }
    case 'runner':
    case 'wheel': {
      let low = rest(chunk.low, ['fun', 'state', 'args', 'arg', 'kwarg'])
      const added = { __user__: 'Reactor', __state__: call.kind, arg: [...call.arg], kwarg: call.kwarg }
      for (const [key, value] of Object.entries(added)) low = put(low, key, value)
      return { client: call.kind, method: 'low', fun, low }
    }
    case 'caller':
      return { client: 'caller', method: 'cmd', fun, args: call.arg, kwargs: call.kwarg }
    case 'refused':
      return undefined
  }
}

function rest(low: Mapping | Dict, without: readonly string[]): Mapping | Dict {
  let kept: Mapping | Dict = {}
  for (const [key, value] of entries(low)) {
    if (typeof key !== 'string' || !without.includes(key)) kept = put(kept, key, value)
  }
  return kept
}
