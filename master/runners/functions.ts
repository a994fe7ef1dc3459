// The runners there are: adding one touches its own file and one line here.
import type { Execute } from '../execute.ts'
import type { Fire } from '../fire.ts'
import type { Ports } from '../ports.ts'
import type { Presence } from '../presence.ts'
import type { FunctionTable } from '../run.ts'
import { eventRunner } from './event.ts'
import { jobsRunner } from './jobs.ts'
import { manageRunner } from './manage.ts'
import { reactorRunner } from './reactor.ts'
import { stateRunner } from './state.ts'

/** What runners are made from. */
export interface RunnerNeeds extends Pick<Ports, 'keys' | 'jobs' | 'config' | 'clock' | 'log'> {
  readonly fire: Fire
  readonly execute: Execute
  readonly presence: Presence
  readonly timeout: number
  readonly version: string
}

/** All runner functions by full name. */
export function createRunners(needs: RunnerNeeds): FunctionTable {
  return new Map(
    Object.entries({
      ...eventRunner(needs.fire),
      ...manageRunner(needs),
      ...jobsRunner(needs),
      ...reactorRunner(needs),
      ...stateRunner(needs.log),
    }),
  )
}
