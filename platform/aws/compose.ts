// The master on AWS: store, use cases and fleet joined for a function, out of what its environment says.
import { createDesk, type Desk } from '../../master/desk.ts'
import { createFunctions, type Functions } from '../../master/functions.ts'
import { createRenderFile } from '../../master/render-file.ts'
import type { RenderFile } from '../../reaction/index.ts'
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
}

/** Store, settings and desk of a deployment. Throws `config` where the environment does not say what it has to. */
export function openDesk(environment: Environment, telemetry: Telemetry): AwsDesk {
  const { store } = openDeployment(environment)
  const settings = readSettings(environment, telemetry.warn)
  const memory = new DynamoPresenceMemory(store.dynamo, store.records, store.clock)
  const desk = createDesk(store, settings.options, memory)
  return { store, settings, desk: { ...desk, publish: counted(desk.publish, telemetry) } }
}

/** The master's functions over a desk, and the renderer they share with the reactor. */
export function openFunctions({ store, settings, desk }: AwsDesk): { functions: Functions; render: RenderFile } {
  const render = createRenderFile(settings.template)
  return {
    functions: createFunctions(store, desk, { timeout: settings.timeout, template: settings.template, render }),
    render,
  }
}

function counted(publish: Desk['publish'], telemetry: Telemetry): Desk['publish'] {
  return async (request) => {
    const outcome = await publish(request)
    if (outcome.kind === 'published') telemetry.count('JobsPublished', 1)
    return outcome
  }
}
