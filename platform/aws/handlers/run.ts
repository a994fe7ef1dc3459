// The run function's work: one runner or wheel function, for whoever ordered it.
import type { FunctionTable } from '../../../master/run.ts'
import { openDesk } from '../compose.ts'
import { openFunctions } from '../compose-functions.ts'
import { type Environment, variableIn } from '../deploy/environment.ts'
import { openDriver } from '../orchestration/open-driver.ts'
import { type OrderedRunning, runOrdered } from '../ordered-running.ts'
import type { RunOrder, RunResult } from '../runs.ts'
import type { Telemetry } from '../telemetry.ts'

/** Runs what is ordered. */
export interface RunFunction {
  run(order: RunOrder): Promise<RunResult>
}

/** Opens it. An orchestration is begun here and goes on in the state machine. */
export function openRuns(environment: Environment, telemetry: Telemetry, users?: FunctionTable): RunFunction {
  const aws = openDesk(environment, telemetry)
  const { store } = aws
  const driver = openDriver(aws, variableIn(environment, 'stateMachine'))
  const { functions } = openFunctions(aws, () => driver, users)
  const running: OrderedRunning = {
    startRun: functions.startRun,
    tellInterrupted: functions.tellInterrupted,
    isIdempotent: ({ client, fun }) => functions.tables[client]().get(fun)?.idempotent === true,
    tokens: store.tokens,
    clock: store.clock,
    driver,
  }
  return { run: (order) => runOrdered(running, order) }
}
