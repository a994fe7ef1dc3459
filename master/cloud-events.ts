// Cloud events: what EC2 and Auto Scaling tell becomes salt/cloud/…, and keys go with their instances.
import type { MinionId } from '../core/event/event.ts'
import type { Mapping } from '../core/value/index.ts'
import type { CloudStore } from './cloud/index.ts'
import { cloudSentences, stepId } from './cloud/tell.ts'
import type { Draft, Fire } from './fire.ts'
import { type CloudEvent, readCloudEvent } from './fleet/cloud-event.ts'
import type { FleetStore, Launch, Lifecycle, LifecycleAction } from './fleet/ports.ts'
import { literalGlob } from './key-glob.ts'
import type { Keys } from './keys.ts'
import type { Clock, KeyRing } from './ports.ts'
import type { Presence } from './presence.ts'

/** Takes an event of the default bus. Safe to repeat: its events have derived ids, a key is deleted once. */
export type TakeCloudEvent = (event: unknown) => Promise<CloudEvent | undefined>

/** What cloud events work with. */
export interface CloudNeeds {
  readonly fire: Fire
  readonly ring: Pick<KeyRing, 'list'>
  readonly keys: Pick<Keys, 'delete'>
  readonly presence: Pick<Presence, 'check'>
  readonly store: FleetStore
  /** Machines that `cloud.*` makes, which tells their beginnings itself. */
  readonly clouds: Pick<CloudStore, 'expected'>
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  /** Called for a launch whose group waits for us. */
  readonly launching: (launch: Launch) => Promise<void>
}

/** The steps that EC2 and Auto Scaling tell of. */
type Step = 'creating' | 'requesting' | 'created' | 'destroying' | 'destroyed'

/** Microseconds for which an instance's minion id is remembered after its end. */
const remembered = 24 * 3600 * 1_000_000

/** Joins the parts. Throws a ZodError for an event that lost its fields, which belongs on a dead-letter queue. */
export function createTakeCloudEvent(needs: CloudNeeds): TakeCloudEvent {
  return async (input) => {
    const event = readCloudEvent(input)
    if (event === undefined) return undefined
    switch (event.kind) {
      case 'requesting':
        // EC2 has one state for what Salt tells in two steps.
        await fireSteps(needs, event, ['creating', 'requesting'])
        return event
      case 'created':
        await fireSteps(needs, event, ['created'])
        return event
      case 'launching':
        await fireSteps(needs, event, ['creating', 'requesting'])
        if (!isOurs(event.action)) return event
        if (event.warm) await needs.lifecycle.complete(event.action, 'CONTINUE')
        else await needs.launching({ action: event.action, at: needs.clock.now() })
        return event
      case 'destroying':
        await fireSteps(needs, event, ['destroying'])
        return event
      case 'ending':
        if (!event.warm) await endInstance(needs, event, ['destroying'])
        if (isOurs(event.action)) await needs.lifecycle.complete(event.action, 'CONTINUE')
        return event
      case 'destroyed':
        await endInstance(needs, event, ['destroying', 'destroyed'])
        return event
      case 'failed':
        await needs.fire({
          tag: `brine/cloud/${event.instance}/failed`,
          data: {
            instance_id: event.instance,
            asg: event.group,
            what: event.what,
            reason: event.reason,
            ...placeOf(event),
          },
        })
        return event
    }
  }
}

/** Where and what an instance is, as far as an event or a key's identity tells. */
export interface InstancePlace {
  readonly instance: string
  readonly region: string
  readonly account: string
  readonly group?: string
}

/**
 * Tells the steps, then deletes the key that was verified for the instance. Told first, while the key still says which
 * minion it was; the claim keeps the name for what comes after.
 */
export async function endInstance(
  needs: Omit<CloudNeeds, 'launching' | 'lifecycle'>,
  place: InstancePlace,
  steps: readonly Step[],
): Promise<MinionId | undefined> {
  const minion = await minionOf(needs.ring, place.instance)
  await fireSteps(needs, place, steps)
  await needs.store.close(place.instance)
  if (minion !== undefined) {
    await needs.keys.delete([literalGlob(minion)], `the end of instance ${place.instance}`)
    await needs.presence.check()
  }
  await needs.store.release(place.instance, needs.clock.now() + remembered)
  return minion
}

/** What whoever makes a machine tells of it. */
const beginnings: ReadonlySet<Step> = new Set(['creating', 'requesting', 'created'])

/**
 * Fires steps of an instance's life. Their ids are computed from instance and step, so that what EC2 and Auto Scaling
 * both tell, or a sweep repeats, is one event.
 */
async function fireSteps(
  needs: Pick<CloudNeeds, 'fire' | 'ring' | 'store' | 'clouds'>,
  place: InstancePlace,
  steps: readonly Step[],
): Promise<void> {
  const { instance, group } = place
  const expected = await needs.clouds.expected(instance)
  const known = (await minionOf(needs.ring, instance)) ?? (await needs.store.claimOf(instance))?.minion
  const name = known ?? expected?.minion ?? instance
  const untold = expected === undefined ? steps : steps.filter((step) => !beginnings.has(step))
  const drafts = untold.map((step): Draft => {
    const data: Mapping = {
      name,
      instance_id: instance,
      provider: 'ec2',
      profile: group ?? '',
      event: cloudSentences[step],
      ...placeOf(place),
      ...(group === undefined ? {} : { asg: group }),
    }
    return { tag: `salt/cloud/${name}/${step}`, data, id: stepId(instance, step) }
  })
  await needs.fire(...drafts)
}

function placeOf({ region, account }: { region: string; account: string }): Mapping {
  return { region, account }
}

/** The minion whose key was verified for this instance. */
async function minionOf(ring: Pick<KeyRing, 'list'>, instance: string): Promise<MinionId | undefined> {
  const records = await ring.list()
  return records.find(({ current }) => current?.identity?.instance_id === instance)?.id
}

/** Hooks of others, on groups that have both, are theirs to complete. */
function isOurs({ hook }: LifecycleAction): boolean {
  return hook.startsWith(ownHooks)
}

/** How the names of the hooks begin that are completed here. */
const ownHooks = 'brine-'
