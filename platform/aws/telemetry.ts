// What the functions tell of themselves: a log of JSON lines, and metrics that CloudWatch reads out of it (EMF).
import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { type Environment, variableIn } from './deploy/environment.ts'

/** Where a function says what it does. */
export interface Telemetry {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
  /** Adds to one of {@link countNames}; 0 is not told. */
  count(name: CountName, by: number): void
  /** One sample, milliseconds. */
  took(name: 'ReactionLatency', milliseconds: number): void
  /** Writes what was counted. Called at the end of each invocation. */
  flush(): void
}

/** What is counted, over all functions. */
const countNames = [
  'EventsLogged',
  'ReactionsStarted',
  'ReactionsDone',
  'ReactionsFailed',
  'ReactionsRefused',
  'DeliveriesPutOff',
  'JobsPublished',
  'JobsReturned',
  'AbandonStopped',
] as const

/** A name of {@link countNames}. */
export type CountName = (typeof countNames)[number]

/** The `service` of every metric, so that one graph shows what several functions count. */
const metricService = 'brine'

/** Opens both. The metrics' dimensions are `service` and `bus`, the name of the master's bus. */
export function openTelemetry(environment: Environment): Telemetry {
  const logger = new Logger()
  const metrics = new Metrics({
    serviceName: metricService,
    defaultDimensions: { bus: variableIn(environment, 'bus') },
  })
  return {
    info: (message) => logger.info(message),
    warn: (message) => logger.warn(message),
    error: (message) => logger.error(message),
    count: (name, by) => {
      if (by > 0) metrics.addMetric(name, MetricUnit.Count, by)
    },
    took: (name, milliseconds) => metrics.addMetric(name, MetricUnit.Milliseconds, milliseconds),
    flush: () => {
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics()
    },
  }
}
