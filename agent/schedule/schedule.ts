// The schedule of a running minion: its jobs, which may change at any time, and what is due at each turn.
import { messageOf } from '../../core/error.ts'
import { isMap, type Mapping, pythonEquals, pythonTruth, type Value } from '../../core/value/index.ts'
import { mapOf } from '../beacons/entry.ts'
import { formatDate, parseDate, usualFormat } from '../date-format.ts'
import type { Log } from '../outside.ts'
import { decide, type JobMemory, prepare } from './due.ts'
import { globalKeys, readJob, type ScheduledJob } from './job.ts'

/** What the schedule needs of the minion. */
export interface ScheduleParts {
  /** Seconds from one turn to the next. */
  readonly loopInterval: number
  readonly configured: Value
  readonly pillar: () => Value
  /** Moments by name: `whens` of grains and pillar. */
  readonly whens: () => Mapping
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly random: () => number
  readonly log: Log
  /** How many runs of a job are under way. */
  readonly running: (name: string) => number
  /** Starts a job; does not wait for it. */
  readonly run: (job: ScheduledJob) => void
  /** Writes the schedule down for the next start. */
  readonly save: (schedule: Mapping) => Promise<void>
}

interface Known {
  readonly written: Value
  readonly day: number
  readonly read: ScheduledJob | string
}

/** Promises: a due job is started in the turn in which it is due; turns start jobs and wait for none. */
export class Schedule {
  readonly #parts: ScheduleParts
  #own: Mapping
  readonly #memories = new Map<string, JobMemory>()
  readonly #known = new Map<string, Known>()

  constructor(parts: ScheduleParts) {
    this.#parts = parts
    this.#own = { ...mapOf(parts.configured) }
  }

  /** The jobs by name and what holds for all; the configuration's hide the pillar's. */
  all(where?: Value): Mapping {
    const pillar = where === 'opts' ? {} : this.#pillar()
    return { ...pillar, ...(where === 'pillar' ? {} : this.#own) }
  }

  isPillars(name: string): boolean {
    return Object.hasOwn(this.#pillar(), name)
  }

  /** Puts a job in its place; its memory begins anew. False where the pillar has it. */
  set(name: string, written: Value): boolean {
    if (this.isPillars(name)) {
      this.#parts.log.warn(`Cannot update job ${name}, it's in the pillar!`)
      return false
    }
    this.#own = { ...this.#own, [name]: written }
    this.#forget(name)
    return true
  }

  delete(name: string): boolean {
    if (!Object.hasOwn(this.#own, name)) {
      if (this.isPillars(name)) this.#parts.log.warn(`Cannot delete job ${name}, it's in the pillar!`)
      return false
    }
    const { [name]: _, ...rest } = this.#own
    this.#own = rest
    this.#forget(name)
    return true
  }

  /** One job, or all. What is remembered of it stays. */
  setEnabled(enabled: boolean, name?: string): boolean {
    if (name === undefined) {
      this.#own = { ...this.#own, enabled }
      return true
    }
    const job = mapOf(this.#own[name])
    if (job === undefined) {
      if (this.isPillars(name)) this.#parts.log.warn(`Cannot modify job ${name}, it's in the pillar!`)
      return false
    }
    this.#own = { ...this.#own, [name]: { ...job, enabled } }
    return true
  }

  /** Takes jobs from a file or the pillar; all begin to count anew. */
  reload(jobs: Mapping): void {
    this.#own = { ...this.#own, ...jobs }
    this.#memories.clear()
  }

  async save(): Promise<void> {
    await this.#parts.save(this.#own)
  }

  /** Runs a job now, unless as many of it run as may; false where there is none of that name. */
  runNow(name: string): boolean {
    const job = this.#job(name, this.all()[name])
    if (job === undefined) return false
    if (job.isListed && this.#parts.running(job.name) >= job.maxRunning) {
      this.#parts.log.info(`The scheduled job ${name} was not started, ${job.maxRunning} already running`)
      return true
    }
    this.#parts.run(job)
    return true
  }

  /** Leaves a run out, and where `newTime` is given runs then instead. False where the job or a date is not known. */
  skip(name: string, time: string, format: string, newTime?: string): boolean {
    if (!Object.hasOwn(this.#own, name)) return false
    const skipAt = parseDate(time, format)
    const runAt = newTime === undefined ? undefined : parseDate(newTime, format)
    if (skipAt === undefined || (newTime !== undefined && runAt === undefined)) return false
    const memory = this.#memory(name)
    memory.skipAt.push(skipAt)
    if (runAt !== undefined) memory.runAt.push(runAt)
    return true
  }

  /** When a job is due next, in a format; null where that is not known. */
  nextFireTime(name: string, format: string = usualFormat): string | null {
    const { next, splayed, runAt } = this.#prepared(name)
    const times = [splayed ?? next, ...runAt].filter((time) => time !== undefined)
    return times.length === 0 ? null : formatDate(Math.min(...times), format)
  }

  /** A job with what is remembered of it; empty where there is none. */
  status(name: string, format: string = usualFormat): Mapping {
    const written = mapOf(this.all()[name])
    if (written === undefined) return {}
    const { next, splayed, lastRun, skipped } = this.#prepared(name)
    const time = (at: number | undefined): string | null => (at === undefined ? null : formatDate(at, format))
    return {
      ...written,
      name: written.name ?? name,
      _next_fire_time: time(next),
      _splay: time(splayed),
      ...(lastRun === undefined ? {} : { _last_run: time(lastRun) }),
      ...(skipped === undefined
        ? {}
        : { _skipped: true, _skip_reason: skipped.reason, _skipped_time: time(skipped.at) }),
    }
  }

  /** Starts what is due. */
  turn(): void {
    const all = this.all()
    const { now, random, loopInterval, running } = this.#parts
    const turn = { now: now(), loop: loopInterval * 1000, random, enabled: pythonTruth(all.enabled ?? true) }
    for (const [name, written] of Object.entries(all)) {
      if (globalKeys.includes(name)) continue
      const job = this.#job(name, written)
      if (job === undefined) continue
      const decision = decide(job, this.#memory(name), { ...turn, running: running(job.name) })
      const isAside =
        decision.kind === 'skip' && ['in_skip_range', 'not_in_range', 'skip_explicit'].includes(decision.reason)
      const instead = isAside && typeof all.skip_function === 'string' ? { ...job, fun: all.skip_function } : undefined
      if (decision.kind === 'run' || instead !== undefined) this.#parts.run(instead ?? job)
    }
  }

  /** A job as it was read; anew each day, since times without a date are today's. What is wrong with it is said once a day. */
  #job(name: string, written: Value | undefined): ScheduledJob | undefined {
    if (written === undefined) return undefined
    const now = this.#parts.now()
    const day = new Date(now).setHours(0, 0, 0, 0)
    const known = this.#known.get(name)
    if (known !== undefined && known.day === day && pythonEquals(known.written, written))
      return typeof known.read === 'string' ? undefined : known.read
    const all = this.all()
    const defaults = {
      whens: this.#parts.whens(),
      ...(all.splay === undefined ? {} : { splay: all.splay }),
      ...(all.skip_during_range === undefined ? {} : { skipRange: all.skip_during_range }),
    }
    const read = readJob(name, written, defaults, now)
    this.#known.set(name, { written, day, read })
    if (typeof read !== 'string') return read
    this.#parts.log.error(read)
    return undefined
  }

  /** What is remembered of a job, which may not have had its first turn yet. */
  #prepared(name: string): JobMemory {
    const job = this.#job(name, this.all()[name])
    if (job === undefined) return { runAt: [], skipAt: [] }
    const { now, loopInterval, random } = this.#parts
    const memory = this.#memory(name)
    prepare(job, memory, { now: now(), loop: loopInterval * 1000, random })
    return memory
  }

  #memory(name: string): JobMemory {
    const known = this.#memories.get(name)
    if (known !== undefined) return known
    const memory: JobMemory = { runAt: [], skipAt: [] }
    this.#memories.set(name, memory)
    return memory
  }

  #forget(name: string): void {
    this.#memories.delete(name)
    this.#known.delete(name)
  }

  #pillar(): Mapping {
    const schedule = this.#parts.pillar()
    return schedule !== null && isMap(schedule) ? (mapOf(schedule) ?? {}) : {}
  }
}

/** What could not be saved is said; the schedule goes on with it all the same. */
export async function saveOrSay(schedule: Schedule, log: Log): Promise<void> {
  try {
    await schedule.save()
  } catch (error) {
    log.error(`Failed to persist the updated schedule: ${messageOf(error)}`)
  }
}
