// Drives orchestrations in one process: a turn whenever something a step waits for may have happened.
import type { Jid } from '../../core/event/event.ts'
import type { EventLog } from '../ports.ts'
import { isAwaited } from './awaited.ts'
import type { Orchestrator, TurnEnd } from './orchestrator.ts'
import type { Orchestration } from './record.ts'

/** Has orchestrations go on. */
export interface OrchestrationDriver {
  /** Takes an orchestration on; resolves when it is sure to go on. */
  begin(jid: Jid): Promise<void>
  /** The orchestration once it is done; rejects where the signal ends first. */
  finished(jid: Jid, signal?: AbortSignal): Promise<Orchestration>
  /** Something an orchestration waits for may have happened. Resolves when its next turn is sure to come. */
  wake(jid: Jid): Promise<void>
}

/** A driver that lives and ends with its process. */
export interface LocalDriver extends OrchestrationDriver {
  /** Takes on every orchestration that an earlier process left. */
  resumeAll(): Promise<number>
  /** Takes no more turns; what is under way goes on with the next start. */
  stop(): Promise<void>
}

interface Driven {
  waiting: Extract<TurnEnd, { kind: 'waiting' }> | undefined
  isDirty: boolean
  wake: () => void
  readonly done: Promise<Orchestration>
}

const longestPause = 30_000
const shortestPause = 250

/** Makes the driver. It watches the log only while there is something to drive. `report` is told of turns that failed. */
export function createLocalDriver(
  orchestrator: () => Orchestrator,
  log: EventLog,
  now: () => number,
  report: (error: unknown, jid: Jid) => void,
): LocalDriver {
  const driven = new Map<Jid, Driven>()
  const stopping = new AbortController()
  let watching: Promise<void> | undefined

  const wake = (jid: Jid): void => {
    const each = driven.get(jid)
    if (each === undefined) return
    each.isDirty = true
    each.wake()
  }

  /** A return wakes whoever waits for it; what comes during a turn may have been missed by it. */
  const seen = (tag: string): void => {
    for (const [jid, { waiting }] of driven) if (waiting === undefined || isAwaited(tag, waiting)) wake(jid)
  }

  const watch = async (): Promise<void> => {
    for await (const batch of log.follow('now', stopping.signal)) for (const { event } of batch) seen(event.tag)
  }

  const drive = async (jid: Jid, each: Driven): Promise<Orchestration> => {
    let pause = shortestPause
    for (;;) {
      if (stopping.signal.aborted) throw new Error('the master is stopping')
      each.isDirty = false
      each.waiting = undefined
      try {
        const end = await orchestrator().turn(jid)
        if (end.kind === 'done') return end.orchestration
        each.waiting = end
        pause = shortestPause
        if (!each.isDirty) await untilWoken(each, Math.max((end.wakeAt - now()) / 1000, 0))
      } catch (error) {
        report(error, jid)
        await untilWoken(each, pause)
        pause = Math.min(pause * 2, longestPause)
      }
    }
  }

  const untilWoken = (each: Driven, milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1))
      each.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const take = (jid: Jid): Driven => {
    const known = driven.get(jid)
    if (known !== undefined) return known
    watching ??= watch().catch((error: unknown) => report(error, jid))
    const each: { -readonly [K in keyof Driven]: Driven[K] } = {
      waiting: undefined,
      isDirty: false,
      wake: () => undefined,
      done: Promise.reject(new Error('not begun')),
    }
    each.done.catch(() => undefined)
    driven.set(jid, each)
    each.done = drive(jid, each).finally(() => driven.delete(jid))
    each.done.catch(() => undefined)
    return each
  }

  return {
    begin: async (jid) => void take(jid),
    finished: (jid) => take(jid).done,
    wake: async (jid) => wake(jid),
    async resumeAll() {
      const left = await orchestrator().unfinished()
      for (const jid of left) take(jid)
      return left.length
    },
    async stop() {
      stopping.abort()
      const all = [...driven.values()]
      for (const each of all) each.wake()
      await Promise.allSettled(all.map(({ done }) => done))
      await watching
    },
  }
}
