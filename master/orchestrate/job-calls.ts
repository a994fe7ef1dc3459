// The jobs of a step: published under jids that were written down before, and waited for as long as somebody runs them.

import { BrineError } from '../../core/error.ts'
import type { Cause, Jid, MinionId } from '../../core/event/event.ts'
import { isMap, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { withKeywords } from '../executor.ts'
import type { Clock, JobStore, Mailbox, StoredReturn } from '../ports.ts'
import type { JobRequest, Publish } from '../publish.ts'
import type { ResolveTarget } from '../targets.ts'
import type { JobPart, StepCall } from './record.ts'
import type { JobsRequest, MinionAnswer } from './step.ts'

/** What jobs of steps need. */
export interface JobCallNeeds {
  readonly publish: Publish
  readonly resolve: ResolveTarget
  readonly jobs: JobStore
  readonly mailbox: Mailbox
  readonly clock: Clock
  /** Seconds: Salt's `timeout` and `gather_job_timeout`. */
  readonly timeout: number
  readonly gatherJobTimeout: number
  /** From 0 up to 1. */
  readonly random: () => number
}

/** Whose job it is. */
export interface JobPlace {
  /** `<jid of the orchestration>/<step>`: a job published again with it is the same job. */
  readonly origin: string
  readonly user: string
  readonly cause?: Cause | undefined
}

type JobsCall = Extract<StepCall, { readonly kind: 'jobs' }>

/** A waiting call, and when to look again; or who answered what. */
export type JobsProgress =
  | { readonly kind: 'waiting'; readonly call: JobsCall; readonly wakeAt: number }
  | { readonly kind: 'ended'; readonly answers: readonly MinionAnswer[] }

/** Seconds that a minion has to start the job; a master that comes back within them loses nothing. */
const expiresIn = 3600
/** Seconds after which those who still run it are asked again at the latest. */
const longestPatience = 60
const second = 1_000_000

/** Writes down which jobs there will be; publishes nothing. */
export async function prepareJobs(
  request: JobsRequest,
  needs: JobCallNeeds,
): Promise<Pick<JobsCall, 'kind' | 'request' | 'parts' | 'batch'>> {
  const { tgt, tgtType, batch, subset } = request
  if (batch === undefined && subset === undefined) {
    return { kind: 'jobs', request, parts: [{ jid: needs.clock.jid(), tgt, tgtType, lost: [] }] }
  }
  const { minions } = await needs.resolve(tgt, tgtType)
  const chosen = subset === undefined ? [...minions] : someOf(minions, subset, needs.random)
  const width = batch === undefined ? chosen.length : batchWidth(batch, chosen.length)
  const parts = partFor(chosen.slice(0, width), needs.clock)
  return {
    kind: 'jobs',
    request,
    parts,
    ...(batch === undefined ? {} : { batch: { rest: chosen.slice(width), width } }),
  }
}

/** Publishes what is written down and was not yet published. Doing it again changes nothing. */
export async function publishJobs(call: JobsCall, place: JobPlace, needs: JobCallNeeds): Promise<JobsCall> {
  const parts = await Promise.all(
    call.parts.map((part) => (part.minions === undefined ? published(part, call, place, needs) : part)),
  )
  return { ...call, parts }
}

async function published(part: JobPart, call: JobsCall, place: JobPlace, needs: JobCallNeeds): Promise<JobPart> {
  const { fun, arg, kwarg, ret, returner } = call.request
  const { tgt, tgtType, jid } = part
  const outcome = await needs.publish({
    ...jobBase(place),
    fun,
    arg: withKeywords(arg, kwarg),
    tgt,
    tgtType,
    ret,
    returner,
    expiresIn,
    jid,
  })
  switch (outcome.kind) {
    case 'published':
      return { ...part, minions: outcome.minions, deadline: needs.clock.now() + patience(call, needs) }
    case 'no-minions':
      return { ...part, minions: [] }
    case 'no-nodegroup':
      throw new BrineError(outcome.message, { code: 'no-nodegroup' })
    case 'jid-taken':
      return published({ ...part, jid: needs.clock.jid() }, call, place, needs)
  }
}

function jobBase({ origin, user, cause }: JobPlace): Pick<JobRequest, 'origin' | 'user' | 'cause'> {
  return { origin, user, cause }
}

/** Looks who has returned, asks after those who have not, and goes on with the batch. */
export async function pollJobs(call: JobsCall, place: JobPlace, needs: JobCallNeeds): Promise<JobsProgress> {
  const now = needs.clock.now()
  const looked = await Promise.all(
    call.parts.map(async (part) =>
      part.done === undefined ? pollPart(part, call, place, now, needs) : { part, left: [] },
    ),
  )
  const parts = looked.map(marked)
  const next = nextOfBatch({ ...call, parts }, looked, needs)
  const wakes = looked
    .filter(({ left }) => left.length > 0)
    .map(({ part }) => part.asking?.until ?? part.deadline ?? now)
  if (next.parts.length > parts.length) return { kind: 'waiting', call: next, wakeAt: now }
  if (wakes.length > 0) return { kind: 'waiting', call: next, wakeAt: Math.min(...wakes) }
  return { kind: 'ended', answers: await answersOf(looked, call.request, needs) }
}

interface LookedAt {
  readonly part: JobPart
  /** Absent where the part was done before this look. */
  readonly returns?: readonly StoredReturn[]
  readonly left: readonly MinionId[]
}

/** The part, done where nobody is left. */
function marked({ part, returns, left }: LookedAt): JobPart {
  if (part.done !== undefined || left.length > 0) return part
  return { ...part, done: { failed: (returns ?? []).some(({ load }) => exitCode(load.retcode) !== 0) } }
}

async function pollPart(
  part: JobPart,
  call: JobsCall,
  place: JobPlace,
  now: number,
  needs: JobCallNeeds,
): Promise<LookedAt> {
  const { asking } = part
  const said = asking === undefined ? [] : await needs.jobs.returns(asking.jid)
  // Looked for behind the answers: who says that he is not at it any more has returned before.
  const returns = await needs.jobs.returns(part.jid)
  const returned = new Set(returns.map(({ id }) => id))
  const left = (part.minions ?? []).filter((id) => !returned.has(id) && !part.lost.includes(id))
  if (left.length === 0) return { part, returns, left }
  if (asking === undefined) {
    if (now < (part.deadline ?? 0)) return { part, returns, left }
    return { part: { ...part, asking: await askAfter(part.jid, left, place, now, needs) }, returns, left }
  }
  const answers = new Map(said.map(({ id, load }) => [id, load.return ?? null]))
  if (now < asking.until && left.some((id) => !answers.has(id))) return { part, returns, left }
  const asked = (part.asked ?? 0) + 1
  return afterAnswers({ ...part, asked }, returns, left, answers, now + patience(call, needs, asked), needs)
}

/** Who runs the job is waited for again; from whoever does not, it is taken back, so that it cannot start later. */
async function afterAnswers(
  part: JobPart,
  returns: readonly StoredReturn[],
  left: readonly MinionId[],
  answers: ReadonlyMap<MinionId, Value>,
  deadline: number,
  needs: JobCallNeeds,
): Promise<LookedAt> {
  const running = left.filter((id) => isRunning(answers.get(id)))
  const silent = left.filter((id) => !running.includes(id))
  await Promise.all(silent.map((id) => needs.mailbox.settle(id, part.jid)))
  const { asking: _, ...rest } = part
  return { part: { ...rest, lost: [...part.lost, ...silent], deadline }, returns, left: running }
}

const isRunning = (answer: Value | undefined): boolean => answer !== undefined && isMap(answer) && pythonTruth(answer)

async function askAfter(
  jid: Jid,
  minions: readonly MinionId[],
  place: JobPlace,
  now: number,
  needs: JobCallNeeds,
): Promise<{ jid: Jid; until: number }> {
  const asking = needs.clock.jid()
  const seconds = needs.gatherJobTimeout
  await needs.publish({
    ...jobBase(place),
    origin: `${place.origin}/asking/${asking}`,
    fun: 'saltutil.find_job',
    arg: [jid],
    tgt: [...minions],
    tgtType: 'list',
    ret: '',
    expiresIn: seconds,
    jid: asking,
  })
  return { jid: asking, until: now + seconds * second }
}

/** As soon as one has returned, the next one's turn has come; with `failhard` a failure ends the batch. */
function nextOfBatch(call: JobsCall, looked: readonly LookedAt[], needs: JobCallNeeds): JobsCall {
  const { batch, request } = call
  if (batch === undefined || batch.rest.length === 0) return call
  const active = looked.reduce((count, { left }) => count + left.length, 0)
  const failed = looked.some(
    ({ returns = [], part }) =>
      part.lost.length > 0 || part.done?.failed === true || returns.some(({ load }) => exitCode(load.retcode) !== 0),
  )
  if (request.failhard && failed) return { ...call, batch: { ...batch, rest: [] } }
  const free = Math.max(batch.width - active, 0)
  if (free === 0) return call
  const parts = [...call.parts, ...partFor(batch.rest.slice(0, free), needs.clock)]
  return { ...call, parts, batch: { ...batch, rest: batch.rest.slice(free) } }
}

function partFor(minions: readonly MinionId[], clock: Clock): JobPart[] {
  return minions.length === 0 ? [] : [{ jid: clock.jid(), tgt: [...minions], tgtType: 'list', lost: [] }]
}

async function answersOf(
  looked: readonly LookedAt[],
  request: JobsRequest,
  needs: JobCallNeeds,
): Promise<MinionAnswer[]> {
  const answers: MinionAnswer[] = []
  const all = await Promise.all(looked.map(async ({ part, returns }) => returns ?? needs.jobs.returns(part.jid)))
  for (const [index, { part }] of looked.entries()) {
    for (const { id, load } of all[index] ?? []) {
      answers.push({
        id,
        failed: false,
        jid: part.jid,
        returned: load.return ?? null,
        retcode: exitCode(load.retcode),
        out: pythonStr(load.out ?? ''),
      })
    }
    if (request.expectMinions) for (const id of part.lost) answers.push({ id, failed: true })
  }
  return answers
}

/** A job of several functions has an exit code a function; the worst counts. */
function exitCode(value: Value | undefined): number {
  if (isMap(value ?? null)) return Math.max(0, ...Object.values(value as object).map(Number))
  return Number(value ?? 0)
}

/** Twice as long each time that they said they still run it, so that a job of hours is not asked after every few seconds. */
function patience({ request }: JobsCall, needs: JobCallNeeds, asked = 0): number {
  const first = request.timeout ?? needs.timeout
  return Math.min(first * 2 ** asked, Math.max(first, longestPatience)) * second
}

/** `10` or `25%` of so many; at least one. */
function batchWidth(batch: string, count: number): number {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(batch)
  const width = percent === null ? Number(batch) : Math.floor((count * Number(percent[1])) / 100)
  if (Number.isFinite(width)) return Math.max(Math.trunc(width), 1)
  throw new BrineError(`The batch ${batch} is neither a number nor a percentage such as 25%.`, { code: 'batch' })
}

function someOf(minions: readonly MinionId[], count: number, random: () => number): MinionId[] {
  const left = [...minions]
  const chosen: MinionId[] = []
  while (chosen.length < count && left.length > 0) chosen.push(...left.splice(Math.floor(random() * left.length), 1))
  return chosen
}
