// What an operator looks at and is woken by: a dashboard and alarms.
import { Duration } from 'aws-cdk-lib'
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { metricNamespace } from './function-set.ts'

/** What is looked at. */
export interface Watched {
  readonly busName: string
  readonly reactor: LambdaFunction
  readonly gateway: LambdaFunction
  readonly eventLog: LambdaFunction
  /** Takes the turns of orchestrations. */
  readonly turn: LambdaFunction
  readonly reactorQueue: Queue
  readonly logQueue: Queue
  /** Every queue of dead letters, by what it holds. */
  readonly dead: Readonly<Record<string, Queue>>
  readonly alarmTopic?: ITopic | undefined
}

/** Minutes of one point. */
const period = Duration.minutes(1)

/** Dashboard, alarms and the metrics behind both. */
export class Watching extends Construct {
  readonly #watched: Watched
  readonly alarms: Alarm[] = []

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id)
    this.#watched = watched
    this.#alarm('ReactorErrors', watched.reactor.metricErrors({ period }), 1, 'the reactor function fails')
    this.#alarm('GatewayErrors', watched.gateway.metricErrors({ period }), 5, 'the gateway fails')
    this.#alarm('TurnErrors', watched.turn.metricErrors({ period }), 3, 'orchestrations cannot take their turns')
    this.#alarm('LogErrors', watched.eventLog.metricErrors({ period }), 1, 'the event log is not written')
    this.#alarm(
      'OldestMessage',
      watched.reactorQueue.metricApproximateAgeOfOldestMessage({ period, statistic: 'max' }),
      600,
      'an event has waited ten minutes for its reaction',
    )
    for (const [name, queue] of Object.entries(watched.dead)) {
      const depth = queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'max' })
      const what = name === 'Reactor' ? 'brine-run reactor.failed tells them' : "SQS's redrive sends them again"
      this.#alarm(`${name}Dead`, depth, 1, `there are dead letters: ${name} (${what})`)
    }
    this.#alarm(
      'AbandonStopped',
      this.own('AbandonStopped', 'sum'),
      1,
      'launches of a group fail so often that they are let through',
    )
    this.#dashboard()
  }

  /** One of the functions' own metrics, summed over all of them. */
  own(metricName: string, statistic: string): Metric {
    return new Metric({
      namespace: metricNamespace,
      metricName,
      statistic,
      period,
      dimensionsMap: { service: 'brine', bus: this.#watched.busName },
    })
  }

  #alarm(id: string, metric: IMetric, threshold: number, about: string): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `Brine: ${about}.`,
    })
    if (this.#watched.alarmTopic !== undefined) alarm.addAlarmAction(new SnsAction(this.#watched.alarmTopic))
    this.alarms.push(alarm)
  }

  #dashboard(): void {
    const { reactor, gateway, eventLog, reactorQueue, logQueue, dead } = this.#watched
    const depth = (queue: Queue) => queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'max' })
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [
          graph('Events in', [this.own('EventsLogged', 'sum')]),
          graph(
            'Reactions',
            ['ReactionsStarted', 'ReactionsDone'].map((name) => this.own(name, 'sum')),
          ),
          graph(
            'Failures',
            ['ReactionsFailed', 'ReactionsRefused'].map((name) => this.own(name, 'sum')),
          ),
        ],
        [
          graph(
            'Tag to reaction, ms',
            ['p50', 'p99'].map((statistic) => this.own('ReactionLatency', statistic)),
          ),
          graph(
            'Oldest message, s',
            [reactorQueue, logQueue].map((queue) =>
              queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'max' }),
            ),
          ),
          graph('Dead letters', Object.values(dead).map(depth)),
        ],
        [
          graph(
            'Jobs',
            ['JobsPublished', 'JobsReturned'].map((name) => this.own(name, 'sum')),
          ),
          graph('Waiting', [reactorQueue, logQueue].map(depth)),
          graph(
            'Function errors',
            [reactor, gateway, eventLog].map((one) => one.metricErrors({ period })),
          ),
        ],
        [
          graph(
            'Function time, ms (p95)',
            [reactor, gateway, eventLog].map((one) => one.metricDuration({ period, statistic: 'p95' })),
          ),
          graph('Gateway errors, share', [
            new MathExpression({
              expression: '100 * errors / MAX([errors, calls])',
              usingMetrics: { errors: gateway.metricErrors({ period }), calls: gateway.metricInvocations({ period }) },
              label: '% of requests',
              period,
            }),
          ]),
        ],
      ],
    })
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 })
}
