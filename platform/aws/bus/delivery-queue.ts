// The reactor's queue: SQS messages as deliveries, put off by their visibility, and its dead letters.
import type { Message, ReceiveMessageCommandInput } from '@aws-sdk/client-sqs'
import { messageOf } from '../../../core/error.ts'
import type { Delivery, DeliveryQueue, Event, EventId, Settlement } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { asking, awsErrorName } from '../aws-error.ts'
import { longestVisibility, queueBatch } from '../layout/index.ts'
import { inParallel } from '../store/parallel.ts'
import type { Payloads } from '../store/payloads.ts'
import { type Received, receivedFrom } from './envelope.ts'
import type { Queues } from './later-queues.ts'

/** A message of a queue, as far as settling it needs. */
export interface QueueMessage {
  readonly receipt: string
  readonly body: string
}

/** Where the queue is; long polls want a client of their own. */
export interface QueuePlaces {
  readonly url: string
  readonly deadUrl: string
}

const POLL_SECONDS = 10
/** Seconds for which dead letters are hidden from others while they are looked through, and how many are. */
const LOOK_SECONDS = 20
const MOST_DEAD = 1000
const MOST_REASON = 1000
const NO_REASON = 'it was delivered again and again without an answer: the function crashed or ran out of time'

interface DeadLetter extends QueueMessage {
  readonly received: Received | undefined
  readonly reason: string
  readonly at: number
}

/**
 * Deliveries to the reactor over SQS. On AWS the messages come with the function's invocation; `receive` is for tools
 * and tests.
 *
 * INVARIANTS
 * - a message is deleted only when its delivery is done, or is among the dead letters.
 * - a dead letter keeps the message's body, and its reason as an attribute; one that SQS moved by itself has none.
 */
export class SqsDeliveryQueue implements DeliveryQueue {
  readonly #client: Queues
  readonly #polling: Queues
  readonly #places: QueuePlaces
  readonly #payloads: Payloads
  readonly #clock: Pick<Clock, 'now'>
  readonly #out = new Map<EventId, QueueMessage[]>()

  constructor(
    clients: { readonly client: Queues; readonly polling: Queues },
    places: QueuePlaces,
    payloads: Payloads,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#client = clients.client
    this.#polling = clients.polling
    this.#places = places
    this.#payloads = payloads
    this.#clock = clock
  }

  async receive(limit: number, signal: AbortSignal): Promise<Delivery[]> {
    while (!signal.aborted) {
      const most = Math.min(limit, queueBatch)
      const asked = { QueueUrl: this.#places.url, MaxNumberOfMessages: most, WaitTimeSeconds: POLL_SECONDS }
      const messages = await this.#receive(this.#polling, asked, signal)
      const deliveries = await inParallel(messages, (message) => this.#delivery(message))
      const found = deliveries.filter((delivery) => delivery !== undefined)
      if (found.length > 0) return found
    }
    return []
  }

  async settle(event: EventId, settlement: Settlement): Promise<void> {
    const messages = this.#out.get(event) ?? []
    this.#out.delete(event)
    for (const message of messages) {
      await this.settleMessage(message, settlement)
      if (settlement.kind !== 'later') await this.#delete(this.#places.url, message.receipt)
    }
  }

  /** Settles one message, all but its deletion, which the function's answer brings about. */
  async settleMessage({ receipt, body }: QueueMessage, settlement: Settlement): Promise<void> {
    switch (settlement.kind) {
      case 'done':
        return
      case 'later':
        return this.#hide(this.#places.url, receipt, settlement.at)
      case 'dead':
        return this.#bury(body, settlement.reason)
    }
  }

  async depth(): Promise<number> {
    return this.#count(this.#places.url)
  }

  async deadCount(): Promise<number> {
    return this.#count(this.#places.deadUrl)
  }

  async dead(): Promise<{ event: Event; reason: string; at: number }[]> {
    const letters = await this.#deadLetters()
    await this.#show(letters)
    const events = letters.flatMap(({ received, reason, at }) =>
      received === undefined ? [] : [{ event: received.event, reason, at }],
    )
    return events.sort((a, b) => a.at - b.at)
  }

  async redrive(event: EventId, how: 'again' | 'discard'): Promise<boolean> {
    const letters = await this.#deadLetters()
    const meant = letters.filter(({ received }) => received?.event.id === event)
    await this.#show(letters.filter((letter) => !meant.includes(letter)))
    for (const [index, { body, receipt }] of meant.entries()) {
      if (how === 'again' && index === 0) await this.#send(this.#places.url, body)
      await this.#delete(this.#places.deadUrl, receipt)
    }
    return meant.length > 0
  }

  /** Gives back what was received and not settled, so that it comes again at once. */
  async close(): Promise<void> {
    const messages = [...this.#out.values()].flat()
    this.#out.clear()
    await inParallel(messages, ({ receipt }) => this.#hide(this.#places.url, receipt, 0))
  }

  async #delivery(message: Message): Promise<Delivery | undefined> {
    const { Body: body = '', ReceiptHandle: receipt = '' } = message
    const received = await this.#read(body)
    if (received === undefined) {
      await this.#delete(this.#places.url, receipt)
      return undefined
    }
    const { event } = received
    const known = this.#out.get(event.id)
    this.#out.set(event.id, [...(known ?? []), { receipt, body }])
    if (known !== undefined) return undefined
    return { event, attempt: Number(message.Attributes?.ApproximateReceiveCount ?? 1) }
  }

  /** The event of a body; what cannot be read is buried with the reason. */
  async #read(body: string): Promise<Received | undefined> {
    try {
      return await receivedFrom(body, this.#payloads)
    } catch (error) {
      await this.#bury(body, messageOf(error))
      return undefined
    }
  }

  /** All dead letters, hidden from others for a while; the approximate count tells when none is left. */
  async #deadLetters(): Promise<DeadLetter[]> {
    const letters = new Map<string, DeadLetter>()
    const url = this.#places.deadUrl
    for (let rounds = 0; letters.size < MOST_DEAD && rounds < MOST_DEAD; rounds++) {
      const asked = {
        QueueUrl: url,
        MaxNumberOfMessages: queueBatch,
        WaitTimeSeconds: 0,
        VisibilityTimeout: LOOK_SECONDS,
      }
      const messages = await this.#receive(this.#client, asked)
      for (const message of messages)
        letters.set(message.MessageId ?? message.ReceiptHandle ?? '', await this.#letter(message))
      if (messages.length === 0 && (await this.#visible(url)) === 0) break
    }
    return [...letters.values()]
  }

  async #letter(message: Message): Promise<DeadLetter> {
    const { Body: body = '', ReceiptHandle: receipt = '', Attributes, MessageAttributes } = message
    let received: Received | undefined
    let trouble: string | undefined
    try {
      received = await receivedFrom(body, this.#payloads)
    } catch (error) {
      trouble = messageOf(error)
    }
    return {
      body,
      receipt,
      received,
      reason: MessageAttributes?.reason?.StringValue ?? trouble ?? NO_REASON,
      at: Number(MessageAttributes?.at?.StringValue ?? Number(Attributes?.SentTimestamp ?? 0) * 1000),
    }
  }

  async #show(letters: readonly QueueMessage[]): Promise<void> {
    await inParallel(letters, ({ receipt }) => this.#hide(this.#places.deadUrl, receipt, 0))
  }

  async #receive(client: Queues, asked: ReceiveMessageCommandInput, signal?: AbortSignal): Promise<Message[]> {
    const input: ReceiveMessageCommandInput = {
      ...asked,
      MessageSystemAttributeNames: ['ApproximateReceiveCount', 'SentTimestamp'],
      MessageAttributeNames: ['reason', 'at'],
    }
    try {
      const answer = await client((sqs, { ReceiveMessageCommand }) =>
        sqs.send(new ReceiveMessageCommand(input), signal === undefined ? {} : { abortSignal: signal }),
      )
      return answer.Messages ?? []
    } catch (error) {
      if (signal?.aborted === true && awsErrorName(error) === 'AbortError') return []
      return asking('messages of a queue', () => Promise.reject(error))
    }
  }

  /** Hides a message until a time (microseconds), as long as SQS lets it; a message that is gone is left alone. */
  async #hide(url: string, receipt: string, until: number): Promise<void> {
    const seconds = Math.ceil((until - this.#clock.now()) / 1_000_000)
    const input = {
      QueueUrl: url,
      ReceiptHandle: receipt,
      VisibilityTimeout: Math.min(Math.max(seconds, 0), longestVisibility),
    }
    await ifThere(() =>
      this.#client((sqs, { ChangeMessageVisibilityCommand }) => sqs.send(new ChangeMessageVisibilityCommand(input))),
    )
  }

  async #bury(body: string, reason: string): Promise<void> {
    await this.#send(this.#places.deadUrl, body, {
      reason: reason.slice(0, MOST_REASON) || NO_REASON,
      at: String(this.#clock.now()),
    })
  }

  async #send(url: string, body: string, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
    const MessageAttributes = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
    )
    const input = { QueueUrl: url, MessageBody: body, MessageAttributes }
    await asking('a message for a queue', () =>
      this.#client((sqs, { SendMessageCommand }) => sqs.send(new SendMessageCommand(input))),
    )
  }

  async #delete(url: string, receipt: string): Promise<void> {
    const input = { QueueUrl: url, ReceiptHandle: receipt }
    await ifThere(() => this.#client((sqs, { DeleteMessageCommand }) => sqs.send(new DeleteMessageCommand(input))))
  }

  async #count(url: string): Promise<number> {
    const counts = await this.#attributes(url)
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async #visible(url: string): Promise<number> {
    return (await this.#attributes(url))[0] ?? 0
  }

  /** Messages that wait, are in work, and are put off; as SQS knows them, which may be a little late. */
  async #attributes(url: string): Promise<number[]> {
    const names = [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesDelayed',
    ] as const
    const input = { QueueUrl: url, AttributeNames: [...names] }
    const { Attributes } = await asking('the length of a queue', () =>
      this.#client((sqs, { GetQueueAttributesCommand }) => sqs.send(new GetQueueAttributesCommand(input))),
    )
    return names.map((name) => Number(Attributes?.[name] ?? 0))
  }
}

/** A receipt that has become invalid is of a message that was deleted, or that somebody else has now. */
async function ifThere(work: () => Promise<unknown>): Promise<void> {
  await asking('a message of a queue', async () => {
    try {
      await work()
    } catch (error) {
      if (!['ReceiptHandleIsInvalid', 'MessageNotInflight', 'InvalidParameterValue'].includes(shortName(error)))
        throw error
    }
  })
}

function shortName(error: unknown): string {
  return awsErrorName(error).replace(/^AWS\.SimpleQueueService\./, '')
}
