// The cloud function's work: EC2's and Auto Scaling's events, and minions that start or return their start-up job, for launches that wait for them.
import { BrineError } from '../../../core/error.ts'
import { openDesk } from '../compose.ts'
import { type Fleet, openFleet } from '../compose-fleet.ts'
import type { Environment } from '../deploy/environment.ts'
import { allSources } from '../layout/index.ts'
import type { Telemetry } from '../telemetry.ts'
import type { QueueRecord } from './queue-record.ts'

/** Takes what the rules of both buses put on its queue. */
export interface CloudFunction {
  /** Safe to repeat. Throws for what has to come again, and for what lost its fields: it becomes a dead letter. */
  take(record: QueueRecord): Promise<void>
}

/** Opens it. */
export function openCloudEvents(
  environment: Environment,
  telemetry: Telemetry,
  fleet: Fleet = openFleet(openDesk(environment, telemetry)),
): CloudFunction {
  return {
    async take({ body }) {
      const event: unknown = JSON.parse(body)
      if (isOurs(event)) await advanceLaunches(fleet, telemetry)
      // An instance whose minion was quicker than the word of its launch waits for nothing more.
      else if ((await fleet.take(event))?.kind === 'launching') await advanceLaunches(fleet, telemetry)
    },
  }
}

/** Takes every open launch as far as it goes, and counts those that were let through although they failed. */
export async function advanceLaunches(fleet: Fleet, telemetry: Telemetry): Promise<void> {
  const { stopped } = await fleet.launches.advance()
  telemetry.count('AbandonStopped', stopped)
}

function isOurs(event: unknown): boolean {
  if (typeof event !== 'object' || event === null || !('source' in event))
    throw new BrineError('A message of the cloud queue is no event.', { code: 'cloud-event' })
  return allSources.includes(String(event.source))
}
