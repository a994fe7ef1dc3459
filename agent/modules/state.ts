// Salt's `state` module: states applied, shown and counted.
import { stateApplying } from '../states/applying.ts'
import { statePausing } from '../states/pausing.ts'
import { stateShowing } from '../states/showing.ts'
import type { ExecutionModule } from './module.ts'

/** Salt's `state` module. */
export const state: ExecutionModule = {
  name: 'state',
  file: 'state',
  functions: { ...stateApplying, ...stateShowing, ...statePausing },
}
