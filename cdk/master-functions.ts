// The functions of one master: what each may touch, what calls it.
import { Duration, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { BrineError } from '../core/error.ts'
import {
  liveRuleName,
  liveRules,
  logIdentity,
  type TableName,
  type Variable,
  variables,
} from '../platform/aws/layout/index.ts'
import { accept, arnInFinding, manyResources } from './accepted-findings.ts'
import type { BrineMasterProps } from './brine-master-props.ts'
import type { Doors } from './doors.ts'
import type { DeliveryQueue, EventDelivery } from './event-delivery.ts'
import { groupsOfFleets, hooksOfFleets } from './fleet-tag.ts'
import { FunctionSet } from './function-set.ts'
import { machineArn, OrchestrationMachine } from './orchestration.ts'
import { requireRoom, settingsOf } from './settings.ts'
import type { Storage } from './storage.ts'
import { bundledRunners } from './user-runners.ts'

/** What the functions are joined to. */
export interface MasterFunctionsNeeds {
  readonly props: BrineMasterProps
  readonly storage: Storage
  readonly secret: Secret
  readonly doors: Doors
  readonly events: EventDelivery
  readonly rulePrefix: string
}

/** Seconds. A reaction's lease is 30 s longer than the reactor's, its queue's visibility six times as long. */
const timeouts = {
  gateway: 29,
  reactor: 60,
  log: 60,
  fanOut: 60,
  socket: 29,
  cloud: 60,
  presence: 60,
  turn: 60,
  run: 900,
  deploy: 300,
}

/** Invocations that write the log at once: more would only stand in each other's way, for its end is one item. */
const logWriters = 2

/** What reading and writing a table takes; transactions ask for these, item by item. */
const tableActions = {
  read: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
  write: [
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
    'dynamodb:BatchWriteItem',
    'dynamodb:ConditionCheckItem',
  ],
}

/** Functions, their queues and schedules. */
export class MasterFunctions extends Construct {
  readonly gateway: LambdaFunction
  readonly reactor: LambdaFunction
  readonly eventLog: LambdaFunction
  readonly fanOut: LambdaFunction
  readonly socket: LambdaFunction
  readonly cloudEvents: LambdaFunction
  readonly presence: LambdaFunction
  readonly turn: LambdaFunction
  readonly run: LambdaFunction
  readonly orchestrations: OrchestrationMachine
  readonly deploy: LambdaFunction
  readonly queues: {
    readonly reactor: DeliveryQueue
    readonly log: DeliveryQueue
    readonly fanOut: DeliveryQueue
    readonly cloud: DeliveryQueue
  }
  readonly #needs: MasterFunctionsNeeds

  constructor(scope: Construct, id: string, needs: MasterFunctionsNeeds) {
    super(scope, id)
    this.#needs = needs
    const { events, props } = needs
    this.queues = {
      reactor: events.addQueue('Reactor', timeouts.reactor),
      log: events.addQueue('Log', timeouts.log),
      fanOut: events.addQueue('FanOut', timeouts.fanOut),
      cloud: events.addQueue('Cloud', timeouts.cloud),
    }
    const runners = props.runners === undefined ? undefined : bundledRunners(props.runners)
    const set = new FunctionSet(this, 'Set', {
      environment: this.#environment(),
      concurrency: props.emulator?.concurrency,
      bundles: props.functionBundles,
    })
    this.run = set.add('Run', {
      entry: 'run',
      runners,
      about: 'runner and wheel functions',
      timeout: timeouts.run,
      memory: 1024,
      retryAttempts: 0,
    })
    const ordersRuns = { [variables.runFunction]: this.run.functionName }
    this.gateway = set.add('Gateway', {
      entry: 'gateway',
      about: 'minions, commands, library',
      timeout: timeouts.gateway,
      memory: 1024,
      environment: ordersRuns,
    })
    this.reactor = set.add('Reactor', {
      entry: 'reactor',
      runners,
      about: 'reacts to events',
      timeout: timeouts.reactor,
      memory: 1024,
      concurrency: props.reactorConcurrency,
      environment: ordersRuns,
    })
    this.turn = set.add('Turn', {
      entry: 'turn',
      about: 'turns of orchestrations',
      timeout: timeouts.turn,
      memory: 512,
      environment: ordersRuns,
    })
    this.eventLog = set.add('EventLog', {
      entry: 'event-log',
      about: 'writes the event log',
      timeout: timeouts.log,
      memory: 512,
    })
    this.fanOut = set.add('FanOut', {
      entry: 'fan-out',
      about: 'jobs to many minions',
      timeout: timeouts.fanOut,
      memory: 512,
    })
    this.socket = set.add('Socket', {
      entry: 'socket',
      about: 'doorbells and watchers',
      timeout: timeouts.socket,
      memory: 512,
    })
    this.cloudEvents = set.add('CloudEvents', {
      entry: 'cloud-events',
      about: 'EC2 and Auto Scaling',
      timeout: timeouts.cloud,
      memory: 512,
    })
    this.presence = set.add('Presence', {
      entry: 'presence',
      about: 'presence, launches, sweeps',
      timeout: timeouts.presence,
      memory: 512,
    })
    this.deploy = set.add('Deploy', {
      entry: 'deploy',
      about: 'puts a deployment in force',
      timeout: timeouts.deploy,
      memory: 1024,
      concurrency: undefined,
    })
    this.orchestrations = new OrchestrationMachine(this, 'Orchestrations', {
      turn: this.turn,
      storage: needs.storage,
      prefix: needs.rulePrefix,
      emulator: props.emulator !== undefined,
    })
    this.#grant()
    this.#accept()
    this.#read()
    this.#schedule()
    events.reserveSources(
      [this.gateway, this.reactor, this.run, this.turn, this.cloudEvents, this.presence].map(
        ({ role }) => role?.roleArn ?? '',
      ),
    )
  }

  #environment(): Record<string, string> {
    const { props, storage, secret, doors, events, rulePrefix } = this.#needs
    const settings = settingsOf(props, this)
    requireRoom(settings, this)
    const values: Record<Exclude<Variable, 'runFunction'>, string> = {
      tableState: storage.table('State').tableName,
      tableJobs: storage.table('Jobs').tableName,
      tableEvents: storage.table('Events').tableName,
      tableLedger: storage.table('Ledger').tableName,
      bucket: storage.bucket.bucketName,
      bus: events.bus.eventBusName,
      reactorQueue: this.queues.reactor.queue.queueUrl,
      reactorDeadQueue: this.queues.reactor.dead.queueUrl,
      fanOutQueue: this.queues.fanOut.queue.queueUrl,
      signingSecret: secret.secretArn,
      connectionsEndpoint: doors.connectionsEndpoint,
      url: doors.url,
      socketUrl: doors.socketUrl,
      rulePrefix,
      reactorTimeout: String(timeouts.reactor),
      stateMachine: machineArn(this, rulePrefix),
      settings: Stack.of(this).toJsonString(settings),
    }
    const endpoints = Object.entries(props.emulator?.endpoints ?? {})
    return {
      ...Object.fromEntries(Object.entries(values).map(([key, value]) => [variables[key as Variable], value])),
      ...Object.fromEntries(endpoints.map(([service, url]) => [`AWS_ENDPOINT_URL_${service}`, url])),
    }
  }

  /** Each function touches what it needs and no more; `test/aws/template.test.ts` holds it to that. */
  #grant(): void {
    const { storage, secret, events, doors } = this.#needs
    const { gateway, reactor, run, turn, eventLog, fanOut, socket, cloudEvents, presence, deploy } = this
    const table = (name: TableName, ...readers: LambdaFunction[]) => {
      for (const reader of readers) storage.table(name).grant(reader, ...tableActions.read, ...tableActions.write)
    }
    table('State', gateway, reactor, run, turn, fanOut, socket, cloudEvents, presence, deploy)
    table('Jobs', gateway, reactor, run, turn, fanOut, cloudEvents, presence)
    table('Events', gateway, reactor, run, eventLog, presence)
    // The first who reads the log gives it its name.
    storage.table('Events').grant(turn, ...tableActions.read, 'dynamodb:PutItem')
    table('Ledger', reactor, run)
    storage.table('Events').grant(socket, ...tableActions.read)
    for (const one of [socket, turn]) one.addToRolePolicy(this.#logIdentityPolicy())
    storage.table('State').grant(eventLog, ...tableActions.read, ...tableActions.write)
    const objects = (reader: LambdaFunction, actions: readonly string[]) =>
      reader.addToRolePolicy(
        new PolicyStatement({ actions: [...actions], resources: [storage.bucket.arnForObjects('*')] }),
      )
    for (const one of [gateway, reactor, run, turn, eventLog, fanOut, cloudEvents, presence])
      objects(one, ['s3:GetObject', 's3:PutObject'])
    objects(socket, ['s3:GetObject'])
    objects(deploy, ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'])
    // Without it S3 answers 403 for an object that is not there.
    for (const one of [gateway, reactor, run, turn, eventLog, fanOut, socket, cloudEvents, presence, deploy])
      one.addToRolePolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [storage.bucket.bucketArn] }))
    for (const one of [gateway, reactor, run, turn, cloudEvents, presence]) {
      events.bus.grantPutEventsTo(one)
      this.queues.fanOut.queue.grantSendMessages(one)
    }
    for (const one of [gateway, reactor, run, turn, cloudEvents, presence, deploy]) secret.grantRead(one)
    for (const one of [gateway, reactor, run, turn, fanOut, eventLog, cloudEvents, presence, socket])
      one.addToRolePolicy(
        new PolicyStatement({ actions: ['execute-api:ManageConnections'], resources: [doors.connectionsArn] }),
      )
    for (const one of [gateway, reactor, turn])
      one.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [run.functionArn] }))
    for (const one of [run, presence]) this.orchestrations.grantBegin(one)
    for (const one of [run, eventLog]) this.orchestrations.grantWake(one)
    this.queues.reactor.dead.grantConsumeMessages(gateway)
    for (const one of [run, reactor]) {
      this.queues.reactor.queue.grantSendMessages(one)
      this.queues.reactor.dead.grantConsumeMessages(one)
      this.queues.reactor.dead.grantSendMessages(one)
    }
    // A deployment puts the entries that were added at run time in force again.
    for (const one of [run, reactor, deploy]) one.addToRolePolicy(this.#liveRulePolicy())
    for (const one of [gateway, run]) this.queues.reactor.queue.grant(one, 'sqs:GetQueueAttributes')
    this.queues.reactor.queue.grant(reactor, 'sqs:ChangeMessageVisibility')
    this.#grantFleet()
    this.#grantInvokable()
  }

  /** Whoever asks a new log first where its end is gives it its name: that item and no other. */
  #logIdentityPolicy(): PolicyStatement {
    return new PolicyStatement({
      actions: ['dynamodb:PutItem'],
      resources: [this.#needs.storage.table('Events').tableArn],
      conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [logIdentity.pk] } },
    })
  }

  /** For `lambda.invoke`, which runs where runners do: a reaction's in the reactor. */
  #grantInvokable(): void {
    for (const one of this.#needs.props.invokableFunctions ?? []) {
      for (const runner of [this.run, this.reactor]) one.grantInvoke(runner)
      if (one.node.defaultChild !== undefined)
        accept(
          this,
          `IAM5[${arnInFinding(one, ':*')}]`,
          'A function that lambda.invoke may call, in any version of it.',
        )
    }
  }

  #liveRulePolicy(): PolicyStatement {
    const { events, rulePrefix } = this.#needs
    const stack = Stack.of(this)
    return new PolicyStatement({
      actions: ['events:PutRule'],
      resources: Array.from({ length: liveRules }, (_, index) =>
        stack.formatArn({
          service: 'events',
          resource: 'rule',
          resourceName: `${events.bus.eventBusName}/${liveRuleName(rulePrefix, index)}`,
        }),
      ),
    })
  }

  /** Asking after instances knows no resources; completing a hook is for the groups of our fleets alone. */
  #grantFleet(): void {
    for (const one of [this.gateway, this.cloudEvents, this.presence])
      one.addToRolePolicy(
        new PolicyStatement({
          actions: ['ec2:DescribeInstances', 'autoscaling:DescribeAutoScalingInstances'],
          resources: ['*'],
        }),
      )
    for (const one of [this.cloudEvents, this.presence]) one.addToRolePolicy(hooksOfFleets(this))
  }

  #accept(): void {
    const { storage, doors } = this.#needs
    accept(this, 'L1', 'Node 22 is the runtime the bundles are made for and tested with.')
    accept(this, 'IAM5[Resource::*]', 'X-Ray and the Describe calls of EC2 and Auto Scaling know no resources.')
    accept(
      this,
      `IAM5[${arnInFinding(storage.bucket, '/*')}]`,
      'Objects are named by their hashes, those that minions push by the minion.',
    )
    accept(this, `IAM5[${doors.connectionsFinding}]`, 'Which sockets are open is known at run time.')
    accept(this, manyResources(this, groupsOfFleets(this)), 'Groups of fleets alone: the condition asks for their tag.')
    accept(
      this,
      manyResources(this, this.orchestrations.executions),
      'The executions of the one machine, which are named by jids.',
    )
    accept(
      Stack.of(this),
      `IAM5[${arnInFinding(this.presence, ':*')}]`,
      "The scheduler's role, as its construct makes it: one function and its versions.",
    )
  }

  #read(): void {
    const { events, props } = this.#needs
    const maxConcurrency = props.emulator?.concurrency
    events.read(this.queues.reactor.queue, this.reactor, {
      batchSize: 10,
      window: 0,
      maxConcurrency: reactorReaders(props.reactorConcurrency) ?? maxConcurrency,
    })
    events.read(this.queues.log.queue, this.eventLog, { batchSize: 100, window: 1, maxConcurrency: logWriters })
    events.read(this.queues.fanOut.queue, this.fanOut, { batchSize: 1, window: 0, maxConcurrency })
    events.read(this.queues.cloud.queue, this.cloudEvents, { batchSize: 10, window: 0, maxConcurrency })
  }

  #schedule(): void {
    const every = this.#needs.props.presenceInterval ?? Duration.minutes(1)
    const add = (id: string, description: string, interval: Duration, task: string): void => {
      new Schedule(this, id, {
        description: `Brine: ${description}`,
        schedule: ScheduleExpression.rate(interval),
        target: new LambdaInvoke(this.presence, { input: ScheduleTargetInput.fromObject({ task }), retryAttempts: 2 }),
      })
    }
    add(
      'EachMinute',
      'presence, timers, launches under way',
      every.toMinutes() < 1 ? Duration.minutes(1) : every,
      'presence',
    )
    add('EachHour', 'keys whose instance is gone', Duration.hours(1), 'sweep')
  }
}

/** Throws `config` for what Lambda does not take: it reads a queue with 2 to 1,000 invocations at once. */
function reactorReaders(most: number | undefined): number | undefined {
  if (most === undefined || (most >= 2 && most <= 1000)) return most
  throw new BrineError(`reactorConcurrency is ${most}. Lambda reads a queue with 2 to 1000 invocations at once.`, {
    code: 'config',
  })
}
