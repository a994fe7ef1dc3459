// The event log: what the bus carried is appended, batch by batch.
import { openEventLog } from '../platform/aws/handlers/event-log.ts'
import type { BatchAnswer, InvocationContext, QueueEvent } from '../platform/aws/handlers/queue-record.ts'
import { openTelemetry } from '../platform/aws/telemetry.ts'

const telemetry = openTelemetry(process.env)
const log = openEventLog(process.env, telemetry)

/** Appends; what could not be comes again. */
export async function handler(event: QueueEvent, context: InvocationContext): Promise<BatchAnswer> {
  try {
    const again = await log.take(event.Records, () => context.getRemainingTimeInMillis())
    return { batchItemFailures: [...again].map((itemIdentifier) => ({ itemIdentifier })) }
  } finally {
    telemetry.flush()
  }
}
