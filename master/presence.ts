// Presence: who is connected, said at an interval and at every change.
import { createHash } from 'node:crypto'
import { derivedEventId } from '../core/event/derived-id.ts'
import type { EventId, MinionId } from '../core/event/event.ts'
import type { Fire } from './fire.ts'
import type { Connections, KeyRing, MinionStore } from './ports.ts'

/** Watches who is there. `check` is called often and fires `change` when the set differs; `announce` fires `present`. */
export interface Presence {
  present(): Promise<readonly MinionId[]>
  check(): Promise<void>
  announce(): Promise<void>
}

/** Who was there at a look. */
export interface PresenceLook {
  readonly present: ReadonlySet<MinionId>
  /** Where several processes look: another at each look, for ever; it begins with a jid of that time. */
  readonly revision?: string
}

/** Remembers the last look, for those who look next. */
export interface PresenceMemory {
  /** Undefined before the first look. */
  last(): Promise<PresenceLook | undefined>
  /** Keeps a look over the one that was read; false where somebody looked meanwhile. */
  keep(present: ReadonlySet<MinionId>, over: PresenceLook | undefined): Promise<boolean>
}

/** A memory that lasts as long as its process. */
function processMemory(): PresenceMemory {
  let look: PresenceLook | undefined
  return {
    last: async () => look,
    async keep(present) {
      look = { present }
      return true
    },
  }
}

interface PresencePorts {
  readonly keys: KeyRing
  readonly minions: MinionStore
  readonly connections: Connections
  readonly clock: { now(): number }
}

/** Seconds a minion counts as present after it was last heard of. */
export const presenceGrace = 30

/** Looks that are made anew because somebody else looked at the same time. */
const TRIES = 5

/**
 * A minion is present while a socket of it is open, and for `grace` seconds after it was last heard of: a dropped
 * connection that comes back is no change. A change is told before the look is kept: cut off in between, the next look
 * tells it again, under the same event id.
 */
export function createPresence(
  ports: PresencePorts,
  fire: Fire,
  grace: number,
  memory: PresenceMemory = processMemory(),
): Presence {
  const present = async (): Promise<MinionId[]> => {
    const [connected, seen, keys] = await Promise.all([
      ports.connections.connected(),
      ports.minions.lastSeen(),
      ports.keys.list(),
    ])
    const fresh = ports.clock.now() - grace * 1_000_000
    return keys
      .filter(({ id, current }) => current?.state === 'accepted' && (connected.has(id) || (seen.get(id) ?? 0) >= fresh))
      .map(({ id }) => id)
      .sort()
  }

  return {
    present,
    async check() {
      for (let tries = 0; tries < TRIES; tries++) {
        const before = await memory.last()
        const now = new Set(await present())
        const gained = [...now].filter((id) => before?.present.has(id) !== true)
        const lost = [...(before?.present ?? [])].filter((id) => !now.has(id))
        if (gained.length === 0 && lost.length === 0) return
        const change = { new: gained, lost }
        await fire(
          { tag: 'salt/presence/change', data: change, ...idOf(before, change, 'change') },
          { tag: 'salt/presence/present', data: { present: [...now] }, ...idOf(before, change, 'present') },
        )
        if (await memory.keep(now, before)) return
      }
    },
    async announce() {
      await fire({ tag: 'salt/presence/present', data: { present: await present() } })
    },
  }
}

/** The same for the same change after the same look. */
function idOf(before: PresenceLook | undefined, change: object, part: string): { id?: EventId } {
  if (before?.revision === undefined) return {}
  const digest = createHash('sha256').update(JSON.stringify(change)).digest('hex')
  return { id: derivedEventId(before.revision, `presence/${digest}/${part}`) }
}
