// Cloud events: EC2 and Auto Scaling, and minions that start.
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import { openCloudEvents } from '../platform/aws/handlers/cloud-events.ts'
import type { BatchAnswer, QueueEvent, QueueRecord } from '../platform/aws/handlers/queue-record.ts'
import { openTelemetry } from '../platform/aws/telemetry.ts'

const telemetry = openTelemetry(process.env)
const cloud = openCloudEvents(process.env, telemetry)
const batch = new BatchProcessor(EventType.SQS)

/** Tells `salt/cloud/…`, begins and ends launches, deletes keys whose instance ends. */
export async function handler(event: QueueEvent): Promise<BatchAnswer> {
  try {
    return await processPartialResponse(event, (record: QueueRecord) => cloud.take(record), batch)
  } finally {
    telemetry.flush()
  }
}
