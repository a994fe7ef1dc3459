// Orchestrations: where each run stands, for whichever process takes its next turn.
import type { Jid, OrchestrationStore, StoredOrchestration } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { openOrchestrations, orchestrationKey } from '../layout/index.ts'
import { type Attributes, type Dynamo, isAbsent, keyItem, n, s, type Write } from './dynamo.ts'
import { endsAt, isOver, type Records } from './records.ts'
import { newest, timeItem } from './time-list.ts'

/**
 * Table Jobs: `orchestration#<jid>` → record, with its revision beside it; `orchestration-open` jid → nothing;
 * `orchestration-time#<shard>` [at, jid] → nothing.
 *
 * INVARIANTS
 * - of two updates over one revision one is refused.
 * - one that is not done stands in `orchestration-open`, and has no expiry.
 */
export class DynamoOrchestrationStore implements OrchestrationStore {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'now'>
  readonly #keepSeconds: number

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>, keepSeconds: number) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
    this.#keepSeconds = keepSeconds
  }

  async create(record: Omit<StoredOrchestration, 'revision'>): Promise<boolean> {
    const place = timeItem('orchestration-time', record.at, record.jid)
    const { done } = await this.#dynamo.transact([
      { kind: 'put', table: 'Jobs', item: await this.#item(record, 1), if: isAbsent },
      { kind: 'put', table: 'Jobs', item: { ...place, jid: s(record.jid) } },
      this.#openness(record),
    ])
    return done
  }

  async get(jid: Jid): Promise<StoredOrchestration | undefined> {
    const item = await this.#dynamo.get('Jobs', orchestrationKey(jid))
    if (item === undefined || isOver(item, this.#clock.now())) return undefined
    return this.#records.unpack<StoredOrchestration>(item)
  }

  async update(record: Omit<StoredOrchestration, 'revision'>, over: number): Promise<boolean> {
    const condition = { text: 'revision = :over', values: { ':over': n(over) } }
    const { done } = await this.#dynamo.transact([
      { kind: 'put', table: 'Jobs', item: await this.#item(record, over + 1), if: condition },
      this.#openness(record),
      ...(record.isDone ? [this.#endOfPlace(record)] : []),
    ])
    return done
  }

  async list(limit: number): Promise<StoredOrchestration[]> {
    const places = await newest(this.#dynamo, 'Jobs', 'orchestration-time', { limit })
    const found = await Promise.all(places.map(({ jid }) => this.get(jid?.S ?? '')))
    return found.filter((record) => record !== undefined)
  }

  async unfinished(): Promise<Jid[]> {
    return (await this.#dynamo.all('Jobs', openOrchestrations)).map(({ sk }) => sk?.S ?? '')
  }

  async #item(record: Omit<StoredOrchestration, 'revision'>, revision: number): Promise<Attributes> {
    return {
      ...keyItem(orchestrationKey(record.jid)),
      ...(await this.#records.pack({ ...record, revision })),
      revision: n(revision),
      ...(record.isDone ? this.#end() : {}),
    }
  }

  #openness({ jid, isDone }: Pick<StoredOrchestration, 'jid' | 'isDone'>): Write {
    const key = { pk: openOrchestrations, sk: jid }
    return isDone ? { kind: 'delete', table: 'Jobs', key } : { kind: 'put', table: 'Jobs', item: keyItem(key) }
  }

  #endOfPlace({ at, jid }: Pick<StoredOrchestration, 'at' | 'jid'>): Write {
    return {
      kind: 'put',
      table: 'Jobs',
      item: { ...timeItem('orchestration-time', at, jid), jid: s(jid), ...this.#end() },
    }
  }

  #end(): Attributes {
    return this.#keepSeconds === 0 ? {} : endsAt(this.#clock.now() + this.#keepSeconds * 1_000_000)
  }
}
