// Jobs, and what the minions returned.

import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import { jobOfReturn } from '../../../master/own-job.ts'
import type { Jid, JobFilter, JobRecord, JobStore, StoredReturn } from '../../../master/ports.ts'
import { Claims } from './claims.ts'
import type { OpenStore } from './open-store.ts'
import { secondsBefore, sweepStep } from './retention.ts'
import type { Table } from './table.ts'

/**
 * Tables: `jobs` jid → record; `job_times` [at, jid] → nothing; `returns` `<jid>/<minion id>` → return.
 *
 * INVARIANTS
 * - a jid has one job, that of its first origin, until retention removes it with its returns.
 * - a minion has at most one return for a job: the first.
 * - each return has a job.
 * - what is large of a return is kept apart ({@link Claims}), and goes with it.
 */
export class EmbeddedJobStore implements JobStore {
  readonly #store: OpenStore
  readonly #keepSeconds: number
  readonly #jobs: Table
  readonly #times: Table
  readonly #returns: Table
  readonly #claims: Claims

  constructor(store: OpenStore, keepSeconds: number) {
    this.#store = store
    this.#keepSeconds = keepSeconds
    this.#jobs = store.table('jobs')
    this.#times = store.table('job_times')
    this.#returns = store.table('returns')
    this.#claims = new Claims(store)
  }

  async create(job: JobRecord): Promise<'created' | 'repeated' | 'taken'> {
    const text = encodeRecord(job)
    return this.#store.commits.write(() => {
      const known = this.#jobs.get(job.jid)
      if (known === undefined) {
        this.#put(job, text)
        return 'created'
      }
      const { origin } = decodeRecord<JobRecord>(known)
      return origin !== undefined && origin === job.origin ? 'repeated' : 'taken'
    })
  }

  async get(jid: Jid): Promise<JobRecord | undefined> {
    const text = this.#jobs.get(jid)
    return text === undefined ? undefined : decodeRecord<JobRecord>(text)
  }

  async list({ limit, since, until }: JobFilter): Promise<JobRecord[]> {
    const found: JobRecord[] = []
    const start = until === undefined ? undefined : [until, LAST]
    for (const key of this.#times.keys({ reverse: true, limit, ...(start === undefined ? {} : { start }) })) {
      if (!Array.isArray(key) || (since !== undefined && Number(key[0]) < since)) break
      const text = this.#jobs.get(String(key[1]))
      if (text !== undefined) found.push(decodeRecord<JobRecord>(text))
    }
    return found
  }

  async addReturn(jid: Jid, ret: StoredReturn): Promise<'new' | 'repeated'> {
    const key = `${jid}/${ret.id}`
    const packed = this.#claims.pack(ret, ['load.return', 'load'])
    return this.#store.commits.write(() => {
      if (this.#returns.has(key)) return 'repeated'
      this.#returns.put(key, packed.text)
      this.#claims.hold(packed, holderOf(key))
      if (!this.#jobs.has(jid)) {
        const job = jobOfReturn(jid, ret)
        this.#put(job, encodeRecord(job))
      }
      return 'new'
    })
  }

  async returns(jid: Jid): Promise<StoredReturn[]> {
    return [...this.#returns.entries(rangeOf(jid))].map(({ text }) => this.#claims.unpack<StoredReturn>(text))
  }

  /** Removes jobs older than the retention with their returns, at most one step. */
  async sweep(now: number): Promise<number> {
    const before = secondsBefore(now, this.#keepSeconds)
    return this.#store.commits.write(() => {
      let removed = 0
      for (const key of this.#times.keys({ end: [before, ''], limit: sweepStep })) {
        const jid = Array.isArray(key) ? String(key[1]) : ''
        const left = sweepStep - removed
        const returns = [...this.#returns.entries({ ...rangeOf(jid), limit: left })]
        for (const { key: each, text } of returns) {
          this.#returns.remove(each)
          this.#claims.release(text, holderOf(String(each)))
        }
        removed += returns.length
        if (returns.length >= left) return sweepStep
        this.#jobs.remove(jid)
        this.#times.remove(key)
        if (++removed >= sweepStep) break
      }
      return removed
    })
  }

  #put(job: JobRecord, text: string): void {
    this.#jobs.put(job.jid, text)
    this.#times.put([job.at, job.jid], '')
  }
}

/** The name of a return's row, for what it holds. */
function holderOf(key: string): string {
  return `returns/${key}`
}

/** Sorts after every jid. */
const LAST = '\uffff'

function rangeOf(jid: Jid): { start: string; end: string } {
  return { start: `${jid}/`, end: `${jid}0` }
}
