// Publishing a job and waiting for its returns, as runners do.
import type { Jid, MinionId } from '../core/event/event.ts'
import type { Mapping, Value } from '../core/value/index.ts'
import { reactorUser } from './executor.ts'
import type { EventLog, JobStore } from './ports.ts'
import type { JobRequest, Publish } from './publish.ts'

/** The whole loads of the returns that came in time, by minion. `jid` is empty where nobody matched. */
export interface Executed {
  readonly jid: Jid
  readonly minions: readonly MinionId[]
  readonly returns: ReadonlyMap<MinionId, Mapping>
}

/** A job that somebody waits for. */
export interface ExecuteRequest {
  readonly tgt: Value
  readonly tgtType: string
  readonly fun: string
  readonly arg?: readonly Value[]
  /** Seconds to wait for the slowest. */
  readonly timeout: number
  /** Wait only for these of the targeted (the connected ones, say). */
  readonly waitFor?: (minion: MinionId) => boolean
  readonly user?: string
  readonly cause?: JobRequest['cause']
  /** Told in Salt's words where nobody is meant. */
  readonly print?: (text: string) => void
}

/** What Salt prints where a target means nobody. */
export const nobodyMatched = 'No minions matched the target. No command was sent, no jid was assigned.'

/** Runs a job now; a minion that is away must not run it later, so it expires with the wait. */
export type Execute = (request: ExecuteRequest) => Promise<Executed>

/** Joins publishing, log and job store to {@link Execute}. What a reactor runs publishes under the `daemon`'s user, as in Salt. */
export function createExecute(publish: Publish, log: EventLog, jobs: JobStore, daemon: string): Execute {
  return async (request) => {
    const cursor = await log.end()
    const published = await publish({
      tgt: request.tgt,
      tgtType: request.tgtType,
      fun: request.fun,
      arg: request.arg ?? [],
      ret: '',
      user: request.user === undefined || request.user === reactorUser ? daemon : request.user,
      expiresIn: request.timeout,
      cause: request.cause,
    })
    if (published.kind !== 'published') {
      if (published.kind === 'no-minions') request.print?.(nobodyMatched)
      return { jid: '', minions: [], returns: new Map() }
    }
    const { jid, minions } = published
    const waiting = new Set(minions.filter(request.waitFor ?? (() => true)))
    const signal = AbortSignal.timeout(request.timeout * 1000)
    const prefix = `salt/job/${jid}/ret/`
    if (waiting.size > 0) {
      for await (const batch of log.follow(cursor, signal)) {
        for (const { event } of batch) if (event.tag.startsWith(prefix)) waiting.delete(event.tag.slice(prefix.length))
        if (waiting.size === 0) break
      }
    }
    return { jid, minions, returns: new Map((await jobs.returns(jid)).map(({ id, load }) => [id, load])) }
  }
}
