// The runners there are: adding one touches its own file and one line here.
import type { Mapping } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import type { Orchestrations } from '../orchestrate/orchestrations.ts'
import type { Ports } from '../ports.ts'
import type { Presence } from '../presence.ts'
import type { FunctionTable } from '../run.ts'
import { type CacheNeeds, cacheRunner } from './cache.ts'
import { cloudRunner, type OpenCloud } from './cloud.ts'
import { docRunner } from './doc.ts'
import { type EventNeeds, eventRunner } from './event.ts'
import { fileserverRunner } from './fileserver.ts'
import { httpRunner } from './http.ts'
import { type JobsNeeds, jobsRunner } from './jobs.ts'
import { type InvokeLambda, lambdaRunner } from './lambda.ts'
import { type ManageNeeds, manageRunner } from './manage.ts'
import { type MineNeeds, mineRunner } from './mine.ts'
import { orchRunner } from './orch.ts'
import { orchestrateRunner } from './orchestrate.ts'
import { type PillarNeeds, pillarRunner } from './pillar.ts'
import { type ReactorNeeds, reactorRunner } from './reactor.ts'
import { refusedRunners } from './refused.ts'
import { type SaltNeeds, saltRunner } from './salt.ts'
import { stateRunner } from './state.ts'
import { storeRunner, type WriteBackup } from './store.ts'
import { surveyRunner } from './survey.ts'
import { testRunner } from './trying.ts'

/** What runners are made from. */
export interface RunnerNeeds
  extends Pick<Ports, 'keys' | 'files'>,
    ReactorNeeds,
    EventNeeds,
    MineNeeds,
    CacheNeeds,
    PillarNeeds,
    SaltNeeds,
    JobsNeeds,
    Pick<ManageNeeds, 'keyring'> {
  /** The master's configuration. */
  readonly opts: Mapping
  readonly execute: Execute
  readonly presence: Presence
  readonly orchestrations: () => Promise<Orchestrations>
  readonly backup: WriteBackup | undefined
  readonly cloud: OpenCloud
  readonly invokeLambda: InvokeLambda | undefined
  /** `http.query` may ask this machine. */
  readonly askLoopback: boolean
  readonly timeout: number
  readonly version: string
}

/** All runner functions by full name. */
export function createRunners(needs: RunnerNeeds): FunctionTable {
  return new Map(
    Object.entries({
      ...refusedRunners(),
      ...docRunner(needs),
      ...eventRunner(needs),
      ...manageRunner(needs),
      ...jobsRunner(needs),
      ...reactorRunner(needs),
      ...mineRunner(needs),
      ...cacheRunner(needs),
      ...pillarRunner(needs),
      ...saltRunner(needs),
      ...surveyRunner(needs),
      ...httpRunner(needs.opts, needs.files, needs.askLoopback),
      ...lambdaRunner(needs.invokeLambda),
      ...fileserverRunner(needs.files),
      ...testRunner(needs.opts, sleep),
      ...stateRunner(needs.log),
      ...storeRunner(needs.backup),
      ...cloudRunner(needs.cloud),
      ...orchestrateRunner(needs.orchestrations),
      ...orchRunner(needs.orchestrations, () => needs.clock.now()),
    }),
  )
}

const sleep = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000))
