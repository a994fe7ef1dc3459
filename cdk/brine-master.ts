// BrineMaster: a Salt master's bus, reactor, API and memory on EventBridge, Lambda and DynamoDB.
import { join } from 'node:path'
import { Annotations, CustomResource, Duration, Names, RemovalPolicy, Tags } from 'aws-cdk-lib'
import type { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling'
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import type { EventBus } from 'aws-cdk-lib/aws-events'
import { Grant, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import { Construct } from 'constructs'
import { allSources, liveRuleName, liveRules, packRules, sources } from '../platform/aws/layout/index.ts'
import { accept } from './accepted-findings.ts'
import { autosignOf } from './autosign.ts'
import type { BrineMasterProps } from './brine-master-props.ts'
import { allowClouds } from './cloud-policies.ts'
import { Content } from './content.ts'
import { Doors } from './doors.ts'
import { EventDelivery } from './event-delivery.ts'
import { fleetTag } from './fleet-tag.ts'
import { MasterFunctions } from './master-functions.ts'
import { allowPillars } from './pillar-policies.ts'
import { ignoredOf, longestKept, settingsOf } from './settings.ts'
import { Storage } from './storage.ts'
import { Watching } from './watching.ts'

/** The pattern of a rule that takes nothing: kept for reactor entries added at run time. */
const takesNothing = { source: ['brine.none'] }

/**
 * A master. `fire` events on it from other constructs with {@link grantFire}; let instances join it with a BrineFleet, or
 * from anywhere with `brine-minion` and its {@link url}.
 *
 * The ids of the constructs below are a contract: tables, bucket and keys keep their data across updates by them.
 */
export class BrineMaster extends Construct {
  /** Every event, with its tag in `detail.tag`. */
  readonly bus: EventBus
  /** What minions have as `master`. */
  readonly url: string
  /** Where doorbells and watchers connect. */
  readonly socketUrl: string
  /** The name minions prove their keys to, where it was given. */
  readonly masterId: string | undefined
  /** Holds the finger of the signing key, for minions that trust nothing on first use. */
  readonly fingerParameter: StringParameter
  readonly functions: MasterFunctions
  readonly storage: Storage
  readonly #watching: Watching

  constructor(scope: Construct, id: string, props: BrineMasterProps = {}) {
    super(scope, id)
    const removalPolicy = props.removalPolicy ?? RemovalPolicy.DESTROY
    this.masterId = props.masterId
    this.storage = new Storage(this, 'Storage', removalPolicy, longestKept(settingsOf(props, this)))
    const secret = new Secret(this, 'SigningKey', {
      description: 'Brine: what the key that signs jobs is derived from',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy,
    })
    accept(
      secret,
      'SMG4',
      'Minions pin the key by its finger. Another key is a decision: docs/aws.md says how it is made known.',
    )
    const doors = new Doors(this, 'Doors', props.emulator?.endpoint)
    const events = new EventDelivery(this, 'Events', { archive: props.archive, emulator: props.emulator !== undefined })
    this.bus = events.bus
    this.url = doors.url
    this.socketUrl = doors.socketUrl
    const rulePrefix = `${Names.uniqueResourceName(this, { maxLength: 48, separator: '-' })}-`
    this.functions = new MasterFunctions(this, 'Functions', {
      props,
      storage: this.storage,
      secret,
      doors,
      events,
      rulePrefix,
    })
    const users = props.externalAuth ?? props.settings?.external_auth
    doors.routeHttp(this.functions.gateway, { users: users !== undefined })
    doors.routeSocket(this.functions.socket)

    const content = new Content(this, 'Content', {
      reactors: props.reactors ?? join(import.meta.dirname, '../reactors'),
      fileRoots: props.fileRoots ?? {},
      pillarRoots: props.pillarRoots ?? {},
      ignoresFile: ignoredOf(props.settings),
      autosign: autosignOf(props.settings),
      ...(props.cloud === undefined
        ? {}
        : {
            clouds: {
              folder: props.cloud,
              agentFile: props.agentFile ?? join(import.meta.dirname, '../dist/brine-minion.mjs'),
            },
          }),
    })
    if (props.cloud !== undefined) allowClouds(this.functions, props.cloudRoles ?? [])
    allowPillars(this.functions, props.settings?.ext_pillar)
    this.#addRules(events, content.globs, rulePrefix, props.simulatedSources ?? [])
    this.functions.deploy.addToRolePolicy(
      new PolicyStatement({
        actions: ['s3:GetObject'],
        resources: [content.asset.bucket.arnForObjects(content.asset.s3ObjectKey)],
      }),
    )
    const deployed = new CustomResource(this, 'Deployed', {
      serviceToken: this.functions.deploy.functionArn,
      resourceType: 'Custom::BrineContent',
      // Three tries of the function, and the minutes between them: one that cannot answer fails the deployment then.
      serviceTimeout: Duration.minutes(20),
      properties: {
        bucket: content.asset.s3BucketName,
        key: content.asset.s3ObjectKey,
        emptyOnDelete: removalPolicy === RemovalPolicy.DESTROY ? 'yes' : 'no',
      },
    })
    // The rules take what the new set wants before it is in force.
    deployed.node.addDependency(this.functions, this.storage, events)
    this.fingerParameter = new StringParameter(this, 'Finger', {
      description: "Brine: the finger of the master's signing key",
      stringValue: deployed.getAttString('Finger'),
    })
    this.#watching = new Watching(this, 'Watching', {
      busName: events.bus.eventBusName,
      reactor: this.functions.reactor,
      gateway: this.functions.gateway,
      eventLog: this.functions.eventLog,
      turn: this.functions.turn,
      reactorQueue: this.functions.queues.reactor.queue,
      logQueue: this.functions.queues.log.queue,
      dead: {
        Reactor: this.functions.queues.reactor.dead,
        Log: this.functions.queues.log.dead,
        FanOut: this.functions.queues.fanOut.dead,
        Cloud: this.functions.queues.cloud.dead,
        Undelivered: events.undelivered,
      },
      alarmTopic: props.alarmTopic,
    })
  }

  /** Lets somebody put events on the bus, with the source `brine.custom` and no other. */
  grantFire(grantee: IGrantable): Grant {
    return Grant.addToPrincipal({
      grantee,
      actions: ['events:PutEvents'],
      resourceArns: [this.bus.eventBusArn],
      conditions: {
        'ForAllValues:StringEquals': { 'events:source': [sources.custom] },
        Null: { 'events:source': 'false' },
      },
    })
  }

  /** Lets somebody use the commands and the library over IAM: by invoking the gateway. */
  grantCommands(grantee: IGrantable): Grant {
    return this.functions.gateway.grantInvoke(grantee)
  }

  /** Lets the master complete the hooks of a group. BrineFleet calls it. */
  addFleet(group: AutoScalingGroup): void {
    Tags.of(group).add(fleetTag.key, fleetTag.value)
  }

  /** Events that reached the log. */
  metricEvents(): Metric {
    return this.#watching.own('EventsLogged', 'sum')
  }

  /** Reactions that were started. */
  metricReactions(): Metric {
    return this.#watching.own('ReactionsStarted', 'sum')
  }

  /** Reactions that failed or were refused. */
  metricFailures(): Metric {
    return this.#watching.own('ReactionsFailed', 'sum')
  }

  /** Milliseconds from an event to its reaction. */
  metricLatency(statistic = 'p95'): Metric {
    return this.#watching.own('ReactionLatency', statistic)
  }

  #addRules(events: EventDelivery, globs: readonly string[], rulePrefix: string, simulated: readonly string[]): void {
    const { reactor, log, cloud } = this.functions.queues
    events.addRule('Log', { about: 'every event, to the log', pattern: { source: allSources }, queue: log.queue })
    const { patterns, widened } = packRules(globs)
    for (const [index, pattern] of patterns.entries())
      events.addRule(`Reactor${index}`, { about: 'what reactors may want', pattern, queue: reactor.queue })
    for (const { glob, to } of widened)
      Annotations.of(this).addInfo(
        `The reactor glob '${glob}' reaches the reactor as ${JSON.stringify(to)}: EventBridge takes no more wildcards. What matches that and not the glob costs an invocation.`,
      )
    for (let index = 0; index < liveRules; index++)
      events.addRule(`Live${index}`, {
        about: 'reactor entries added at run time',
        pattern: takesNothing,
        queue: reactor.queue,
        name: liveRuleName(rulePrefix, index),
      })
    events.addRule('Starts', {
      about: 'minions that start, for launches that wait for them',
      pattern: { source: [sources.minion], detail: { tag: [{ suffix: '/start' }] } },
      queue: cloud.queue,
    })
    events.addRule('Launches', {
      about: 'returns of start-up jobs, which end launches',
      pattern: { source: [sources.minion], detail: { launch: [true] } },
      queue: cloud.queue,
    })
    events.addRule('Cloud', {
      about: 'EC2 and Auto Scaling',
      pattern: {
        source: ['aws.ec2', 'aws.autoscaling', ...simulated],
        'detail-type': [
          'EC2 Instance State-change Notification',
          'EC2 Instance-launch Lifecycle Action',
          'EC2 Instance-terminate Lifecycle Action',
          'EC2 Instance Launch Successful',
          'EC2 Instance Launch Unsuccessful',
          'EC2 Instance Terminate Successful',
          'EC2 Instance Terminate Unsuccessful',
        ],
      },
      queue: cloud.queue,
      onDefaultBus: true,
    })
  }
}
