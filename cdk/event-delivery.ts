// The bus, who may put what on it, and the queues behind its rules.
import { Duration, Stack } from 'aws-cdk-lib'
import { Archive, CfnEventBusPolicy, CfnRule, EventBus } from 'aws-cdk-lib/aws-events'
import { Effect, PolicyStatement, ServicePrincipal, StarPrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { accept } from './accepted-findings.ts'

/** A queue, its dead letters, and what feeds both. */
export interface DeliveryQueue {
  readonly queue: Queue
  readonly dead: Queue
}

/** How a queue is read. */
export interface ReadOptions {
  readonly batchSize: number
  /** Seconds that a batch is waited for. */
  readonly window: number
  readonly maxConcurrency?: number | undefined
}

/** Receives before a message is a dead letter. Leases, not receives, bound the tries of a reaction. */
const mostReceives = 20

/** The custom bus and what hangs on it. */
export class EventDelivery extends Construct {
  readonly bus: EventBus
  /** What a rule could not put on its queue. */
  readonly undelivered: Queue
  readonly #emulator: boolean
  readonly #admitted = new Set<string>()

  constructor(
    scope: Construct,
    id: string,
    options: { readonly archive?: Duration | undefined; readonly emulator: boolean },
  ) {
    super(scope, id)
    this.bus = new EventBus(this, 'Bus', { description: 'Brine: every event, with its tag in detail.tag' })
    this.undelivered = this.#queue('Undelivered', { retentionPeriod: Duration.days(14) })
    accept(this.undelivered, 'SQS3', 'It is the dead-letter queue, of the rules.')
    this.#emulator = options.emulator
    // Emulators refuse the archive's CloudFormation type; there it is made by the SDK where a test wants it.
    if (options.archive !== undefined && !options.emulator) {
      new Archive(this, 'Archive', {
        sourceEventBus: this.bus,
        description: 'Brine: every event, for replay',
        eventPattern: { source: ['brine.master', 'brine.minion', 'brine.custom'] },
        retention: options.archive,
      })
    }
  }

  /** A queue that keeps a message it cannot deliver, with its payload. Visibility is six times the reader's timeout. */
  addQueue(id: string, readerTimeout: number): DeliveryQueue {
    const dead = this.#queue(`${id}DeadLetters`, { retentionPeriod: Duration.days(14) })
    const queue = this.#queue(`${id}Queue`, {
      visibilityTimeout: Duration.seconds(6 * readerTimeout),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: dead, maxReceiveCount: mostReceives },
    })
    return { queue, dead }
  }

  /** Lets a function read a queue in batches, failing messages one by one. */
  read(queue: Queue, reader: IFunction, { batchSize, window, maxConcurrency }: ReadOptions): void {
    reader.addEventSource(
      new SqsEventSource(queue, {
        batchSize,
        maxBatchingWindow: Duration.seconds(window),
        reportBatchItemFailures: true,
        ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
      }),
    )
  }

  /** A rule whose pattern is given as EventBridge wants it: the constructs know no wildcard beside a prefix. */
  addRule(
    id: string,
    options: {
      readonly about: string
      readonly pattern: object
      readonly queue: Queue
      readonly onDefaultBus?: boolean
      readonly name?: string
    },
  ): CfnRule {
    const rule = new CfnRule(this, `${id}Rule`, {
      description: `Brine: ${options.about}`,
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.onDefaultBus === true ? {} : { eventBusName: this.bus.eventBusName }),
      eventPattern: options.pattern,
      targets: [
        {
          id: 'queue',
          arn: options.queue.queueArn,
          ...(this.#emulator ? {} : { deadLetterConfig: { arn: this.undelivered.queueArn } }),
        },
      ],
    })
    for (const queue of [options.queue, this.undelivered]) {
      this.#admit(queue, options.onDefaultBus === true ? rule.attrArn : this.#ownRules)
      // A rule that may not deliver yet drops what it has to deliver.
      if (options.onDefaultBus !== true) rule.node.addDependency(queue)
    }
    return rule
  }

  /** Denies the sources of master and minions to everybody but these roles. */
  reserveSources(roles: readonly string[]): void {
    // Emulators know no such type; they do not ask policies either.
    if (this.#emulator) return
    const statement = new PolicyStatement({
      sid: 'OnlyBrineSpeaksForMasterAndMinions',
      effect: Effect.DENY,
      principals: [new StarPrincipal()],
      actions: ['events:PutEvents'],
      resources: [this.bus.eventBusArn],
      conditions: {
        'ForAnyValue:StringNotEquals': { 'events:source': ['brine.custom'] },
        ArnNotEquals: { 'aws:PrincipalArn': roles },
      },
    })
    new CfnEventBusPolicy(this, 'Sources', {
      eventBusName: this.bus.eventBusName,
      statementId: statement.sid ?? 'Sources',
      statement: statement.toStatementJson(),
    })
  }

  #queue(id: string, options: ConstructorParameters<typeof Queue>[2]): Queue {
    return new Queue(this, id, { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, ...options })
  }

  /** Every rule of our bus: a queue's policy holds 20 statements at most, and a bus more rules than that. */
  get #ownRules(): string {
    return Stack.of(this).formatArn({
      service: 'events',
      resource: 'rule',
      resourceName: `${this.bus.eventBusName}/*`,
    })
  }

  /** Once a queue and source. */
  #admit(queue: Queue, source: string): void {
    const key = `${queue.node.path} ${source}`
    if (this.#admitted.has(key)) return
    this.#admitted.add(key)
    queue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        conditions: { ArnLike: { 'aws:SourceArn': source } },
      }),
    )
  }
}
