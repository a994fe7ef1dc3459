// Runs: one runner or wheel function for whoever asked the gateway, for as long as it takes.
import { openRuns } from '../platform/aws/handlers/run.ts'
import { openTelemetry } from '../platform/aws/telemetry.ts'
import { deployedRunners } from '../platform/aws/user-runners.ts'

const telemetry = openTelemetry(process.env)
const runs = openRuns(process.env, telemetry, await deployedRunners(telemetry))

/** Runs what is ordered; once, however often it is delivered. */
export async function handler(order: Parameters<typeof runs.run>[0]): ReturnType<typeof runs.run> {
  try {
    return await runs.run(order)
  } finally {
    telemetry.flush()
  }
}
