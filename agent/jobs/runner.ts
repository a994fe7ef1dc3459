// Takes jobs from the mailbox, runs each once, and hands its return to the journal.
import { messageOf } from '../../core/error.ts'
import type { JobEnvelope } from '../../core/protocol/minion.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import type { OfferedJob } from '../connection/connection.ts'
import type { MasterClock } from '../connection/master-clock.ts'
import type { MasterTrust } from '../connection/trust.ts'
import type { Journal, NewReturn } from '../journal/journal.ts'
import { execute } from '../modules/execute.ts'
import type { AgentView } from '../modules/module.ts'
import { judgeEnvelope } from './envelope.ts'
import { multiReturn, singleReturn } from './return-load.ts'

/** What running jobs needs. */
interface RunnerSettings {
  readonly view: AgentView
  readonly journal: Journal
  readonly trust: MasterTrust
  readonly clock: MasterClock
  /** How many at a time; less than 1 for any number. */
  readonly most: number
  readonly ordered: boolean
}

/**
 * Promises: a jid starts at most once, however often it is offered; its start is on disk before it runs; its return is in
 * the journal when it has run. What is not signed by the master, meant for another or too late never starts.
 */
export class JobRunner {
  readonly #settings: RunnerSettings
  readonly #taken = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #ending = new Set<Promise<void>>()
  readonly #queue: (() => void)[] = []
  #running = 0
  #stopped = false

  constructor(settings: RunnerSettings) {
    this.#settings = settings
  }

  /** Takes an offered job, unless it was taken before. Returns at once. */
  take(offered: OfferedJob): void {
    const { jid } = offered
    if (this.#stopped || this.#taken.has(jid) || this.#settings.journal.jobState(jid) !== undefined) return
    this.#taken.add(jid)
    const done = this.#handle(offered)
      .catch((error: unknown) =>
        this.#settings.view.outside.log.error(`Job ${jid} could not be started: ${messageOf(error)}`),
      )
      .finally(() => {
        this.#taken.delete(jid)
        this.#ending.delete(done)
      })
    this.#ending.add(done)
  }

  /** Takes no more jobs and waits for those that run, at most so many milliseconds; then it ends them. True where all ended by themselves. */
  async stop(grace: number): Promise<boolean> {
    this.#stopped = true
    const all = Promise.all(this.#ending).then(() => true)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), grace)
    })
    const ended = await Promise.race([all, late])
    clearTimeout(timer)
    return ended
  }

  async #handle(offered: OfferedJob): Promise<void> {
    const { view, trust, clock, journal } = this.#settings
    const { log } = view.outside
    if (this.#refused.has(offered.envelope) || trust.key === undefined) return
    const judged = judgeEnvelope(offered.envelope, offered.jid, { key: trust.key, id: view.id, now: clock.now() })
    if (judged.kind !== 'job') {
      if (this.#refused.size > 1000) this.#refused.clear()
      this.#refused.add(offered.envelope)
      if (judged.kind === 'expired') log.warn(`Job ${judged.jid} came after its expiry and is not run.`)
      else log.error(`Job ${offered.jid} is refused: ${judged.reason}`)
      return
    }
    const { job, arg } = judged
    await this.#slot()
    try {
      if (this.#stopped || job.expiry <= clock.now()) return
      const started = await journal.startJob(job.jid, job.expiry, { fun: nameOf(job), fun_args: [...arg] })
      if (started === 'seen') return
      await journal.addReturn(offered.fetched ? lostReturn(job, arg) : await this.#run(job, arg))
    } finally {
      this.#running--
      this.#queue.shift()?.()
    }
  }

  async #run(job: JobEnvelope, arg: readonly Value[]): Promise<NewReturn> {
    const { view, ordered } = this.#settings
    const controller = new AbortController()
    const data = dataOf(job, arg)
    view.jobs.add({ jid: job.jid, data: { ...data, pid: process.pid }, stop: (signal) => controller.abort(signal) })
    view.outside.log.info(`Starting a new job ${job.jid}: ${nameOf(job)}`)
    try {
      const killed = new Promise<never>((_, reject) => {
        controller.signal.addEventListener(
          'abort',
          () => setTimeout(() => reject(new Killed(String(controller.signal.reason))), 1000).unref(),
          { once: true },
        )
      })
      const work = this.#functions(job, arg, data, controller.signal, ordered)
      return await Promise.race([
        work.then((ret) =>
          controller.signal.aborted ? killedReturn(job, arg, String(controller.signal.reason)) : ret,
        ),
        killed,
      ])
    } catch (error) {
      if (error instanceof Killed) return killedReturn(job, arg, error.message)
      throw error
    } finally {
      view.jobs.remove(job.jid)
    }
  }

  async #functions(
    job: JobEnvelope,
    arg: readonly Value[],
    data: Mapping,
    signal: AbortSignal,
    ordered: boolean,
  ): Promise<NewReturn> {
    const { view } = this.#settings
    if (typeof job.fun === 'string') {
      return singleReturn({ jid: job.jid, fun: job.fun, arg }, await execute(view, { fun: job.fun, arg, data, signal }))
    }
    const outcomes = []
    for (const [index, fun] of job.fun.entries()) {
      const own = arg[index]
      outcomes.push(await execute(view, { fun, arg: Array.isArray(own) ? own : [], data, signal }))
    }
    return multiReturn({ jid: job.jid, fun: job.fun, arg }, job.fun, outcomes, ordered)
  }

  async #slot(): Promise<void> {
    const { most } = this.#settings
    if (most >= 1 && this.#running >= most) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#running++
  }
}

class Killed extends Error {}

function nameOf(job: JobEnvelope): string {
  return typeof job.fun === 'string' ? job.fun : job.fun.join(',')
}

/** What a function's `__pub_*` keywords are made of. */
function dataOf(job: JobEnvelope, arg: readonly Value[]): Mapping {
  return {
    fun: job.fun,
    arg: [...arg],
    tgt: job.tgt,
    jid: job.jid,
    ret: job.ret,
    tgt_type: job.tgt_type,
    user: job.user,
    ...(job.metadata === undefined ? {} : { metadata: job.metadata as Mapping }),
  }
}

function failedReturn(job: JobEnvelope, arg: readonly Value[], words: string): NewReturn {
  return {
    jid: job.jid,
    fun: nameOf(job),
    fun_args: [...arg],
    return: words,
    retcode: 1,
    success: false,
    out: 'nested',
  }
}

function killedReturn(job: JobEnvelope, arg: readonly Value[], signal: string): NewReturn {
  return failedReturn(job, arg, `Job ${job.jid} was ended by ${signal}.`)
}

/** Another journal of this minion took the job: whether it ran then, nobody knows. */
function lostReturn(job: JobEnvelope, arg: readonly Value[]): NewReturn {
  const words = 'The job was interrupted: the minion fetched it before its journal was lost. It was not run again.'
  return { ...failedReturn(job, arg, words), interrupted: true }
}
