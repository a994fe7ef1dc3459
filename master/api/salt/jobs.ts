// Jobs for the local clients: published, waited for, gathered.
import type { Jid, MinionId } from '../../../core/event/event.ts'
import { isMap, type Mapping, pythonStr, pythonTruth, size, type Value } from '../../../core/value/index.ts'
import type { Clock, JobStore, ReturnerChoice } from '../../ports.ts'
import type { Presence } from '../../presence.ts'
import type { Publish } from '../../publish.ts'
import { ApiError } from './error-page.ts'
import type { ReturnsWatch } from './returns-watch.ts'

/** A job of a caller. */
export interface ApiJob {
  readonly tgt: Value
  readonly tgtType: string
  readonly fun: string | string[]
  /** As on the wire: keywords in a marked map at the end. */
  readonly arg: readonly Value[]
  readonly ret: string
  readonly returner?: ReturnerChoice | undefined
  readonly user: string
  readonly jid?: Jid | undefined
  readonly metadata?: Mapping | undefined
}

/** Who was asked. Nobody: no jid. */
export interface Sent {
  readonly jid: Jid
  readonly minions: readonly MinionId[]
  /** Names of a list that no accepted key has. */
  readonly missing: readonly MinionId[]
}

/** What came back: whole loads, in the order in which they came. */
export interface Gathered extends Sent {
  readonly loads: ReadonlyMap<MinionId, Mapping>
}

/** Seconds to wait. */
export interface Waits {
  readonly timeout: number
  readonly gatherJobTimeout: number
}

/** Jobs of callers. */
export interface ApiJobs {
  send(job: ApiJob): Promise<Sent>
  gather(job: ApiJob, waits: Waits): Promise<Gathered>
}

/** Seconds after which a minion that was away must not start a job any more, as with the commands. */
const expiresIn = 300
const nobody: Sent = { jid: '', minions: [], missing: [] }

/** A wait under way: who is left, and when nobody is. */
interface Waiting {
  readonly jid: Jid
  readonly left: ReadonlySet<MinionId>
  readonly whole: Promise<void>
}

interface JobNeeds {
  readonly publish: Publish
  readonly presence: Presence
  readonly returns: Pick<ReturnsWatch, 'listen'>
  /** What is kept of a job: the log may tell of a return later than whoever is asked after it answers. */
  readonly jobs: Pick<JobStore, 'returns'>
  readonly clock: Clock
  /** Milliseconds a call waits at most, where the platform ends answers. */
  readonly longest?: number
}

/** Joins publishing and the watch over returns. */
export function createApiJobs({ publish, presence, returns, jobs, clock, longest }: JobNeeds): ApiJobs {
  const patience = longest ?? Number.POSITIVE_INFINITY

  const send = async (job: ApiJob, seconds: number): Promise<Sent> => {
    const published = await publish({ ...job, expiresIn: seconds })
    switch (published.kind) {
      case 'published':
        return published
      case 'no-minions':
        return { ...nobody, missing: published.missing }
      case 'no-nodegroup':
        throw new ApiError(400, published.message)
      case 'jid-taken':
        throw new ApiError(409, `The jid ${job.jid} belongs to another job. Choose another, or none.`)
    }
  }

  const collect = async (job: ApiJob, seconds: number, wait: (state: Waiting) => Promise<void>): Promise<Gathered> => {
    const jid = job.jid ?? clock.jid()
    const loads = new Map<MinionId, Mapping>()
    const left = new Set<MinionId>()
    const whole = deferred()
    const stop = await returns.listen(jid, (id, load) => {
      if (!loads.has(id)) loads.set(id, load)
      if (left.delete(id) && left.size === 0) whole.resolve()
    })
    try {
      const sent = await send({ ...job, jid }, seconds)
      for (const id of sent.minions) if (!loads.has(id)) left.add(id)
      if (left.size > 0) await wait({ jid, left, whole: whole.promise })
      if (left.size > 0) for (const { id, load } of await jobs.returns(jid)) if (left.delete(id)) loads.set(id, load)
      return { ...sent, loads }
    } finally {
      stop()
    }
  }

  const stillRunning = async (jid: Jid, asked: MinionId[], user: string, seconds: number): Promise<boolean> => {
    if (asked.length === 0) return false
    const job = { tgt: asked, tgtType: 'list', fun: 'saltutil.find_job', arg: [jid], ret: '', user }
    const { loads } = await collect(job, seconds, ({ whole }) => within(seconds, whole))
    return [...loads.values()].some(({ return: found = null }) => (isMap(found) ? size(found) > 0 : pythonTruth(found)))
  }

  const gather = (job: ApiJob, { timeout, gatherJobTimeout }: Waits): Promise<Gathered> =>
    collect(job, expiresIn, async ({ jid, left, whole }) => {
      const end = performance.now() + patience
      const rest = (seconds: number): number => Math.min(seconds, Math.max(0, end - performance.now()) / 1000)
      await within(rest(timeout), whole)
      while (left.size > 0 && performance.now() < end) {
        // Only who is there can say that it still runs the job.
        const there = new Set(await presence.present())
        const asked = [...left].filter((id) => there.has(id))
        const running = await Promise.race([
          whole.then(() => false),
          stillRunning(jid, asked, job.user, rest(gatherJobTimeout)),
        ])
        if (!running) break
        await within(rest(timeout), whole)
      }
    })

  return { send: (job) => send(job, expiresIn), gather }
}

/** What Salt's LocalClient answers: returns by minion; silence is `false`, a name without a minion is told. */
export function returnsOf(gathered: Gathered, fullReturn: boolean): Mapping {
  if (gathered.jid === '') return {}
  const answer: Mapping = {}
  for (const [id, load] of gathered.loads) answer[id] = fullReturn ? fullOf(load, gathered.jid) : (load.return ?? null)
  for (const id of gathered.minions) if (!gathered.loads.has(id)) answer[id] = false
  for (const id of gathered.missing) {
    const ret = noReturn(gathered.jid)
    answer[id] = fullReturn ? { out: 'no_return', ret, retcode: 1 } : ret
  }
  return answer
}

function fullOf(load: Mapping, jid: Jid): Mapping {
  return {
    ret: load.return ?? null,
    ...(load.out === undefined ? {} : { out: load.out }),
    retcode: load.retcode ?? 0,
    jid: pythonStr(load.jid ?? jid),
  }
}

function noReturn(jid: Jid): string {
  return `Minion did not return. [No response]\nThe minions may not have all finished running and any remaining minions will return upon completion. To look up the return data for this job later, run the following command:\n\nbrine-run jobs.lookup_jid ${jid}`
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function within(seconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
