// Salt's `git` states, put together from their parts.
import type { StateModule } from '../state-module.ts'
import { detachedState } from './detached.ts'
import { latestState } from './latest.ts'
import { clonedState, configSetState, configUnsetState, presentState } from './states.ts'

/** Salt's `git` states. */
export const git: StateModule = {
  name: 'git',
  functions: {
    latest: latestState,
    detached: detachedState,
    cloned: clonedState,
    present: presentState,
    config_set: configSetState,
    config_unset: configUnsetState,
  },
}
