// Turns of orchestrations, for their state machine.
import type { InvocationContext } from '../platform/aws/handlers/queue-record.ts'
import { openTurns } from '../platform/aws/handlers/turn.ts'
import { openTelemetry } from '../platform/aws/telemetry.ts'

const telemetry = openTelemetry(process.env)
const turns = openTurns(process.env, telemetry)

/** Takes one turn; answers what the machine does next. */
export async function handler(
  order: Parameters<typeof turns.take>[0],
  context: InvocationContext,
): ReturnType<typeof turns.take> {
  try {
    return await turns.take(order, () => context.getRemainingTimeInMillis())
  } finally {
    telemetry.flush()
  }
}
