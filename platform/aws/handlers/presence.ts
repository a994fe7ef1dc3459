// The presence function's work, on a schedule: who is there, launches under way, orchestrations left alone, keys whose instance is gone.
import { openDesk } from '../compose.ts'
import { openFleet } from '../compose-fleet.ts'
import { type Environment, variableIn } from '../deploy/environment.ts'
import { openDriver } from '../orchestration/open-driver.ts'
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
  const driver = openDriver(aws, variableIn(environment, 'stateMachine'))
  const mend = async (): Promise<void> => {
    const mended = await driver.mend()
    if (mended > 0) telemetry.warn(`${mended} orchestrations were left without an execution and have another now`)
  }
  const lookWhoIsThere = async (): Promise<void> => {
    if (!options.presenceEvents) return
    await presence.check()
    await presence.announce()
  }
  return {
    async run({ task }) {
      if (task === 'sweep') {
        const gone = await fleet.sweep()
        if (gone > 0) telemetry.info(`${gone} keys were deleted whose instances are gone`)
        return
      }
      // What one of them meets keeps no other from its minute.
      const done = await Promise.allSettled([advanceLaunches(fleet, telemetry), mend(), lookWhoIsThere()])
      for (const outcome of done) if (outcome.status === 'rejected') throw outcome.reason
    },
  }
}
