// All ports of a master on AWS, over the resources of one deployment.
import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import type { Ports } from '../../../master/ports.ts'
import { SystemClock } from '../../../reaction/system-clock.ts'
import { SqsDeliveryQueue } from '../bus/delivery-queue.ts'
import { EventBridgeBus } from '../bus/event-bus.ts'
import { createFanOut, type FanOut } from '../bus/fan-out.ts'
import { laterQueues } from '../bus/later-queues.ts'
import { liveReactorRules } from '../bus/live-rules.ts'
import { type ClientOptions, clientConfig } from '../clients.ts'
import { autosignFolder, cloudFolder, pillarFolder, type TableName } from '../layout/index.ts'
import { DynamoAudit } from './audit.ts'
import { DynamoBankStore } from './bank-store.ts'
import { DynamoCloudStore } from './cloud-store.ts'
import { PointedConfigStore } from './config-store.ts'
import { SocketConnections } from './connections.ts'
import { Dynamo } from './dynamo.ts'
import { DynamoEventLog } from './event-log.ts'
import { BucketFileStore } from './file-store.ts'
import { DynamoJobStore } from './job-store.ts'
import { DynamoKeyRing } from './key-ring.ts'
import { DynamoLedger } from './ledger.ts'
import { DynamoMailbox } from './mailbox.ts'
import { DynamoMinionStore } from './minion-store.ts'
import { bucketObjects, type Objects } from './objects.ts'
import { DynamoOrchestrationStore } from './orchestration-store.ts'
import { Payloads } from './payloads.ts'
import { Records } from './records.ts'
import { secretReader } from './secret.ts'
import { SecretSigner } from './signer.ts'
import { socketPost } from './socket-post.ts'
import { DynamoTimers } from './timers.ts'
import { DynamoTokenStore } from './token-store.ts'
import { oneByOne } from './write-order.ts'

/** What a deployment is made of. */
export interface AwsPlaces {
  readonly tables: Readonly<Record<TableName, string>>
  readonly bucket: string
  readonly bus: string
  /** URLs. */
  readonly reactorQueue: string
  readonly reactorDeadQueue: string
  readonly fanOutQueue: string
  /** Where messages to open sockets are posted. */
  readonly connectionsEndpoint: string
  readonly signingSecret: string
  /** The beginning of the names of the rules for entries added at run time. */
  readonly rulePrefix: string
}

/** How long what is kept. Seconds. */
export interface AwsRetention {
  /** @default 1 day */
  readonly events?: number
  /** Salt's `keep_jobs_seconds`; 0 keeps them for good. @default 1 day */
  readonly jobs?: number
  /** @default 7 days */
  readonly ledger?: number
  /** @default 90 */
  readonly auditDays?: number
}

/** Places, and how to reach them. */
export interface AwsStoreOptions {
  readonly places: AwsPlaces
  readonly clients?: ClientOptions
  readonly retention?: AwsRetention
  /** Shards of the event log. @default 1 */
  readonly logShards?: number
}

/** What several adapters share. */
export interface StoreParts {
  readonly dynamo: Dynamo
  readonly records: Records
  readonly payloads: Payloads
  readonly objects: Objects
  readonly clock: SystemClock
}

/** Every port, as the AWS adapter that fills it, and what only AWS needs. */
export interface AwsStore extends Ports, StoreParts {
  readonly clock: SystemClock
  readonly log: DynamoEventLog
  readonly queue: SqsDeliveryQueue
  readonly config: PointedConfigStore
  /** The sockets themselves, behind the doorbells of `connections`. */
  readonly sockets: SocketConnections
  /** The mailbox itself, behind the fan-out of `mailbox`. */
  readonly entries: DynamoMailbox
  readonly fanOut: FanOut
  /** The files of the pillar, which no minion is given. */
  readonly pillarFiles: BucketFileStore
  /** Providers and profiles, and the agent that new machines install. */
  readonly cloudFiles: BucketFileStore
  /** Those by which keys are accepted and rejected by themselves. */
  readonly autosignFiles: BucketFileStore
  /** What is remembered while machines are made. */
  readonly clouds: DynamoCloudStore
  /** Names this process: the owner of its leases. */
  readonly owner: string
}

const DAY = 86_400

/** The door to tables and bucket, for functions that need no more. */
function openParts(places: Pick<AwsPlaces, 'tables' | 'bucket'>, clients: ClientOptions = {}): StoreParts {
  const dynamo = new Dynamo(new DynamoDBClient(clientConfig(clients)), places.tables)
  const objects = bucketObjects(places.bucket, clients)
  const payloads = new Payloads(objects)
  return { dynamo, records: new Records(payloads), payloads, objects, clock: new SystemClock() }
}

/** Opens every port. Nothing is asked of AWS before the first use. */
export function openAwsStore(options: AwsStoreOptions): AwsStore {
  const { places, clients = {}, retention = {} } = options
  const parts = openParts(places, clients)
  const { dynamo, records, payloads, objects, clock } = parts
  const events = new EventBridgeClient(clientConfig(clients))
  const queues = { client: laterQueues(clients), polling: laterQueues(clients, { polling: true }) }
  const sockets = new SocketConnections(dynamo, clock, socketPost(places.connectionsEndpoint, clients))
  const entries = new DynamoMailbox(dynamo, records, clock)
  const fanOut = createFanOut(
    { mailbox: entries, connections: sockets },
    { client: queues.client, url: places.fanOutQueue },
  )
  const files = new BucketFileStore(parts)
  return {
    ...parts,
    bus: new EventBridgeBus(events, places.bus, payloads, clock),
    log: new DynamoEventLog(dynamo, records, clock, {
      keepSeconds: retention.events ?? DAY,
      shards: options.logShards ?? 1,
    }),
    queue: new SqsDeliveryQueue(
      queues,
      { url: places.reactorQueue, deadUrl: places.reactorDeadQueue },
      payloads,
      clock,
    ),
    ledger: new DynamoLedger(dynamo, records, clock, retention.ledger ?? 7 * DAY),
    keys: new DynamoKeyRing(dynamo, records, clock),
    minions: new DynamoMinionStore(dynamo, records, clock),
    jobs: new DynamoJobStore(dynamo, records, clock, retention.jobs ?? DAY),
    mailbox: fanOut.mailbox,
    connections: fanOut.connections,
    sockets,
    entries,
    fanOut,
    files,
    pillarFiles: new BucketFileStore(parts, pillarFolder),
    cloudFiles: new BucketFileStore(parts, cloudFolder),
    autosignFiles: new BucketFileStore(parts, autosignFolder),
    clouds: new DynamoCloudStore(dynamo, records, clock),
    config: new PointedConfigStore({
      dynamo,
      records,
      objects,
      files,
      rules: liveReactorRules(events, places.bus, places.rulePrefix),
      clock,
    }),
    signer: new SecretSigner(secretReader(places.signingSecret, clients)),
    tokens: new DynamoTokenStore(dynamo, records, clock),
    audit: new DynamoAudit(dynamo, records, clock, retention.auditDays ?? 90),
    timers: new DynamoTimers(dynamo, records),
    banks: new DynamoBankStore(dynamo, records),
    orchestrations: new DynamoOrchestrationStore(dynamo, records, clock, retention.jobs ?? DAY),
    writes: oneByOne,
    owner: `aws/${randomUUID()}`,
  }
}
