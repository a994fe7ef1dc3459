// Events, jobs and plans for the contracts.
import { monotonicFactory } from 'ulid'
import type { Mapping } from '../../core/value/value.ts'
import type { Event, JobRecord } from '../../master/ports.ts'
import type { Plan, Reaction } from '../../reaction/plan.ts'

const ulid = monotonicFactory()

/** A fresh event id. */
export function eventId(): string {
  return ulid()
}

/** A custom event, unlike any other. */
export function eventOf(tag: string, data: Event['data'] = { _stamp: '2026-11-21T10:00:00.000000' }): Event {
  return { id: ulid(), tag, data, source: 'custom' }
}

/** So many events, numbered in their tags. */
export function eventsOf(count: number, prefix = 'salt/test'): Event[] {
  return Array.from({ length: count }, (_, index) => eventOf(`${prefix}/${index}`))
}

/** A job of `test.ping`. */
export function jobOf(jid: string, more: Partial<JobRecord> = {}): JobRecord {
  return {
    jid,
    fun: 'test.ping',
    arg: [],
    tgt: '*',
    tgtType: 'glob',
    user: 'root',
    ret: '',
    minions: ['web1', 'web2'],
    missing: [],
    at: 1_763_719_200_000_000,
    expiry: 1_763_719_500_000_000,
    ...more,
  }
}

/** A plan of one file with so many jobs. */
export function planOf(event: Event, reactions: number, root = event.id, kwarg: Mapping = {}): Plan {
  return {
    event: event.id,
    tag: event.tag,
    at: 1_763_719_200_000_000,
    version: 'v1',
    root,
    files: [
      { glob: 'salt/*', name: '/srv/reactor/a.sls', hash: 'aa', text: 'a:\n  local.test.ping:\n    - tgt: "*"\n' },
    ],
    reactions: Array.from({ length: reactions }, (_, ordinal) => reactionOf(ordinal, kwarg)),
  }
}

function reactionOf(ordinal: number, kwarg: Mapping): Reaction {
  return {
    ordinal,
    file: 0,
    id: `a${ordinal}`,
    name: `a${ordinal}`,
    type: 'local',
    fun: 'test.ping',
    call: { kind: 'local', tgt: '*', tgtType: 'glob', fun: 'test.ping', arg: [], kwarg, ret: '', expiresIn: 3600 },
    requisites: [],
    warnings: [],
  }
}
