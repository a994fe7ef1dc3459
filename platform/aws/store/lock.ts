// One change at a time of something that several processes change.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BrineError } from '../../../core/error.ts'
import type { Clock } from '../../../reaction/ports.ts'
import type { ItemKey } from '../layout/index.ts'
import { type Dynamo, keyItem, n, s } from './dynamo.ts'

/** Microseconds of one change at most, and milliseconds between looks whether another is finished. */
const LOCKED = 30_000_000
const LOOK = 50
const LOOKS = 200

/** Works while nobody else holds the item of table State. Throws `busy`, naming what is changed, where another does not end. */
export async function locked<T>(
  { dynamo, clock }: { readonly dynamo: Dynamo; readonly clock: Pick<Clock, 'now'> },
  key: ItemKey,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const owner = randomUUID()
  for (let looks = 0; ; looks++) {
    const now = clock.now()
    const item = { ...keyItem(key), owner: s(owner), until: n(now + LOCKED) }
    const free = {
      text: 'attribute_not_exists(pk) OR #until < :now',
      names: { '#until': 'until' },
      values: { ':now': n(now) },
    }
    const { done, old } = await dynamo.put('State', item, free)
    // Where the answer to a write was lost, the SDK writes again and meets its own.
    if (done || old?.owner?.S === owner) break
    if (looks >= LOOKS) throw new BrineError(`${what} is being changed by somebody else. Try again.`, { code: 'busy' })
    await sleep(LOOK)
  }
  try {
    return await work()
  } finally {
    const ours = { text: '#owner = :owner', names: { '#owner': 'owner' }, values: { ':owner': s(owner) } }
    await dynamo.delete('State', key, ours)
  }
}
