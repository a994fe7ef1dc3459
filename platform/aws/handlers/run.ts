// The run function's work: one runner or wheel function, for whoever asked the gateway.
import { openDesk } from '../compose.ts'
import { openFunctions } from '../compose-functions.ts'
import type { Environment } from '../deploy/environment.ts'
import { type RunOrder, type RunResult, runOrdered } from '../runs.ts'
import type { Telemetry } from '../telemetry.ts'

/** Runs what is ordered. */
export interface RunFunction {
  run(order: RunOrder): Promise<RunResult>
}

/** Opens it. */
export function openRuns(environment: Environment, telemetry: Telemetry): RunFunction {
  const aws = openDesk(environment, telemetry)
  const { functions } = openFunctions(aws)
  return { run: (order) => runOrdered(functions.startRun, aws.store, order) }
}
