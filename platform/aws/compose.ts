// The master on AWS: store, settings and desk joined for a function, out of what its environment says.
import { createDesk, type Desk } from '../../master/desk.ts'
import type { Pillars } from '../../master/pillar.ts'
import { type Environment, openDeployment } from './deploy/environment.ts'
import { readSettings, type Settings } from './settings.ts'
import type { AwsStore } from './store/aws-store.ts'
import { DynamoPresenceMemory } from './store/presence-memory.ts'
import type { Telemetry } from './telemetry.ts'

/** What most functions work with. */
export interface AwsDesk {
  readonly store: AwsStore
  readonly settings: Settings
  readonly desk: Desk
  readonly telemetry: Telemetry
}

/** Store, settings and desk of a deployment. Throws `config` where the environment does not say what it has to. */
export function openDesk(environment: Environment, telemetry: Telemetry): AwsDesk {
  const { store } = openDeployment(environment)
  const settings = readSettings(environment, telemetry.warn)
  const memory = new DynamoPresenceMemory(store.dynamo, store.records, store.clock)
  const desk = createDesk(
    store,
    settings.options,
    pillarsLater(() => aws),
    memory,
  )
  const aws: AwsDesk = { store, settings, telemetry, desk: { ...desk, publish: counted(desk.publish, telemetry) } }
  return aws
}

/** Pillars whose compiler is loaded when the first is asked for: few functions ever do. */
function pillarsLater(aws: () => AwsDesk): Pillars {
  let loading: Promise<Pillars> | undefined
  const load = (): Promise<Pillars> => {
    loading ??= import('./compose-pillars.ts').then(({ openPillars }) => openPillars(aws()))
    return loading
  }
  return {
    compile: async (id, ask) => (await load()).compile(id, ask),
    top: async (id, ask) => (await load()).top(id, ask),
    forget: async (ids) => (await load()).forget(ids),
    known: async (minions) => (await load()).known(minions),
  }
}

function counted(publish: Desk['publish'], telemetry: Telemetry): Desk['publish'] {
  return async (request) => {
    const outcome = await publish(request)
    if (outcome.kind === 'published') telemetry.count('JobsPublished', 1)
    return outcome
  }
}
