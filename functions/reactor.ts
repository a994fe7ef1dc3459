// The reactor: events from its queue, each settled by itself.
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { BatchAnswer, InvocationContext, QueueEvent, QueueRecord } from '../platform/aws/handlers/queue-record.ts'
import { openReactor } from '../platform/aws/handlers/reactor.ts'
import { openTelemetry } from '../platform/aws/telemetry.ts'
import { deployedRunners } from '../platform/aws/user-runners.ts'

const telemetry = openTelemetry(process.env)
const reactor = openReactor(process.env, telemetry, await deployedRunners(telemetry))
const batch = new BatchProcessor(EventType.SQS)

/** Reacts; what has to come again is told, and hidden until then. */
export async function handler(event: QueueEvent, context: InvocationContext): Promise<BatchAnswer> {
  try {
    return await processPartialResponse(
      event,
      (record: QueueRecord) => reactor.take(record, context.getRemainingTimeInMillis()),
      batch,
      { throwOnFullBatchFailure: false },
    )
  } finally {
    reactor.report()
    telemetry.flush()
  }
}
