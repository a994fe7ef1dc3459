// The presence function's work, on a schedule: who is there, launches under way, keys whose instance is gone.
import { openDesk } from '../compose.ts'
import { openFleet } from '../compose-fleet.ts'
import type { Environment } from '../deploy/environment.ts'
import type { Telemetry } from '../telemetry.ts'
import { advanceLaunches } from './cloud-events.ts'

/** What the schedules ask for. */
export interface PresenceTask {
  readonly task: 'presence' | 'sweep'
}

/** Does what a schedule asks for. Safe to repeat. */
export interface PresenceFunction {
  run(task: PresenceTask): Promise<void>
}

/** Opens it. */
export function openPresence(environment: Environment, telemetry: Telemetry): PresenceFunction {
  const aws = openDesk(environment, telemetry)
  const { presence, options } = aws.desk
  const fleet = openFleet(aws)
  return {
    async run({ task }) {
      if (task === 'sweep') {
        const gone = await fleet.sweep()
        if (gone > 0) telemetry.info(`${gone} keys were deleted whose instances are gone`)
        return
      }
      await advanceLaunches(fleet, telemetry)
      if (!options.presenceEvents) return
      await presence.check()
      await presence.announce()
    },
  }
}
