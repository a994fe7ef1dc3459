// A job to many minions goes through a queue, in hundreds: the mailbox entries of each, then their doorbells.
import { BrineError } from '../../../core/error.ts'
import type { Connections, Jid, Mailbox, MinionId } from '../../../master/ports.ts'
import { asking } from '../aws-error.ts'
import { fanOutFrom, fanOutHundreds, queueBatch } from '../layout/index.ts'
import type { DynamoMailbox } from '../store/mailbox.ts'
import { inBatches } from '../store/parallel.ts'
import type { Queues } from './later-queues.ts'

/** A message of the fan-out queue: some minions of one job. */
interface Share {
  readonly jid: Jid
  readonly expiry: number
  readonly minions: readonly MinionId[]
}

/** Mailbox and doorbells that send what is for many through a queue, and what takes it from there. */
export interface FanOut {
  readonly mailbox: Mailbox
  readonly connections: Connections
  /** Writes the entries of one message and rings. Safe to repeat. */
  take(body: string): Promise<void>
}

const TRIES = 5

/**
 * Up to {@link fanOutFrom} minions are written and rung at once. For more, the signed job and the messages are durable
 * when `put` resolves, and the entries follow within seconds; each hundred is rung when it was written, so that `ring`
 * has nothing left to do for them.
 */
export function createFanOut(
  parts: { readonly mailbox: DynamoMailbox; readonly connections: Connections },
  queue: { readonly client: Queues; readonly url: string },
): FanOut {
  const { mailbox, connections } = parts
  return {
    mailbox: {
      async put(minions, entry) {
        if (minions.length <= fanOutFrom) return mailbox.put(minions, entry)
        await mailbox.putEnvelope(entry)
        const shares = inBatches(minions, fanOutHundreds).map(
          (some): Share => ({ jid: entry.jid, expiry: entry.expiry, minions: some }),
        )
        for (const batch of inBatches(shares, queueBatch)) await send(queue, batch)
      },
      fetch: (minion, now, journal, page) => mailbox.fetch(minion, now, journal, page),
      settle: (minion, jid) => mailbox.settle(minion, jid),
      drop: (minion) => mailbox.drop(minion),
      wait: (minion, signal, known) => mailbox.wait(minion, signal, known),
    },
    connections: {
      ring: async (minions) => {
        if (minions.length <= fanOutFrom) await connections.ring(minions)
      },
      connected: () => connections.connected(),
    },
    async take(body) {
      const { jid, expiry, minions } = JSON.parse(body) as Share
      await mailbox.putEntries(minions, { jid, expiry })
      await connections.ring(minions)
    },
  }
}

async function send({ client, url }: { client: Queues; url: string }, shares: readonly Share[]): Promise<void> {
  let open = shares.map((share, index) => ({ Id: String(index), MessageBody: JSON.stringify(share) }))
  for (let tries = 0; tries < TRIES; tries++) {
    const input = { QueueUrl: url, Entries: open }
    const { Failed = [] } = await asking('the shares of a job', () =>
      client((sqs, { SendMessageBatchCommand }) => sqs.send(new SendMessageBatchCommand(input))),
    )
    const failed = new Set(Failed.map(({ Id }) => Id))
    open = open.filter(({ Id }) => failed.has(Id))
    if (open.length === 0) return
  }
  throw new BrineError(
    `SQS refused ${open.length} shares of a job ${TRIES} times. Publish it again with the same jid.`,
    {
      code: 'busy',
    },
  )
}
