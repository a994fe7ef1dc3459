// What the bytes of a journal mean, read after a restart.
import type { EventId, Jid } from '../../core/event/event.ts'
import { isMapping, type Mapping, parseJson } from '../../core/value/index.ts'
import { decodeFrames, type Frame } from './frame.ts'
import type { OutgoingItem } from './outgoing.ts'

/** A job the agent has met. */
export interface JobEntry {
  readonly jid: Jid
  /** Seconds since 1970, master's time. */
  readonly expiry: number
  readonly state: 'started' | 'done'
  /** What functions get as `__pub_*`: fun, arg, tgt and so on. */
  readonly data: Mapping
}

/** The state a journal had when it was last written. */
export interface Recovered {
  readonly id: string | undefined
  readonly items: OutgoingItem[]
  readonly jobs: Map<Jid, JobEntry>
  /** Jobs that were started and never returned. */
  readonly interrupted: readonly JobEntry[]
  /** How many bytes are whole, and how many follow that are not. */
  readonly length: number
  readonly damaged: number
}

/** Reads the longest whole prefix. A file that does not begin with a journal's header counts as empty. */
export function recover(bytes: Buffer): Recovered {
  const { frames, length } = decodeFrames(bytes)
  const items = new Map<EventId, OutgoingItem>()
  const jobs = new Map<Jid, JobEntry>()
  const head = frames[0]
  if (head?.kind !== 'H') {
    return { id: undefined, items: [], jobs, interrupted: [], length: 0, damaged: bytes.length }
  }
  for (const frame of frames) take(frame, items, jobs)
  const interrupted = [...jobs.values()].filter(({ state }) => state === 'started')
  return { id: head.id, items: [...items.values()], jobs, interrupted, length, damaged: bytes.length - length }
}

function take(frame: Frame, items: Map<EventId, OutgoingItem>, jobs: Map<Jid, JobEntry>): void {
  const { kind, id, text } = frame
  switch (kind) {
    case 'E':
      items.set(id, { kind: 'event', id, text })
      return
    case 'B':
      items.set(id, { kind: 'beacon', id, text })
      return
    case 'R': {
      const jid = stringAt(parseJson(text), 'jid')
      items.set(id, { kind: 'return', id, text, jid })
      const job = jobs.get(jid)
      if (job !== undefined) jobs.set(jid, { ...job, state: 'done' })
      return
    }
    case 'J': {
      const value = parseJson(text)
      if (!isMapping(value)) return
      const expiry = typeof value.expiry === 'number' ? value.expiry : 0
      const state = value.done === true || jobs.get(id)?.state === 'done' ? 'done' : 'started'
      jobs.set(id, { jid: id, expiry, state, data: isMapping(value.data) ? value.data : {} })
      return
    }
    case 'D':
      for (const done of id.split(',')) items.delete(done)
  }
}

function stringAt(value: unknown, key: string): string {
  return isMapping(value) && typeof value[key] === 'string' ? value[key] : ''
}
