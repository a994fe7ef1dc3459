// Fan-out: a job to many minions, some hundreds at a time.
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import { openFanOut } from '../platform/aws/handlers/fan-out.ts'
import type { BatchAnswer, InvocationContext, QueueEvent, QueueRecord } from '../platform/aws/handlers/queue-record.ts'

const fanOut = openFanOut(process.env)
const batch = new BatchProcessor(EventType.SQS)

/** Puts entries into mailboxes and rings. */
export function handler(event: QueueEvent, context: InvocationContext): Promise<BatchAnswer> {
  return processPartialResponse(
    event,
    (record: QueueRecord) => fanOut.take(record, () => context.getRemainingTimeInMillis()),
    batch,
  )
}
