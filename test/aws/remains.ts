// What of a stack is there on the emulator, asked of each service itself: its CloudFormation may believe too much.
import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation'
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DescribeEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { DescribeStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn'
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { emulatorClients } from './resources.ts'

/** A resource of a stack. */
export interface StackResource {
  readonly type: string
  readonly id: string
}

const clients = {
  dynamo: new DynamoDBClient(emulatorClients()),
  events: new EventBridgeClient(emulatorClients()),
  lambda: new LambdaClient(emulatorClients()),
  objects: new S3Client({ ...emulatorClients(), forcePathStyle: true }),
  schedules: new SchedulerClient(emulatorClients()),
  secrets: new SecretsManagerClient(emulatorClients()),
  queues: new SQSClient(emulatorClients()),
  parameters: new SSMClient(emulatorClients()),
  machines: new SFNClient(emulatorClients()),
}

/** Asks for one resource of a type; rejects where there is none. */
const askers: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'AWS::DynamoDB::Table': (TableName) => clients.dynamo.send(new DescribeTableCommand({ TableName })),
  'AWS::Events::EventBus': (Name) => clients.events.send(new DescribeEventBusCommand({ Name })),
  'AWS::Lambda::Function': (FunctionName) => clients.lambda.send(new GetFunctionCommand({ FunctionName })),
  'AWS::S3::Bucket': (Bucket) => clients.objects.send(new HeadBucketCommand({ Bucket })),
  'AWS::Scheduler::Schedule': (Name) => clients.schedules.send(new GetScheduleCommand({ Name })),
  'AWS::SecretsManager::Secret': async (SecretId) => {
    const { DeletedDate } = await clients.secrets.send(new DescribeSecretCommand({ SecretId }))
    if (DeletedDate !== undefined) throw new Error('it is marked for deletion')
  },
  'AWS::SQS::Queue': (QueueUrl) => clients.queues.send(new GetQueueAttributesCommand({ QueueUrl })),
  'AWS::SSM::Parameter': (Name) => clients.parameters.send(new GetParameterCommand({ Name })),
  'AWS::StepFunctions::StateMachine': (stateMachineArn) =>
    clients.machines.send(new DescribeStateMachineCommand({ stateMachineArn })),
}

/** The types that are asked after. */
export const askedTypes: readonly string[] = Object.keys(askers)

/** The stack's resources of those types. */
export async function resourcesOf(StackName: string): Promise<StackResource[]> {
  const client = new CloudFormationClient(emulatorClients())
  const found: StackResource[] = []
  for (let NextToken: string | undefined, first = true; first || NextToken !== undefined; first = false) {
    const command = new ListStackResourcesCommand({ StackName, ...(NextToken === undefined ? {} : { NextToken }) })
    const page = await client.send(command)
    for (const { ResourceType: type = '', PhysicalResourceId: id = '' } of page.StackResourceSummaries ?? [])
      if (askers[type] !== undefined) found.push({ type, id })
    NextToken = page.NextToken
  }
  client.destroy()
  return found
}

/** Those that are still there. */
export async function remaining(resources: readonly StackResource[]): Promise<StackResource[]> {
  const there = await Promise.all(
    resources.map(async ({ type, id }) => {
      try {
        await askers[type]?.(id)
        return true
      } catch (error) {
        if (error instanceof Error) return false
        throw error
      }
    }),
  )
  return resources.filter((_, index) => there[index])
}
