// The environment of a function over the resources of a test, and a telemetry that keeps to itself.
import { variables } from '../../platform/aws/layout/index.ts'
import type { AwsPlaces } from '../../platform/aws/store/aws-store.ts'
import type { Telemetry } from '../../platform/aws/telemetry.ts'

/** What a stack writes; `settings` as JSON. Functions and machines it names are not there. */
export function functionEnvironment(places: AwsPlaces, settings: object = {}): Record<string, string> {
  return {
    [variables.tableState]: places.tables.State,
    [variables.tableJobs]: places.tables.Jobs,
    [variables.tableEvents]: places.tables.Events,
    [variables.tableLedger]: places.tables.Ledger,
    [variables.bucket]: places.bucket,
    [variables.bus]: places.bus,
    [variables.reactorQueue]: places.reactorQueue,
    [variables.reactorDeadQueue]: places.reactorDeadQueue,
    [variables.fanOutQueue]: places.fanOutQueue,
    [variables.signingSecret]: places.signingSecret,
    [variables.connectionsEndpoint]: places.connectionsEndpoint,
    [variables.rulePrefix]: places.rulePrefix,
    [variables.url]: 'https://brine.example.org',
    [variables.socketUrl]: 'wss://brine.example.org',
    [variables.reactorTimeout]: '60',
    [variables.settings]: JSON.stringify(settings),
    [variables.runFunction]: 'nothing-there',
    [variables.stateMachine]: 'arn:aws:states:us-east-1:000000000000:stateMachine:nothing-there',
  }
}

/** Nothing of it is told. */
export const silentTelemetry: Telemetry = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  count: () => undefined,
  took: () => undefined,
  flush: () => undefined,
}
