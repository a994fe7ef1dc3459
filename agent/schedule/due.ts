// Whether a job runs now: a decision over its configuration, what is remembered of it, and the time.
import type { ScheduledJob } from './job.ts'

/** What is remembered of a job from one turn to the next. Milliseconds since 1970. */
export interface JobMemory {
  /** When it is due; absent where that is not known yet, or never. */
  next?: number
  /** `next` with its splay. */
  splayed?: number
  /** The last time that it was due. */
  past?: number
  hasStarted?: boolean
  lastRun?: number
  /** Times it is to run at besides (`schedule.postpone_job`), and times at which it is not to. */
  runAt: number[]
  skipAt: number[]
  skipped?: { readonly reason: SkipReason; readonly at: number }
}

/** Why a job that was due did not run: Salt's words. */
export type SkipReason =
  | 'disabled'
  | 'not_in_range'
  | 'in_skip_range'
  | 'skip_explicit'
  | 'until_passed'
  | 'after_not_passed'
  | 'maxrunning'

/** What came of it. */
export type Decision =
  | { readonly kind: 'run' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'skip'; readonly reason: SkipReason }

/** What a decision is made by. */
export interface Turn {
  readonly now: number
  /** From one turn to the next, milliseconds: what was due within it was not missed. */
  readonly loop: number
  /** At least 0, below 1. */
  readonly random: () => number
  /** All jobs are enabled. */
  readonly enabled: boolean
  /** How many runs of this job are under way. */
  readonly running: number
}

/** Decides, and brings the memory up to date. A job that was due is due anew at its next time, whatever came of it. */
export function decide(job: ScheduledJob, memory: JobMemory, turn: Turn): Decision {
  const { now } = turn
  delete memory.skipped
  const isStart = job.runOnStart && memory.hasStarted !== true
  memory.hasStarted = true
  prepare(job, memory, turn)
  const explicit = takeDue(memory.runAt, turn)
  const isDue = (memory.splayed ?? memory.next ?? Number.POSITIVE_INFINITY) <= now
  if (!isStart && !explicit && !isDue) return { kind: 'wait' }
  const reason = reasonToSkip(job, memory, turn, isStart)
  // What waits for its range runs as soon as that begins.
  if (isDue && reason !== 'not_in_range') advance(job, memory, turn)
  if (reason !== undefined) {
    memory.skipped = { reason, at: now }
    return { kind: 'skip', reason }
  }
  memory.lastRun = now
  return { kind: 'run' }
}

/** Sees to it that the memory says when the job is due next. */
export function prepare(job: ScheduledJob, memory: JobMemory, turn: Pick<Turn, 'now' | 'loop' | 'random'>): void {
  const { trigger, splay } = job
  if (trigger === undefined) return
  if (memory.next === undefined)
    set(
      memory,
      trigger.kind === 'every'
        ? turn.now + trigger.interval
        : trigger.next(Math.max(turn.now - turn.loop, (memory.past ?? 0) + 1)),
    )
  if (splay !== undefined && memory.next !== undefined && memory.splayed === undefined) {
    const seconds = splay.start + Math.floor(turn.random() * (splay.end - splay.start + 1))
    memory.splayed = memory.next + seconds * 1000
  }
}

function advance({ trigger }: ScheduledJob, memory: JobMemory, { now }: Turn): void {
  if (trigger === undefined) return
  const { next = now } = memory
  memory.past = next
  set(memory, trigger.kind === 'every' ? now + trigger.interval : trigger.next(Math.max(now, next) + 1))
}

function set(memory: JobMemory, next: number | undefined): void {
  delete memory.splayed
  if (next === undefined) delete memory.next
  else memory.next = next
}

function reasonToSkip(job: ScheduledJob, memory: JobMemory, turn: Turn, isStart: boolean): SkipReason | undefined {
  const { now, enabled, running } = turn
  if (!enabled || !job.enabled) return 'disabled'
  if (isStart) return running >= job.maxRunning && job.isListed ? 'maxrunning' : undefined
  const { range, skipRange } = job
  if (range !== undefined) {
    const isInside = range.start <= now && now <= range.end
    if (range.invert && isInside && now !== range.start && now !== range.end) return 'in_skip_range'
    if (!range.invert && !isInside) return 'not_in_range'
  }
  if (skipRange !== undefined && skipRange.start <= now && now <= skipRange.end) {
    const after = skipRange.end + turn.loop
    if (job.runAfterSkipRange && !memory.runAt.includes(after)) memory.runAt.push(after)
    return 'in_skip_range'
  }
  if (takeDue(memory.skipAt, turn)) return 'skip_explicit'
  if (job.until !== undefined && job.until <= now) return 'until_passed'
  if (job.after !== undefined && job.after >= now) return 'after_not_passed'
  return job.isListed && running >= job.maxRunning ? 'maxrunning' : undefined
}

/** Whether one of the times is now, to a turn; times that are over are forgotten. */
function takeDue(times: number[], { now, loop }: Turn): boolean {
  const due = times.some((time) => time <= now && now <= time + loop)
  const left = times.filter((time) => time > now)
  times.splice(0, times.length, ...left)
  return due
}
