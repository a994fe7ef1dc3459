// Who watches the log over a socket: told once that there is something new, and again only after asking again.
import type { Clock } from '../../../reaction/ports.ts'
import { socketLease, watcherKey, watcherPartition } from '../layout/index.ts'
import type { Post } from './connections.ts'
import { type Dynamo, keyItem, n, numberIn } from './dynamo.ts'
import { inParallel } from './parallel.ts'
import { endsAt } from './records.ts'

/** What a watcher is told: nothing but that there may be something to read. */
const newsBell = '{"events":true}'

/**
 * Table State: `watcher` connection → {waiting, end of its lease}.
 *
 * INVARIANTS
 * - a watcher that asked to be told is told after the next append, or finds at once that it need not wait.
 * - one request, one bell: a busy log rings a watcher no more often than it reads.
 */
export class DynamoWatchers {
  readonly #dynamo: Dynamo
  readonly #clock: Pick<Clock, 'now'>
  readonly #post: Post

  constructor(dynamo: Dynamo, clock: Pick<Clock, 'now'>, post: Post) {
    this.#dynamo = dynamo
    this.#clock = clock
    this.#post = post
  }

  /** The watcher wants to be told. */
  async wait(connection: string): Promise<void> {
    const end = this.#clock.now() + socketLease * 1000
    await this.#dynamo.put('State', {
      ...keyItem(watcherKey(connection)),
      waiting: n(1),
      end: n(end),
      ...endsAt(end),
    })
  }

  async close(connection: string): Promise<void> {
    await this.#dynamo.delete('State', watcherKey(connection))
  }

  /** Tells everybody who waits. */
  async ring(): Promise<void> {
    const now = this.#clock.now()
    const items = await this.#dynamo.all('State', watcherPartition)
    const waiting = items.filter((item) => numberIn(item, 'waiting') === 1 && (numberIn(item, 'end') ?? 0) > now)
    await inParallel(waiting, (item) => this.tell(item.sk?.S ?? ''))
  }

  /** Tells one, where it still waits. */
  async tell(connection: string): Promise<void> {
    const set = { text: 'SET waiting = :no', values: { ':no': n(0), ':yes': n(1) } }
    const { done } = await this.#dynamo.update('State', watcherKey(connection), set, 'waiting = :yes')
    if (done && (await this.#post(connection, newsBell)) === 'gone') await this.close(connection)
  }
}
