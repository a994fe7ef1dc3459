// Work to do later: by name, and in order of time.
import { BrineError } from '../../../core/error.ts'
import type { Mapping } from '../../../core/value/value.ts'
import type { Timers } from '../../../master/ports.ts'
import { type ItemKey, timeKey, timerKey, timerTimes } from '../layout/index.ts'
import { type Attributes, type Dynamo, isAbsent, keyItem, n, numberIn, s, type Write } from './dynamo.ts'
import type { Records } from './records.ts'

interface Timer {
  readonly name: string
  readonly at: number
  readonly data: Mapping
}

const TRIES = 10
/** Sorts after every timer of a moment. */
const LAST = '\uffff'

/**
 * Table State: `timer#<hash of the name>` → timer; `timer-time` [at, that key] → nothing.
 *
 * INVARIANT: each timer has one item in both; it stays due until it is cancelled or set again.
 */
export class DynamoTimers implements Timers {
  readonly #dynamo: Dynamo
  readonly #records: Records

  constructor(dynamo: Dynamo, records: Records) {
    this.#dynamo = dynamo
    this.#records = records
  }

  async set(name: string, at: number, data: Mapping): Promise<void> {
    const key = timerKey(name)
    const record = await this.#records.pack({ name, at, data } satisfies Timer)
    await this.#replace(name, (standing) => [
      { kind: 'put', table: 'State', item: { ...keyItem(key), ...record, at: n(at) }, if: asRead(standing) },
      { kind: 'put', table: 'State', item: { ...keyItem(dueKey(at, key)), timer: s(key.pk) } },
    ])
  }

  async cancel(name: string): Promise<void> {
    await this.#replace(name, (standing) =>
      standing === undefined ? [] : [{ kind: 'delete', table: 'State', key: timerKey(name), if: asRead(standing) }],
    )
  }

  async due(now: number, limit: number): Promise<Timer[]> {
    const due = await this.#dynamo.all('State', timerTimes, { to: timeKey(now, LAST), limit })
    const items = await this.#dynamo.getMany(
      'State',
      due.map(({ timer }) => ({ pk: timer?.S ?? '', sk: '-' })),
    )
    const timers = await Promise.all(items.map((item) => this.#records.unpack<Timer>(item)))
    return timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
  }

  /** Writes over the timer that was read; its place in time goes, unless it is the new one. */
  async #replace(name: string, next: (standing: Attributes | undefined) => readonly Write[]): Promise<void> {
    const key = timerKey(name)
    for (let tries = 0; tries < TRIES; tries++) {
      const standing = await this.#dynamo.get('State', key)
      const writes = next(standing)
      const before = numberIn(standing, 'at')
      const place = before === undefined ? undefined : dueKey(before, key)
      const isKept = writes.some((write) => write.kind === 'put' && write.item.sk?.S === place?.sk)
      const gone: Write[] = place === undefined || isKept ? [] : [{ kind: 'delete', table: 'State', key: place }]
      if (writes.length === 0 || (await this.#dynamo.transact([...writes, ...gone])).done) return
    }
    throw new BrineError(`The timer ${name} was changed by others ${TRIES} times in a row. Try again.`, {
      code: 'busy',
    })
  }
}

function dueKey(at: number, key: ItemKey): ItemKey {
  return { pk: timerTimes, sk: timeKey(at, key.pk) }
}

/** The timer is as it was read. */
function asRead(standing: Attributes | undefined) {
  const at = numberIn(standing, 'at')
  return at === undefined ? isAbsent : { text: '#at = :at', names: { '#at': 'at' }, values: { ':at': n(at) } }
}
