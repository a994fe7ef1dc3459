// What the minion does by itself, between the master's jobs: its beacons, and requests about them on its own bus.
import { BrineError, messageOf } from '../core/error.ts'
import type { Mapping, Value } from '../core/value/index.ts'
import { Beacons } from './beacons/beacons.ts'
import { answerBeaconRequest, beaconAnswerTags, beaconRequestTag } from './beacons/requests.ts'
import { runsStates } from './jobs/running.ts'
import { answerOnBus } from './local-bus/ask.ts'
import type { LocalBus } from './local-bus/server.ts'
import { execute } from './modules/execute.ts'
import type { Runtime } from './runtime.ts'
import type { AgentSettings } from './settings.ts'

/** What it works with. */
export interface AutonomyParts {
  readonly settings: AgentSettings
  readonly runtime: Runtime
  readonly bus: LocalBus
  /** Sends an event to the master, or, without one, to the minion's own bus alone. */
  readonly send: (tag: string, data: Mapping, options: { readonly beacon: true }) => void
}

/** Turns every `loop_interval`, from `start` to `stop`. Requests are answered from the beginning on. */
export class Autonomy {
  readonly beacons: Beacons
  readonly #parts: AutonomyParts
  readonly #closers: (() => void)[] = []
  readonly #over = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(parts: AutonomyParts) {
    this.#parts = parts
    const { settings, runtime, bus, send } = parts
    const { view, jobs } = runtime
    const { outside } = view
    this.beacons = new Beacons({
      id: settings.id,
      loopInterval: settings.config.loop_interval,
      configured: settings.config.beacons,
      pillar: () => view.pillar().beacons ?? {},
      kinds: () => runtime.beaconKinds(),
      world: { now: () => outside.now(), log: outside.log, run: (fun, args = []) => this.#run(fun, args) },
      isStateRunning: () => jobs.all().some(runsStates),
      emit: (tag, data) => send(tag, data, { beacon: true }),
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
    )
  }

  /** Begins to turn; the first turn is at once. Further calls change nothing. */
  start(): void {
    if (this.#timer !== undefined) return
    const turn = (): void => void this.beacons.turn()
    this.#timer = setInterval(turn, this.#parts.settings.config.loop_interval * 1000)
    turn()
  }

  /** Ends, and with it what it started. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#over.abort()
    for (const close of this.#closers) close()
    await this.beacons.close()
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
