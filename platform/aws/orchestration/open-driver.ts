// The driver of orchestrations over a deployment's store, for the functions that begin or mend executions.
import { readOrchestration } from '../../../master/orchestrate/record.ts'
import type { AwsDesk } from '../compose.ts'
import { DynamoHolds } from '../store/orchestration-holds.ts'
import { MachineDriver } from './driver.ts'
import { openExecutions } from './executions.ts'

/** Joins it; `machine` is the ARN of the state machine. */
export function openDriver({ store }: Pick<AwsDesk, 'store'>, machine: string): MachineDriver {
  const { orchestrations, dynamo, clock } = store
  return new MachineDriver(
    {
      unfinished: () => orchestrations.unfinished(),
      get: async (jid) => {
        const stored = await orchestrations.get(jid)
        return stored === undefined ? undefined : readOrchestration(stored)
      },
    },
    { executions: openExecutions(machine), holds: new DynamoHolds(dynamo, clock), clock },
  )
}
