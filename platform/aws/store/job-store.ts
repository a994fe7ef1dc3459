// Jobs, and what the minions returned.

import { jobOfReturn } from '../../../master/own-job.ts'
import type { Jid, JobFilter, JobRecord, JobStore, StoredReturn } from '../../../master/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { jobKey, returnKey, returnPartitions, returnShards } from '../layout/index.ts'
import { type Attributes, type Dynamo, isAbsent, keyItem, n, numberIn, s } from './dynamo.ts'
import { Remembered } from './parallel.ts'
import { endsAt, isOver, type Records } from './records.ts'
import { newest, timeItem } from './time-list.ts'

/** Jobs that are remembered, so that each return of one does not read it again. */
const REMEMBERED = 500
/** Minions of the largest job that is remembered. */
const SMALL = 2000

interface Known {
  readonly job: JobRecord
  readonly shards: number
  readonly ends: number
}

/**
 * Table Jobs: `job#<jid>` → job, with its origin and the number of its return shards; `job-time#<shard>` [at, jid] →
 * nothing; `return#<jid>#<shard>` minion id → return. The shards of a job's returns follow from how many minions it went to.
 *
 * INVARIANTS
 * - a jid has one job, that of its first origin; a job never changes, which lets a process remember it.
 * - a minion has at most one return for a job: the first.
 * - each return has a job.
 */
export class DynamoJobStore implements JobStore {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'now'>
  readonly #keepSeconds: number
  readonly #known = new Remembered<Jid, Known>(REMEMBERED)

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>, keepSeconds: number) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
    this.#keepSeconds = keepSeconds
  }

  async create(job: JobRecord): Promise<'created' | 'repeated' | 'taken'> {
    const end = this.#end()
    const outcome = await this.#dynamo.transact([
      {
        kind: 'put',
        table: 'Jobs',
        item: {
          ...keyItem(jobKey(job.jid)),
          ...(await this.#records.pack(job)),
          shards: n(returnShards(job.minions.length)),
          ...(job.origin === undefined ? {} : { origin: s(job.origin) }),
          ...end,
        },
        if: isAbsent,
      },
      { kind: 'put', table: 'Jobs', item: { ...timeItem('job-time', job.at, job.jid), jid: s(job.jid), ...end } },
    ])
    if (outcome.done) return 'created'
    const origin = outcome.refused[0]?.old?.origin?.S
    return origin !== undefined && origin === job.origin ? 'repeated' : 'taken'
  }

  async get(jid: Jid): Promise<JobRecord | undefined> {
    return (await this.#find(jid))?.job
  }

  async list(filter: JobFilter): Promise<JobRecord[]> {
    const times = await newest(this.#dynamo, 'Jobs', 'job-time', filter)
    const jids = times.map(({ jid }) => jid?.S ?? '')
    const items = await this.#dynamo.getMany('Jobs', jids.map(jobKey))
    const now = this.#clock.now()
    const known = await Promise.all(
      items.filter((item) => !isOver(item, now)).map((item) => this.#records.unpack<JobRecord>(item)),
    )
    const jobs = new Map(known.map((job) => [job.jid, job]))
    return jids.flatMap((jid) => jobs.get(jid) ?? [])
  }

  async addReturn(jid: Jid, ret: StoredReturn): Promise<'new' | 'repeated'> {
    const known = await this.#find(jid)
    if (known === undefined) await this.create(jobOfReturn(jid, ret))
    const shards = known?.shards ?? (await this.#find(jid))?.shards ?? 1
    const item = {
      ...keyItem(returnKey(jid, ret.id, shards)),
      ...(await this.#records.pack(ret)),
      ...this.#end(),
    }
    return (await this.#dynamo.put('Jobs', item, isAbsent)).done ? 'new' : 'repeated'
  }

  async returns(jid: Jid): Promise<StoredReturn[]> {
    const { shards = 1 } = (await this.#find(jid)) ?? {}
    const items = await this.#dynamo.allOf('Jobs', returnPartitions(jid, shards))
    const now = this.#clock.now()
    return Promise.all(
      items.filter((item) => !isOver(item, now)).map((item) => this.#records.unpack<StoredReturn>(item)),
    )
  }

  async #find(jid: Jid): Promise<Known | undefined> {
    const now = this.#clock.now()
    const known = this.#known.get(jid) ?? (await this.#read(jid))
    return known === undefined || known.ends <= now ? undefined : known
  }

  async #read(jid: Jid): Promise<Known | undefined> {
    const item = await this.#dynamo.get('Jobs', jobKey(jid))
    if (item === undefined) return undefined
    const job = await this.#records.unpack<JobRecord>(item)
    const ends = (numberIn(item, 'ttl') ?? Number.POSITIVE_INFINITY) * 1_000_000
    const known = { job, shards: numberIn(item, 'shards') ?? 1, ends }
    if (job.minions.length <= SMALL) this.#known.set(jid, known)
    return known
  }

  #end(): Attributes {
    return this.#keepSeconds === 0 ? {} : endsAt(this.#clock.now() + this.#keepSeconds * 1_000_000)
  }
}
