// Presence, launches and sweeps, on a schedule.
import { openPresence, type PresenceTask } from '../platform/aws/handlers/presence.ts'
import { openTelemetry } from '../platform/aws/telemetry.ts'

const telemetry = openTelemetry(process.env)
const presence = openPresence(process.env, telemetry)

/** Does what the schedule's input names. */
export async function handler(task: PresenceTask): Promise<void> {
  try {
    await presence.run(task)
  } finally {
    telemetry.flush()
  }
}
