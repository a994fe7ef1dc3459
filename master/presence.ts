// Presence: who is connected, said at an interval and at every change.
import type { MinionId } from '../core/event/event.ts'
import type { Fire } from './fire.ts'
import type { Connections, KeyRing, MinionStore } from './ports.ts'

/** Watches who is there. `check` is called often and fires `change` when the set differs; `announce` fires `present`. */
export interface Presence {
  present(): Promise<readonly MinionId[]>
  check(): Promise<void>
  announce(): Promise<void>
}

interface PresencePorts {
  readonly keys: KeyRing
  readonly minions: MinionStore
  readonly connections: Connections
  readonly clock: { now(): number }
}

/**
 * A minion is present while a socket of it is open, and for `grace` seconds after it was last heard of: a dropped
 * connection that comes back is no change.
 */
export function createPresence(ports: PresencePorts, fire: Fire, grace: number): Presence {
  let before: ReadonlySet<MinionId> | undefined

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
      const now = new Set(await present())
      const gained = [...now].filter((id) => before?.has(id) !== true)
      const lost = [...(before ?? [])].filter((id) => !now.has(id))
      before = now
      if (gained.length === 0 && lost.length === 0) return
      await fire(
        { tag: 'salt/presence/change', data: { new: gained, lost } },
        { tag: 'salt/presence/present', data: { present: [...now] } },
      )
    },
    async announce() {
      await fire({ tag: 'salt/presence/present', data: { present: await present() } })
    },
  }
}
