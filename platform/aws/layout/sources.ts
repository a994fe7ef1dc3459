// Who speaks on the bus: EventBridge's `source`, which the bus policy guards and nobody can forge.
import type { EventSource, Tag } from '../../../core/event/event.ts'

/** The `source` of each kind of event. `grantFire` and the bus policy allow everybody else `brine.custom` alone. */
export const sources: Readonly<Record<EventSource, string>> = {
  master: 'brine.master',
  minion: 'brine.minion',
  custom: 'brine.custom',
}

/** The sources that only the functions' own roles may use. */
export const guardedSources: readonly string[] = [sources.master, sources.minion]

/** Every source of Brine's. */
export const allSources: readonly string[] = [...guardedSources, sources.custom]

/** The kind of event behind a `source`; undefined for what is none of Brine's. */
export function sourceNamed(source: string): EventSource | undefined {
  for (const kind of ['master', 'minion', 'custom'] as const) if (sources[kind] === source) return kind
  return undefined
}

const reservedFolder = /^(salt|brine|minion|syndic|_salt)(\/|$)/
const reservedWord = /^(\d{20}.*|key|minion_start|fileserver.*)$/s

/** Tags that only master and minions fire: an event of source `brine.custom` that carries one is dropped. */
export function isReservedTag(tag: Tag): boolean {
  return reservedFolder.test(tag) || reservedWord.test(tag)
}

/** Whether every tag that begins so is reserved. */
export function isReservedPrefix(prefix: string): boolean {
  return /^(salt|brine|minion|syndic|_salt)\//.test(prefix)
}
