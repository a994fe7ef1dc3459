// Who is connected: sockets of the WebSocket API, by minion, and messages to them.
import { BrineError } from '../../../core/error.ts'
import type { Connections, MinionId } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { connectionKey, listKey, listPartitions, socketKey, socketLease, socketList } from '../layout/index.ts'
import { type Attributes, type Dynamo, keyItem, n, numberIn, s } from './dynamo.ts'
import { inParallel } from './parallel.ts'
import { endsAt } from './records.ts'

/** Posts a message to a connection; `gone` where there is none any more. */
export type Post = (connection: string, text: string) => Promise<'sent' | 'gone'>

/** What a doorbell says: nothing but that there may be something. */
const doorbell = '{"doorbell":true}'

/** Minions from which on all sockets are read instead of each minion's. */
const MANY = 40
const POSTS = 32
/** Microseconds in which a socket may be opening: API Gateway knows it only when what it asks at `$connect` was answered. */
const OPENING = 30_000_000

/**
 * Table State: `socket#<shard>` `<minion id>/<connection>` → end of its lease; `connection#<connection>` → minion id.
 * A minion may have several sockets for a moment, while it renews one.
 *
 * INVARIANT: a socket that closed, or was not heard of for three pings, is not counted; one that is opening stays.
 */
export class SocketConnections implements Connections {
  readonly #dynamo: Dynamo
  readonly #clock: Pick<Clock, 'now'>
  /** Posts to any socket of the API. */
  readonly post: Post

  constructor(dynamo: Dynamo, clock: Pick<Clock, 'now'>, post: Post) {
    this.#dynamo = dynamo
    this.#clock = clock
    this.post = post
  }

  /** Adds a minion's socket, or prolongs it. */
  async open(minion: MinionId, connection: string): Promise<void> {
    const end = this.#clock.now() + socketLease * 1000
    const common = { end: n(end), ...endsAt(end) }
    await this.#dynamo.writeMany('State', [
      { ...keyItem(connectionKey(connection)), minion: s(minion), ...common },
      { ...keyItem(socketKey(minion, connection)), ...common },
    ])
  }

  /** Prolongs a socket that was heard of; answers whose it is, undefined for one that is not known. */
  async heard(connection: string): Promise<MinionId | undefined> {
    const minion = (await this.#dynamo.get('State', connectionKey(connection)))?.minion?.S
    if (minion !== undefined) await this.open(minion, connection)
    return minion
  }

  /** Forgets a socket; answers whose it was. */
  async close(connection: string): Promise<MinionId | undefined> {
    const { old } = await this.#dynamo.delete('State', connectionKey(connection))
    const minion = old?.minion?.S
    if (minion !== undefined) await this.#dynamo.delete('State', socketKey(minion, connection))
    return minion
  }

  async ring(minions: readonly MinionId[]): Promise<void> {
    const wanted = new Set(minions)
    const sockets =
      wanted.size > MANY
        ? (await this.#open(listPartitions(socketList))).filter(({ minion }) => wanted.has(minion))
        : (await inParallel([...wanted], (minion) => this.#socketsOf(minion))).flat()
    await inParallel(
      sockets,
      async ({ connection, heard }) => {
        const isOpening = this.#clock.now() - heard < OPENING
        // A socket that opens looks into the mailbox by itself.
        if ((await this.#bell(connection)) === 'gone' && !isOpening) await this.close(connection)
      },
      POSTS,
    )
  }

  /** A bell that API Gateway is too busy for costs its minion a minute, after which it looks by itself; the job is sent. */
  async #bell(connection: string): Promise<'sent' | 'gone' | 'lost'> {
    try {
      return await this.post(connection, doorbell)
    } catch (error) {
      if (error instanceof BrineError && (error.code === 'throttled' || error.code === 'busy')) return 'lost'
      throw error
    }
  }

  async connected(): Promise<ReadonlySet<MinionId>> {
    return new Set((await this.#open(listPartitions(socketList))).map(({ minion }) => minion))
  }

  async #socketsOf(minion: MinionId) {
    const items = await this.#dynamo.all('State', listKey(socketList, minion).pk, { beginning: `${minion}/` })
    return this.#alive(items)
  }

  async #open(partitions: readonly string[]) {
    return this.#alive(await this.#dynamo.allOf('State', partitions))
  }

  #alive(items: readonly Attributes[]): { minion: MinionId; connection: string; heard: number }[] {
    const now = this.#clock.now()
    return items.flatMap((item) => {
      const end = numberIn(item, 'end') ?? 0
      if (end <= now) return []
      const [minion = '', connection = ''] = (item.sk?.S ?? '').split('/')
      return [{ minion, connection, heard: end - socketLease * 1000 }]
    })
  }
}
