// Takes jobs from the mailbox, runs each once, and hands its return to the journal.
import { messageOf } from '../../core/error.ts'
import type { JobEnvelope } from '../../core/protocol/minion.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { OfferedJob } from '../connection/connection.ts'
import type { MasterClock } from '../connection/master-clock.ts'
import type { MasterTrust } from '../connection/trust.ts'
import type { JobEntry, Journal, NewReturn } from '../journal/journal.ts'
import { execute } from '../modules/execute.ts'
import type { AgentView } from '../modules/module.ts'
import type { ProcessRunner } from '../modules/process.ts'
import { type Route, routeOf, sendToReturners } from '../returners/send.ts'
import { judgeEnvelope } from './envelope.ts'
import type { ProcessRecords } from './recorded-process.ts'
import { failedReturn, interruptedReturn, multiReturn, nameOf, singleReturn } from './return-load.ts'
import { Slots } from './slots.ts'

/** What running jobs needs. */
interface RunnerSettings {
  readonly view: AgentView
  readonly journal: Journal
  readonly trust: MasterTrust
  readonly clock: MasterClock
  readonly records: ProcessRecords
  /** `process_count_max`: how many at a time; less than 1 for any number. */
  readonly most: number
  /** `multifunc_ordered`. */
  readonly ordered: boolean
}

/**
 * Promises: a jid starts at most once, however often it is offered; its start is on disk before it runs, and its return
 * before it is sent, unless its functions change nothing (`readOnly`): such a one may run again after a crash. What is not signed by the master, meant for another or too late never starts.
 */
export class JobRunner {
  readonly #settings: RunnerSettings
  readonly #taken = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #ending = new Set<Promise<void>>()
  readonly #slots: Slots
  readonly #stop = new AbortController()

  constructor(settings: RunnerSettings) {
    this.#settings = settings
    this.#slots = new Slots(settings.most)
  }

  /** Takes an offered job, unless it was taken before. Returns at once. */
  take(offered: OfferedJob): void {
    const { jid } = offered
    if (this.#taken.has(jid) || this.#settings.journal.jobState(jid) !== undefined) return
    this.#do(jid, () => this.#handle(offered))
  }

  /**
   * Returns the jobs that an agent before this one was cut off from: by what their program left or still does where that
   * tells all, else as interrupted. None is run again.
   */
  async recover(): Promise<void> {
    const { journal, records } = this.#settings
    const { unfinished } = journal
    await records.keepOnly(unfinished.map(({ jid }) => jid))
    for (const entry of unfinished) this.#do(entry.jid, () => this.#recoverOne(entry))
  }

  /** Takes no more jobs and waits for those that run, at most so many milliseconds. True where all ended. */
  async stop(grace: number): Promise<boolean> {
    this.#stop.abort()
    const all = Promise.all(this.#ending).then(() => true)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), grace)
    })
    const ended = await Promise.race([all, late])
    clearTimeout(timer)
    return ended
  }

  #do(jid: string, work: () => Promise<void>): void {
    if (this.#stop.signal.aborted) return
    this.#taken.add(jid)
    const { log } = this.#settings.view.outside
    const done = work()
      .catch((error: unknown) => log.error(`Job ${jid} could not be run: ${messageOf(error)}`))
      .finally(() => {
        this.#taken.delete(jid)
        this.#ending.delete(done)
      })
    this.#ending.add(done)
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
    const { job } = judged
    const data = dataOf(job, judged.arg)
    await this.#slots.use(async () => {
      if (this.#stop.signal.aborted || job.expiry <= clock.now()) return
      const durable = this.#changesNothing(job.fun) ? 'soon' : 'durable'
      if ((await journal.startJob(job.jid, job.expiry, data, durable)) === 'seen') return
      const lost = 'the minion fetched it before its journal was lost'
      const ret = offered.fetched ? interruptedReturn(job.jid, data, lost) : await this.#run(job.jid, data)
      await this.#return(job.jid, data, ret, durable)
    })
  }

  async #recoverOne({ jid, data }: JobEntry): Promise<void> {
    const { view, records } = this.#settings
    const resumable = typeof data.fun === 'string' && view.functions.get(data.fun)?.resumable === true
    const left = resumable ? await records.resume(jid, this.#stop.signal) : undefined
    // Stopped while its program still runs: the next agent asks again.
    if (this.#stop.signal.aborted) return
    const lost = 'the minion stopped while it ran'
    await this.#return(
      jid,
      data,
      left === undefined ? interruptedReturn(jid, data, lost) : await this.#run(jid, data, left),
    )
  }

  async #return(jid: string, data: Mapping, ret: NewReturn, durable: 'durable' | 'soon' = 'durable'): Promise<void> {
    const { journal, records, view } = this.#settings
    await journal.addReturn(ret, durable)
    if (durable === 'durable') await records.forget(jid)
    await sendToReturners(view, ret, routeOfJob(data, view))
  }

  /** Functions that only look need not be on disk before they run: to look twice does no harm. */
  #changesNothing(fun: string | readonly string[]): boolean {
    const { functions } = this.#settings.view
    return [fun].flat().every((name) => functions.get(name)?.readOnly === true)
  }

  async #run(jid: string, data: Mapping, left?: ProcessRunner): Promise<NewReturn> {
    const { view, records } = this.#settings
    const controller = new AbortController()
    const { signal } = controller
    view.jobs.add({ jid, data: { ...data, pid: process.pid }, stop: (name) => controller.abort(name) })
    view.outside.log.info(`Starting a new job ${jid}: ${nameOf(data)}`)
    const ended = (): NewReturn => failedReturn(jid, data, `Job ${jid} was ended by ${String(signal.reason)}.`)
    try {
      const work = this.#functions(jid, data, left ?? records.recorder(jid), signal)
      // What does not heed its end is not waited for.
      const killed = new Promise<NewReturn>((resolve) => {
        signal.addEventListener('abort', () => setTimeout(() => resolve(ended()), 1000).unref(), { once: true })
      })
      return await Promise.race([work.then((ret) => (signal.aborted ? ended() : ret)), killed])
    } finally {
      view.jobs.remove(jid)
    }
  }

  async #functions(jid: string, data: Mapping, processes: ProcessRunner, signal: AbortSignal): Promise<NewReturn> {
    const { view, ordered } = this.#settings
    const { fun = '' } = data
    const arg = listOf(data.arg)
    if (!Array.isArray(fun)) {
      return singleReturn(jid, data, await execute(view, { fun: String(fun), arg, data, signal, processes }))
    }
    const outcomes = []
    for (const [index, name] of fun.entries()) {
      outcomes.push(await execute(view, { fun: String(name), arg: listOf(arg[index]), data, signal, processes }))
    }
    return multiReturn(jid, data, outcomes, ordered)
  }
}

function listOf(value: Value | undefined): Value[] {
  return Array.isArray(value) ? value : []
}

/** The returners that the job names, and the minion's own. */
function routeOfJob({ ret = '', ret_config: config, ret_kwargs: kwargs }: Mapping, view: AgentView): Route {
  return routeOf(pythonStr(ret), view, {
    config: config === undefined ? undefined : pythonStr(config),
    kwargs: kwargs !== undefined && isMapping(kwargs) ? kwargs : undefined,
  })
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
    ...(job.ret_config === undefined ? {} : { ret_config: job.ret_config }),
    ...(job.ret_kwargs === undefined ? {} : { ret_kwargs: job.ret_kwargs as Mapping }),
    ...(job.metadata === undefined ? {} : { metadata: job.metadata as Mapping }),
  }
}
