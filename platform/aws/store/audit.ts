// What was refused or changed by whom.
import { randomUUID } from 'node:crypto'
import type { Audit } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import type { Dynamo } from './dynamo.ts'
import { endsAt, isOver, type Records } from './records.ts'
import { newest, timeItem } from './time-list.ts'

type Entry = Parameters<Audit['record']>[0]

const DAY = 86_400_000_000

/** Table State: `audit#<shard>` [at, a random id] → entry. INVARIANT: entries are only added, and removed by age alone. */
export class DynamoAudit implements Audit {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'now'>
  readonly #days: number

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>, days: number) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
    this.#days = days
  }

  async record(entry: Entry): Promise<void> {
    await this.#dynamo.put('State', {
      ...timeItem('audit', entry.at, randomUUID()),
      ...(await this.#records.pack(entry)),
      ...endsAt(this.#clock.now() + this.#days * DAY),
    })
  }

  async recent(limit: number): Promise<Entry[]> {
    const items = await newest(this.#dynamo, 'State', 'audit', { limit })
    const now = this.#clock.now()
    return Promise.all(items.filter((item) => !isOver(item, now)).map((item) => this.#records.unpack<Entry>(item)))
  }
}
