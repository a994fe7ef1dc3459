// What Lambda does with a queue, in a process that a test can kill: batches go to the reactor's handler, what it took is deleted.
import { subscribe } from 'node:diagnostics_channel'
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { handler } from '../../functions/reactor.ts'
import { variables } from '../../platform/aws/layout/index.ts'
import { emulatorClients } from './resources.ts'

const queues = new SQSClient(emulatorClients())
const QueueUrl = process.env[variables.reactorQueue]
/** Milliseconds that an invocation has. */
const longest = 60_000
/** With how many requests to AWS behind its first messages it dies, the last of them on its way; never where nothing is said. */
const death = Number(process.env.BRINE_DEATH ?? Number.POSITIVE_INFINITY)
let requests = Number.NaN
subscribe('http.client.request.start', () => {
  if (++requests >= death) setImmediate(() => process.kill(process.pid, 'SIGKILL'))
})

for (;;) {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: 1,
    MessageSystemAttributeNames: ['ApproximateReceiveCount'],
  })
  const { Messages = [] } = await queues.send(command)
  if (Messages.length === 0) continue
  process.stdout.write(`taken ${Messages.length}\n`)
  if (Number.isNaN(requests)) requests = 0
  const end = Date.now() + longest
  const Records = Messages.map(({ MessageId = '', ReceiptHandle = '', Body = '', Attributes }) => ({
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: { ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '1' },
    messageAttributes: {},
    eventSource: 'aws:sqs',
  }))
  const context = { getRemainingTimeInMillis: () => end - Date.now() }
  const { batchItemFailures } = await handler({ Records }, context)
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
  for (const { MessageId = '', ReceiptHandle } of Messages)
    if (!failed.has(MessageId)) await queues.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
}
