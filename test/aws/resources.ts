// The resources of one master on the emulator, made by the SDK: what the stack deploys, without the functions.
import { randomBytes } from 'node:crypto'
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  CreateEventBusCommand,
  DeleteEventBusCommand,
  DeleteRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { CreateSecretCommand, DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { CreateQueueCommand, DeleteQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import {
  allSources,
  liveRuleName,
  liveRules,
  ruleTarget,
  type TableName,
  tables,
} from '../../platform/aws/layout/index.ts'
import type { AwsPlaces } from '../../platform/aws/store/aws-store.ts'

/** What to make. */
export interface ResourceNeeds {
  readonly tables?: boolean
  readonly bucket?: boolean
  /** A bus whose every event reaches the reactor's queue. */
  readonly bus?: boolean
  readonly secret?: boolean
  /** Seconds until a message that was not settled comes again. */
  readonly visibility?: number
}

/** The places of a master, and a way to take them down. */
export interface Resources {
  readonly places: AwsPlaces
  remove(): Promise<void>
}

/** How the SDK reaches the emulator. */
export function emulatorClients() {
  const endpoint = process.env.AWS_ENDPOINT_URL ?? 'http://127.0.0.1:4566'
  return { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } }
}

const dynamo = new DynamoDBClient(emulatorClients())
const events = new EventBridgeClient(emulatorClients())
const queues = new SQSClient(emulatorClients())
const objects = new S3Client({ ...emulatorClients(), forcePathStyle: true })
const secrets = new SecretsManagerClient(emulatorClients())

/** Makes them under a name of their own. What is not needed has a name and does not exist. */
export async function makeResources(needs: ResourceNeeds): Promise<Resources> {
  const name = `brine-${randomBytes(5).toString('hex')}`
  const places: AwsPlaces = {
    tables: Object.fromEntries(tables.map((table) => [table.name, `${name}-${table.name}`])) as Record<
      TableName,
      string
    >,
    bucket: name,
    bus: name,
    reactorQueue: '',
    reactorDeadQueue: '',
    fanOutQueue: '',
    connectionsEndpoint: emulatorClients().endpoint,
    signingSecret: name,
    rulePrefix: `${name}-`,
  }
  if (needs.tables === true) await Promise.all(Object.values(places.tables).map(makeTable))
  if (needs.bucket === true) await objects.send(new CreateBucketCommand({ Bucket: name }))
  if (needs.secret === true)
    await secrets.send(new CreateSecretCommand({ Name: name, SecretString: randomBytes(48).toString('base64') }))
  if (needs.bus !== true) return { places, remove: () => remove(places, needs, []) }
  const [reactorDeadQueue, fanOutQueue] = await Promise.all([
    makeQueue(`${name}-dead`, 60),
    makeQueue(`${name}-fan-out`, 60),
  ])
  const reactorQueue = await makeQueue(`${name}-reactor`, needs.visibility ?? 60)
  const rules = await makeBus(name, reactorQueue)
  const made = { ...places, reactorQueue, reactorDeadQueue, fanOutQueue }
  return { places: made, remove: () => remove(made, needs, rules) }
}

async function makeTable(name: string): Promise<void> {
  await dynamo.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  )
}

async function makeQueue(name: string, visibility: number): Promise<string> {
  const command = new CreateQueueCommand({ QueueName: name, Attributes: { VisibilityTimeout: String(visibility) } })
  return (await queues.send(command)).QueueUrl ?? ''
}

/** The bus, a rule that takes everything, and the spare rules for what is added at run time. */
async function makeBus(name: string, queueUrl: string): Promise<string[]> {
  await events.send(new CreateEventBusCommand({ Name: name }))
  const { Attributes } = await queues.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }),
  )
  const rules = ['all', ...Array.from({ length: liveRules }, (_, index) => liveRuleName('', index))].map(
    (rule) => `${name}-${rule}`,
  )
  for (const [index, rule] of rules.entries()) {
    const pattern = { source: index === 0 ? allSources : ['brine.none'] }
    await events.send(new PutRuleCommand({ Name: rule, EventBusName: name, EventPattern: JSON.stringify(pattern) }))
    if (index > 0) continue
    const target = { Id: ruleTarget, Arn: Attributes?.QueueArn ?? '' }
    await events.send(new PutTargetsCommand({ Rule: rule, EventBusName: name, Targets: [target] }))
  }
  return rules
}

async function remove(places: AwsPlaces, needs: ResourceNeeds, rules: readonly string[]): Promise<void> {
  const EventBusName = places.bus
  for (const [index, Name] of rules.entries()) {
    if (index === 0) await events.send(new RemoveTargetsCommand({ Rule: Name, EventBusName, Ids: [ruleTarget] }))
    await events.send(new DeleteRuleCommand({ Name, EventBusName }))
  }
  if (rules.length > 0) await events.send(new DeleteEventBusCommand({ Name: EventBusName }))
  for (const url of [places.reactorQueue, places.reactorDeadQueue, places.fanOutQueue])
    if (url !== '') await queues.send(new DeleteQueueCommand({ QueueUrl: url }))
  if (needs.secret === true)
    await secrets.send(new DeleteSecretCommand({ SecretId: places.signingSecret, ForceDeleteWithoutRecovery: true }))
  if (needs.tables === true)
    for (const name of Object.values(places.tables)) await dynamo.send(new DeleteTableCommand({ TableName: name }))
}
