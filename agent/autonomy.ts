// What the minion does by itself, between the master's jobs: beacons, schedule, what runs at the start; and requests about them.
import { join } from 'node:path'
import { BrineError, messageOf } from '../core/error.ts'
import type { Mapping, Value } from '../core/value/index.ts'
import { Beacons } from './beacons/beacons.ts'
import { mapOf } from './beacons/entry.ts'
import { OtherRuns } from './beacons/other-runs.ts'
import { answerBeaconRequest, beaconAnswerTags, beaconRequestTag } from './beacons/requests.ts'
import { runOwnJob } from './jobs/own-job.ts'
import { runsStates } from './jobs/running.ts'
import type { NewReturn } from './journal/journal.ts'
import { answerOnBus } from './local-bus/ask.ts'
import type { LocalBus } from './local-bus/server.ts'
import type { StopReactor } from './masterless/reactor.ts'
import { execute } from './modules/execute.ts'
import type { AgentView } from './modules/module.ts'
import { saveJobs } from './modules/schedule-request.ts'
import { routeOf, sendToReturners } from './returners/send.ts'
import type { Runtime } from './runtime.ts'
import type { ScheduledJob } from './schedule/job.ts'
import { runMetadata } from './schedule/metadata.ts'
import { answerScheduleRequest, scheduleAnswerTags, scheduleRequestTag } from './schedule/requests.ts'
import { Schedule } from './schedule/schedule.ts'
import type { AgentSettings } from './settings.ts'

/** What it works with. */
export interface AutonomyParts {
  readonly settings: AgentSettings
  readonly runtime: Runtime
  readonly bus: LocalBus
  /** Sends an event to the master, or, without one, to the minion's own bus alone. */
  readonly send: (tag: string, data: Mapping, options: { readonly beacon: true }) => void
  /** Sends a return to the master, where there is one. */
  readonly sendReturn: (ret: NewReturn) => Promise<void>
}

/** Turns every `loop_interval`, from `start` to `stop`. Requests are answered from the beginning on. */
export class Autonomy {
  readonly beacons: Beacons
  readonly schedule: Schedule
  readonly #parts: AutonomyParts
  readonly #closers: (() => void)[] = []
  readonly #over = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #stopReactor: StopReactor | undefined

  constructor(parts: AutonomyParts) {
    this.#parts = parts
    const { settings, runtime, bus, send } = parts
    const { view, jobs } = runtime
    const { outside } = view
    const others = new OtherRuns(join(settings.config.cachedir, 'proc'), outside.log, () =>
      this.beacons.stateRunEnded(),
    )
    this.#closers.push(() => others.close())
    this.beacons = new Beacons({
      id: settings.id,
      loopInterval: settings.config.loop_interval,
      configured: settings.config.beacons,
      pillar: () => view.pillar().beacons ?? {},
      kinds: () => runtime.beaconKinds(),
      world: { now: () => outside.now(), log: outside.log, run: (fun, args = []) => this.#run(fun, args) },
      isStateRunning: () => jobs.all().some(runsStates) || others.isRunning(),
      emit: (tag, data) => send(tag, data, { beacon: true }),
    })
    this.schedule = new Schedule({
      loopInterval: settings.config.loop_interval,
      configured: withOwnJobs(settings.config, view),
      pillar: () => view.pillar().schedule ?? {},
      whens: () => ({ ...mapOf(view.grains.all().whens), ...mapOf(view.pillar().whens) }),
      now: () => outside.now() / 1000,
      random: outside.random,
      log: outside.log,
      running: (name) => jobs.all().filter(({ data }) => data.schedule === name).length,
      run: (job) => void this.#runScheduled(job),
      save: (schedule) => saveJobs(settings.opts, withoutOwnJobs(schedule)),
    })
    jobs.onEnd((job) => {
      if (runsStates(job)) this.beacons.stateRunEnded()
    })
    const failed = (error: unknown): void => outside.log.error(`A request could not be answered: ${messageOf(error)}`)
    this.#closers.push(
      answerOnBus(
        bus,
        beaconRequestTag,
        async (request) => {
          const data = await answerBeaconRequest(this.beacons, request)
          const tag = beaconAnswerTags[String(request.func)]
          return data === undefined || tag === undefined ? undefined : { tag, data }
        },
        failed,
      ),
      answerOnBus(
        bus,
        scheduleRequestTag,
        async (request) => {
          const data = await answerScheduleRequest(this.schedule, request, outside.log)
          const tag = scheduleAnswerTags[String(request.func)]
          return data === undefined || tag === undefined ? undefined : { tag, data }
        },
        failed,
      ),
    )
  }

  /** Begins to turn; the first turn is at once. Further calls change nothing. */
  start(): void {
    if (this.#timer !== undefined) return
    const turn = (): void => {
      void this.beacons.turn()
      this.schedule.turn()
    }
    this.#timer = setInterval(turn, this.#parts.settings.config.loop_interval * 1000)
    turn()
    void this.#runAtStart()
  }

  /** Reacts to the local bus, where there is no master to do so. Rejects where the ledger cannot be opened. */
  async startReactor(): Promise<void> {
    const { settings, runtime, bus } = this.#parts
    const { reactor } = settings.config
    if (!settings.isLocal || (Array.isArray(reactor) && reactor.length === 0)) return
    const { startMasterlessReactor } = await import('./masterless/reactor.ts')
    this.#stopReactor = await startMasterlessReactor({ settings, view: runtime.view, bus })
  }

  /** Ends, and with it what it started. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#over.abort()
    for (const close of this.#closers) close()
    await this.beacons.close()
    await this.#stopReactor?.()
  }

  /** `startup_states`. */
  async #runAtStart(): Promise<void> {
    const { startup_states: which, sls_list: files, top_file: top } = this.#parts.settings.config
    if (which === '') return
    const [fun, args] = { highstate: ['highstate', []], sls: ['sls', [[...files]]], top: ['top', [top]] }[which] as [
      string,
      Value[],
    ]
    const job = { fun: `state.${fun}`, args, kwargs: {}, isListed: true }
    const { view } = this.#parts.runtime
    const ret = await runOwnJob(view, job, this.#over.signal)
    await this.#parts.sendReturn(ret)
    await sendToReturners(view, ret, routeOf('', view))
  }

  async #runScheduled(job: ScheduledJob): Promise<void> {
    const { settings, runtime, bus, sendReturn } = this.#parts
    const { outside } = runtime.view
    if (job.dryRun) return outside.log.debug(`Job ${job.name} has 'dry_run' set to True. Not running it.`)
    const { name: schedule, fun, args, kwargs, isListed, metadata } = job
    const more = metadata === undefined ? {} : { metadata: runMetadata(metadata, outside.now() / 1000) }
    outside.log.info(`Running scheduled job: ${schedule}`)
    const own = { fun, args: [...args], kwargs, schedule, isListed, ...more }
    const ret = await runOwnJob(runtime.view, own, this.#over.signal)
    if (this.#over.signal.aborted) return
    const { returners, returnConfig, returnKwargs } = job
    const { schedule_returner: usual } = settings.config
    const route = routeOf([...returners, ...usual].join(','), runtime.view, {
      config: returnConfig,
      kwargs: returnKwargs,
    })
    void sendToReturners(runtime.view, ret, route)
    if (!job.returnJob) return
    bus.fire('__schedule_return', { cmd: '_return', id: settings.id, ...(ret as unknown as Mapping) })
    await sendReturn(ret)
  }

  async #run(fun: string, args: readonly Value[]): Promise<Value> {
    const outcome = await execute(this.#parts.runtime.view, { fun, arg: args, data: {}, signal: this.#over.signal })
    switch (outcome.kind) {
      case 'returned':
        return outcome.value
      case 'unavailable':
        throw new BrineError(`'${fun}' is not available.`, { code: 'unavailable' })
      case 'failed':
        throw new BrineError(outcome.words, { code: outcome.by })
    }
  }
}

/** Jobs of the minion's own in its schedule; their names begin as Salt's do. */
const ownJobs = ['__mine_interval']

/** The configured schedule, with the mine's update where the minion has a mine. */
function withOwnJobs(config: AgentSettings['config'], view: AgentView): Mapping {
  const configured = mapOf(config.schedule) ?? {}
  if (!config.mine_enabled || view.isLocal || view.functions.get('mine.update') === undefined) return configured
  const update: Mapping = {
    function: 'mine.update',
    minutes: config.mine_interval,
    jid_include: true,
    maxrunning: 2,
    run_on_start: true,
    return_job: false,
  }
  return { __mine_interval: update, ...configured }
}

function withoutOwnJobs(schedule: Mapping): Mapping {
  return Object.fromEntries(Object.entries(schedule).filter(([name]) => !ownJobs.includes(name)))
}
