// The sweep: keys whose instance is gone are deleted, for EC2's events are best effort and may have been missed.
import { type CloudNeeds, endInstance } from '../cloud-events.ts'
import type { KeyRecord } from '../ports.ts'
import type { Instances } from './ports.ts'

/** Microseconds for which a new key is left alone: AWS's answers may lag behind a launch. */
const settling = 15 * 60 * 1_000_000

/** Deletes every key that was verified for an instance AWS no longer has; answers how many. */
export async function sweepInstances(
  needs: Omit<CloudNeeds, 'launching' | 'lifecycle'> & { readonly instances: Instances },
): Promise<number> {
  const before = needs.clock.now() - settling
  const verified = (await needs.ring.list()).flatMap((record) => placeOf(record, before))
  let gone = 0
  for (const region of new Set(verified.map((place) => place.region))) {
    const here = verified.filter((place) => place.region === region)
    const found = await needs.instances.find(
      region,
      here.map(({ instance }) => instance),
    )
    for (const place of here) {
      const state = found.get(place.instance)?.state
      if (state !== undefined && state !== 'terminated') continue
      await endInstance(needs, place, ['destroying', 'destroyed'])
      gone++
    }
  }
  return gone
}

interface Place {
  readonly instance: string
  readonly region: string
  readonly account: string
  readonly group?: string
}

function placeOf({ current }: KeyRecord, before: number): Place[] {
  const { instance_id: instance, region, account, asg } = current?.identity ?? {}
  if (current === undefined || current.since > before) return []
  if (typeof instance !== 'string' || typeof region !== 'string' || typeof account !== 'string') return []
  return [{ instance, region, account, ...(typeof asg === 'string' ? { group: asg } : {}) }]
}
