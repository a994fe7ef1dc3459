// Orchestrations as the master offers them: compiled, stored, driven, watched and changed.

import type { Jid } from '../../core/event/event.ts'
import { type CompiledHigh, lowTag, type Plan, type RunState, verifyLow } from '../../core/state/index.ts'
import { isMapping, type Mapping, type Value } from '../../core/value/index.ts'
import { localTime } from '../../reaction/local-time.ts'
import type { CompileNeeds, CompileRequest } from './compile.ts'
import { createLocalDriver, type OrchestrationDriver } from './local-driver.ts'
import { noOrchestration } from './no-orchestration.ts'
import { Orchestrator, type OrchestratorNeeds } from './orchestrator.ts'
import type { Orchestration, OrchestrationRequest } from './record.ts'
import { type RunCallNeeds, RunDesk } from './run-calls.ts'

/** What joins them. */
export interface OrchestrationsNeeds
  extends Omit<OrchestratorNeeds, 'localTime' | 'wake' | 'runs'>,
    RunCallNeeds,
    CompileNeeds {
  /** The master's pillar with that of a call laid over it. */
  readonly pillar: (over: Mapping | undefined) => Promise<Mapping>
  /** The daemon's user. */
  readonly user: string
  /** Told of turns that failed and are taken again. */
  readonly report: (error: unknown, jid: Jid) => void
  /** Has orchestrations go on elsewhere. @default in this process */
  readonly driver?: (orchestrator: Orchestrator) => OrchestrationDriver
}

/** What to run: SLS files, high data, or one step. */
export type OrchestrationSource =
  | { readonly kind: 'mods'; readonly mods: readonly string[]; readonly saltenv: string; readonly exclude?: Value }
  | { readonly kind: 'high'; readonly data: Value }
  | { readonly kind: 'single'; readonly low: Mapping }

/** How to run it. */
export interface OrchestrationCall {
  readonly request: OrchestrationRequest
  readonly source: OrchestrationSource
  readonly pillar: Value
  readonly test: boolean
  /** Called once it is stored, and goes on whoever dies. */
  readonly begun?: (() => void) | undefined
}

/** How one ended: its results, or why it could not begin. */
export type OrchestrationEnd =
  | { readonly kind: 'ran'; readonly orchestration: Orchestration; readonly returned: Mapping }
  | { readonly kind: 'errors'; readonly errors: readonly string[] }

/** The orchestrations of a master. */
export class Orchestrations {
  readonly #needs: OrchestrationsNeeds
  readonly #orchestrator: Orchestrator
  readonly #driver: OrchestrationDriver & { resumeAll?(): Promise<number>; stop?(): Promise<void> }

  constructor(needs: OrchestrationsNeeds) {
    this.#needs = needs
    const runs = new RunDesk(needs)
    this.#orchestrator = new Orchestrator({ ...needs, runs, localTime, wake: (jid) => void this.#driver.wake(jid) })
    this.#driver =
      needs.driver?.(this.#orchestrator) ??
      createLocalDriver(
        () => this.#orchestrator,
        needs.log,
        () => needs.clock.now(),
        needs.report,
      )
  }

  /** The daemon's user. */
  get user(): string {
    return this.#needs.user
  }

  /** A jid that no run has. */
  newJid(): Jid {
    return this.#needs.clock.jid()
  }

  /** The id that results stand under. */
  get masterId(): string {
    return this.#needs.masterId
  }

  /** One turn, for whoever drives orchestrations from outside. */
  get orchestrator(): Orchestrator {
    return this.#orchestrator
  }

  /** Runs to the end; a master that dies meanwhile goes on with it at its next start. */
  async run(call: OrchestrationCall): Promise<OrchestrationEnd> {
    const { request, source, test } = call
    const pillar = await this.#needs.pillar(isMapping(call.pillar) ? call.pillar : undefined)
    const compiled = await this.#compile(source, pillar, request.jid)
    if (compiled.kind === 'errors') return { kind: 'errors', errors: compiled.errors }
    await this.#orchestrator.create({ request, plan: compiled.plan, pillar, test, failhard: false })
    await this.#driver.begin(request.jid)
    call.begun?.()
    const orchestration = await this.#driver.finished(request.jid)
    return { kind: 'ran', orchestration, returned: this.#orchestrator.returned(orchestration) }
  }

  /** The high data of SLS files, or what is wrong with them. */
  async show(request: CompileRequest): Promise<Value> {
    const pillar = await this.#needs.pillar(request.pillar)
    const { showMods } = await import('./compile.ts')
    return showMods({ ...request, pillar }, this.#needs)
  }

  get(jid: Jid): Promise<Orchestration | undefined> {
    return this.#orchestrator.get(jid)
  }

  list(limit: number): Promise<Orchestration[]> {
    return this.#orchestrator.list(limit)
  }

  /** What it returns when it has ended; goes on with it here where nobody does. Rejects where there is none. */
  async finished(jid: Jid): Promise<Mapping> {
    if ((await this.get(jid)) === undefined) throw noOrchestration(jid)
    return this.returned(await this.#driver.finished(jid))
  }

  /** What it returns, as far as it is. */
  returned(orchestration: Orchestration): Mapping {
    return this.#orchestrator.returned(orchestration)
  }

  /** Lets nothing more of it start. False where it is done. */
  async cancel(jid: Jid): Promise<boolean> {
    const isChanged = await this.#orchestrator.cancel(jid)
    await this.#driver.wake(jid)
    return isChanged
  }

  /** Pauses or resumes steps. False where it is done. */
  async change(jid: Jid, how: (run: RunState) => RunState): Promise<boolean> {
    const isChanged = await this.#orchestrator.change(jid, how)
    await this.#driver.wake(jid)
    return isChanged
  }

  /** Goes on with what an earlier process left; answers how many. */
  async resumeAll(): Promise<number> {
    return (await this.#driver.resumeAll?.()) ?? 0
  }

  /** Takes no more turns in this process. */
  async stop(): Promise<void> {
    await this.#driver.stop?.()
  }

  async #compile(
    source: OrchestrationSource,
    pillar: Mapping,
    jid: Jid,
  ): Promise<
    Pick<CompiledHigh, 'kind'> & ({ kind: 'plan'; plan: Plan } | { kind: 'errors'; errors: readonly string[] })
  > {
    switch (source.kind) {
      case 'mods':
        return (await import('./compile.ts')).compileMods({ ...source, pillar }, jid, this.#needs)
      case 'high':
        return (await import('./compile.ts')).compileSteps(source.data, jid)
      case 'single': {
        const { low } = source
        const { orchestrationStates } = await import('./step-functions.ts')
        // A step alone is looked at before it is begun, as Salt does; one of a file fails by itself.
        const errors = verifyLow(
          low,
          orchestrationStates(() => pillar, this.#needs.random),
        )
        if (errors.length > 0) return { kind: 'errors', errors }
        return {
          kind: 'plan',
          plan: { chunks: [low], nodes: [{ chunk: 0, tag: lowTag(low), test: false, needs: [] }] },
        }
      }
    }
  }
}
