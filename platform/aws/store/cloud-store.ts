// What is remembered while machines are made.
import type { CloudStore, Expected } from '../../../master/cloud/index.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { beginningKey, expectedKey } from '../layout/index.ts'
import { type Dynamo, keyItem, n, s } from './dynamo.ts'
import { endsAt, type Records } from './records.ts'

/**
 * Table State: `beginning#<name>` → token; `expected#<instance>` → what is expected, and `finger` once it was claimed.
 *
 * INVARIANTS
 * - of all who begin a name one token is answered until it ended or its time is over.
 * - the first claim of a machine stands: `finger` is written where there is none.
 */
export class DynamoCloudStore implements CloudStore {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'now'>

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
  }

  async begin(name: string, token: string, until: number): Promise<string> {
    const now = this.#clock.now()
    const item = { ...keyItem(beginningKey(name)), token: s(token), until: n(until), ...endsAt(until) }
    const { done, old } = await this.#dynamo.put('State', item, {
      text: 'attribute_not_exists(pk) OR #until <= :now',
      names: { '#until': 'until' },
      values: { ':now': n(now) },
    })
    return done ? token : (old?.token?.S ?? token)
  }

  async begun(name: string): Promise<string | undefined> {
    const item = await this.#dynamo.get('State', beginningKey(name))
    return Number(item?.until?.N ?? 0) > this.#clock.now() ? item?.token?.S : undefined
  }

  async ended(name: string): Promise<void> {
    await this.#dynamo.delete('State', beginningKey(name))
  }

  async expect(instance: string, expected: Expected): Promise<void> {
    const finger = (await this.expected(instance))?.finger ?? expected.finger
    await this.#dynamo.put('State', {
      ...keyItem(expectedKey(instance)),
      ...(await this.#records.pack(expected)),
      ...(finger === undefined ? {} : { finger: s(finger) }),
      ...endsAt(expected.until),
    })
  }

  async expected(instance: string): Promise<Expected | undefined> {
    const item = await this.#dynamo.get('State', expectedKey(instance))
    if (item === undefined) return undefined
    const expected = await this.#records.unpack<Expected>(item)
    if (expected.until <= this.#clock.now()) return undefined
    const finger = item.finger?.S
    return { ...expected, ...(finger === undefined ? {} : { finger }) }
  }

  async claim(instance: string, finger: string): Promise<Expected | undefined> {
    const set = { text: 'SET finger = :finger', values: { ':finger': s(finger) } }
    await this.#dynamo.update(
      'State',
      expectedKey(instance),
      set,
      'attribute_exists(pk) AND attribute_not_exists(finger)',
    )
    return this.expected(instance)
  }

  async forget(instance: string): Promise<void> {
    await this.#dynamo.delete('State', expectedKey(instance))
  }
}
