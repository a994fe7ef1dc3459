// What fleets remember: which key speaks for an instance, launches under way, what a group gave up.
import type { FleetStore, InstanceClaim, Launch } from '../../../master/fleet/ports.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { abandonedPartition, instanceKey, launchPartition } from '../layout/index.ts'
import { type Dynamo, isAbsent, keyItem, n, numberIn } from './dynamo.ts'
import { endsAt, isOver, type Records } from './records.ts'

/** Microseconds for which what a group gave up is remembered: longer than any window that is asked for. */
const ABANDONED = 24 * 3600 * 1_000_000

/**
 * Table State: `instance#<instance id>` → claim; `launch` instance id → launch; `abandoned#<group>` instance id → time.
 *
 * INVARIANTS
 * - the first claim of an instance stands until its release is over.
 * - of two who close a launch one is told that it did.
 */
export class DynamoFleetStore implements FleetStore {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'now'>

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'now'>) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
  }

  async claim(instance: string, claim: InstanceClaim): Promise<InstanceClaim> {
    const item = { ...keyItem(instanceKey(instance)), ...(await this.#records.pack(claim)) }
    const { done, old } = await this.#dynamo.put('State', item, {
      text: 'attribute_not_exists(pk) OR #ttl <= :now',
      names: { '#ttl': 'ttl' },
      values: { ':now': n(Math.floor(this.#clock.now() / 1_000_000)) },
    })
    return done || old === undefined ? claim : this.#records.unpack<InstanceClaim>(old)
  }

  async claimOf(instance: string): Promise<InstanceClaim | undefined> {
    const item = await this.#dynamo.get('State', instanceKey(instance))
    if (item === undefined || isOver(item, this.#clock.now())) return undefined
    return this.#records.unpack<InstanceClaim>(item)
  }

  async release(instance: string, after: number): Promise<void> {
    const set = { text: 'SET #ttl = :end', names: { '#ttl': 'ttl' }, values: { ':end': endsAt(after).ttl ?? n(0) } }
    await this.#dynamo.update('State', instanceKey(instance), set, 'attribute_exists(pk)')
  }

  async open(launch: Launch): Promise<void> {
    const key = { pk: launchPartition, sk: launch.action.instance }
    await this.#dynamo.put('State', { ...keyItem(key), ...(await this.#records.pack(launch)) })
  }

  async launches(): Promise<readonly Launch[]> {
    const items = await this.#dynamo.all('State', launchPartition)
    return Promise.all(items.map((item) => this.#records.unpack<Launch>(item)))
  }

  async close(instance: string): Promise<boolean> {
    const { old } = await this.#dynamo.delete('State', { pk: launchPartition, sk: instance })
    return old !== undefined
  }

  async abandoned(group: string, instance: string, at: number, since: number): Promise<number> {
    const pk = abandonedPartition(group)
    await this.#dynamo.put(
      'State',
      { ...keyItem({ pk, sk: instance }), at: n(at), ...endsAt(at + ABANDONED) },
      isAbsent,
    )
    return (await this.#dynamo.all('State', pk)).filter((item) => (numberIn(item, 'at') ?? 0) >= since).length
  }
}
