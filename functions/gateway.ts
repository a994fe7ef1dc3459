// The gateway: an HTTP API's requests, and the commands' over IAM's Invoke.
import { openGateway } from '../platform/aws/handlers/gateway.ts'
import { openTelemetry } from '../platform/aws/telemetry.ts'

const telemetry = openTelemetry(process.env)
const answer = openGateway(process.env, telemetry)

/** Answers one request; in time for whoever waits. */
export async function handler(event: Parameters<typeof answer>[0]): Promise<object> {
  try {
    return await answer(event)
  } finally {
    telemetry.flush()
  }
}
