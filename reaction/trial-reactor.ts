// A reactor over a ledger in memory, a clock moved by hand and a scripted executor: for tests.
import type { Event } from '../core/event/event.ts'
import { defaultReactorOptions, type ReactorOptions } from './engine.ts'
import { createMemoryLedger, emptyLedgerMemory, type LedgerMemory } from './memory-ledger.ts'
import type { FireNotices, Notice } from './notice.ts'
import type { Ending, Plan, Reaction } from './plan.ts'
import type { Executor, Ledger, MatchedFile, ReactorSet, Settlement, Started } from './ports.ts'
import { createReactor, type Reactor } from './react.ts'

/** An event from outside. */
export const root: Event = { id: '0123456789ROOT0000000000AA', tag: 't', data: {}, source: 'custom' }
/** A start that ends well at once. */
export const well: Started = { kind: 'started', ended: Promise.resolve({ state: 'done', success: true }) }

/** What matters of a reaction; the rest is filled in. */
export type Sketch = Partial<Reaction> & { readonly id: string; readonly kind?: 'local' | 'runner' | 'refused' }

/** A plan of these reactions, by default all of one file. */
export function planOf(
  event: Event,
  sketches: readonly Sketch[],
  files: Plan['files'] = [{ glob: '*', name: 'a.sls', hash: '', text: '' }],
): Plan {
  return {
    event: event.id,
    tag: event.tag,
    at: 0,
    version: 'v1',
    root: event.cause?.root ?? event.id,
    files,
    reactions: sketches.map(({ kind = 'local', ...rest }, ordinal) => ({
      ordinal,
      file: 0,
      name: rest.id,
      type: kind,
      fun: 'test.ping',
      requisites: [],
      warnings: [],
      call:
        kind === 'refused'
          ? { kind, reason: 'it has no tgt' }
          : kind === 'runner'
            ? { kind, fun: 'test.ping', arg: [], kwarg: {} }
            : { kind, tgt: '*', tgtType: 'glob', fun: 'test.ping', arg: [], kwarg: {}, ret: '', expiresIn: 1 },
      ...rest,
    })),
  }
}

/** A set in which every tag leads to one file. */
export const anything: ReactorSet = {
  version: 'v1',
  entries: [],
  wants: () => true,
  matching: () => [{ glob: '*', name: 'a.sls', hash: '', text: '' }],
}

/** How a trial differs from a reactor whose every event has one job, which starts well. */
export interface Setting {
  readonly start?: (reaction: Reaction, jid: string) => Promise<Started> | Started
  readonly plan?: (event: Event, matched: readonly MatchedFile[]) => Plan
  readonly ledger?: (inner: Ledger) => Ledger
  readonly options?: Partial<ReactorOptions>
  readonly fire?: FireNotices
}

/** A reactor on trial, and what it did. */
export interface Trial {
  readonly reactor: Reactor
  /** Delivers {@link root}, or another event, once. */
  readonly react: (attempt?: number, event?: Event) => Promise<Settlement | undefined>
  readonly endings: (event?: Event) => Promise<(Ending | undefined)[]>
  /** The ids of the reactions that were started. */
  readonly log: string[]
  readonly notices: Notice[]
  readonly calls: { plans: number; store: number; claim: number }
  readonly inner: Ledger
  readonly memory: LedgerMemory
  /** Lets microseconds pass; answers the time. */
  readonly pass: (time: number) => number
}

/** Puts a reactor on trial. */
export function trial({
  start = () => well,
  plan = (event) => planOf(event, [{ id: 'a' }]),
  ledger = (inner) => inner,
  options,
  fire,
}: Setting) {
  let now = 1_000_000
  const log: string[] = []
  const notices: Notice[] = []
  const calls = { plans: 0, store: 0, claim: 0 }
  const memory = emptyLedgerMemory()
  const inner = ledger(createMemoryLedger(memory, { oneProcess: true }))
  const counted: Ledger = {
    ...inner,
    storePlans: (plans, lease) => {
      calls.store++
      return inner.storePlans(plans, lease)
    },
    claim: (requests, lease) => {
      calls.claim++
      return inner.claim(requests, lease)
    },
  }
  const executor: Executor = {
    isIdempotent: ({ fun }) => fun === 'test.again',
    async start(reaction, { jid }) {
      log.push(reaction.id)
      return start(reaction, jid)
    },
  }
  const reactor = createReactor({
    ledger: counted,
    executor,
    makePlan: (event, matched) => {
      calls.plans++
      return plan(event, matched)
    },
    clock: { now: () => ++now, eventId: () => '', jid: () => `J${++now}` },
    timer: { sleep: async () => undefined, every: () => () => undefined },
    random: () => 0.5,
    warn: () => undefined,
    fire: fire ?? (async (...more) => notices.push(...more)),
    options: { ...defaultReactorOptions, owner: 'p#1', ...options },
  })
  const react = async (attempt = 1, event = root): Promise<Settlement | undefined> =>
    (await reactor.react([{ event, attempt }], anything)).get(event.id)
  const endings = async (event = root): Promise<(Ending | undefined)[]> =>
    (await inner.entries(event.id)).map(({ ending }) => ending)
  return { reactor, react, endings, log, notices, calls, inner, memory, pass: (time: number) => (now += time) }
}
