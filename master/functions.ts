// The master's functions: runners and wheel, what starts them, and what reactors and templates reach of them.
import type { Signature } from '../core/arguments/index.ts'
import type { Mapping } from '../core/value/index.ts'
import { mergeDeep } from '../core/value/merge.ts'
import type { RenderFile } from '../reaction/make-plan.ts'
import type { Executor } from '../reaction/ports.ts'
import type { MasterAnswers } from './answers.ts'
import type { CloudOutside } from './cloud/index.ts'
import type { Desk } from './desk.ts'
import { createExecute, type Execute } from './execute.ts'
import { createExecutor } from './executor.ts'
import { keepRun } from './keep-run.ts'
import { masterIdOf } from './orchestrate/master-id.ts'
import type { Orchestrations, OrchestrationsNeeds } from './orchestrate/orchestrations.ts'
import type { Ports, RootsFiles } from './ports.ts'
import type { RenderFacts } from './render-file.ts'
import { createStartRun, type FunctionTable, type StartRun } from './run.ts'
import { createTellInterrupted, type RunTables, type RunTelling, type TellInterrupted } from './run-events.ts'
import { createRunners } from './runners/functions.ts'
import type { InvokeLambda } from './runners/lambda.ts'
import type { MasterModules } from './runners/salt.ts'
import type { WriteBackup } from './runners/store.ts'
import { templateModules } from './template-modules.ts'
import type { ConfigFiles } from './wheel/config.ts'
import { createWheel } from './wheel/functions.ts'

/** What is run on the master. */
export interface Functions {
  readonly execute: Execute
  readonly startRun: StartRun
  readonly tellInterrupted: TellInterrupted
  readonly tables: RunTables
  readonly executor: Executor
  readonly answers: MasterAnswers
  /** Loaded when they are first asked for: few processes have any. */
  readonly orchestrations: () => Promise<Orchestrations>
}

/** What the platform adds. */
export interface FunctionExtras {
  /** Runners of the user's own (`_runners/`), looked up after Brine's. */
  readonly userRunners?: () => FunctionTable
  /** Seconds runners wait for minions: Salt's `timeout`. */
  readonly timeout: number
  /** Seconds that minions have to say whether they still run a job: Salt's `gather_job_timeout`. @default 10 */
  readonly gatherJobTimeout?: number
  /** Told of turns of an orchestration that failed and are taken again. @default nobody */
  readonly report?: (error: unknown, jid: string) => void
  /** Has orchestrations go on outside of this process. @default in it */
  readonly orchestrationDriver?: OrchestrationsNeeds['driver']
  /** The files that pillar is made of, for the wheel. @default it has no functions for them */
  readonly pillarFiles?: RootsFiles | undefined
  /** What templates see of the master. @default nothing */
  readonly template?: RenderFacts
  /** Loads what renders a reactor's file, for runners that try one. @default one of its own */
  readonly render?: () => Promise<RenderFile>
  /** The execution functions of the master's machine. @default those of its templates */
  readonly modules?: MasterModules
  /** Calls functions of AWS Lambda. @default there is no way to them */
  readonly invokeLambda?: InvokeLambda
  /** False where other things of this machine than web servers listen on loopback. @default true */
  readonly askLoopback?: boolean
  /** Where the wheel may write settings. @default nowhere: they are part of a deployment */
  readonly configFiles?: ConfigFiles
  /** Backs up the store while it is in use. @default the platform does it in its own way */
  readonly backup?: WriteBackup
  /** Machines and what makes them, for `cloud.*`. @default there are none */
  readonly cloud?: () => Promise<CloudOutside>
  /** The functions minions have, for `reactor.lint`; loaded when it is used. @default none */
  readonly minionFunctions?: () => Promise<ReadonlyMap<string, Signature>>
}

/** Joins them over a desk. `answers` asks the runners there are, these among them. */
export function createFunctions(ports: Ports, desk: Desk, answers: MasterAnswers, extras: FunctionExtras): Functions {
  const { fire, publish, presence, keys, mines, options, resolve, pillar } = desk
  const facts = extras.template ?? { opts: {}, grains: {}, pillar: {} }
  const masterId = masterIdOf(facts.opts, options)
  const execute = createExecute(publish, ports.log, ports.jobs, options.user)
  const wheel = createWheel({
    keys,
    signer: ports.signer,
    opts: facts.opts,
    presence,
    files: ports.files,
    pillarFiles: extras.pillarFiles,
    configFiles: extras.configFiles,
  })
  const tables: RunTables = { runner: (): FunctionTable => runners(), wheel: (): FunctionTable => wheel }
  const telling: RunTelling = { fire, keep: (jid, told) => keepRun({ ...ports, masterId }, jid, told) }
  const startRun = createStartRun(tables, telling, ports.clock)
  const { cloud: openOutside } = extras
  const openCloud =
    openOutside === undefined
      ? undefined
      : async () => {
          const [{ createCloud }, outside] = await Promise.all([import('./cloud/index.ts'), openOutside()])
          return createCloud({ ...ports, outside, fire, ring: ports.keys, keys, execute, timeout: extras.timeout })
        }
  const own = createRunners({
    ...ports,
    fire,
    execute,
    opts: facts.opts,
    pillar,
    resolve,
    masterId,
    grains: facts.grains,
    mines,
    presence,
    tables,
    answers,
    orchestrations: () => orchestrations(),
    render: extras.render ?? (async () => (await import('./render-file.ts')).createRenderFile(facts)),
    minionFunctions: extras.minionFunctions ?? (async () => new Map()),
    backup: extras.backup,
    keyring: keys,
    invokeLambda: extras.invokeLambda,
    askLoopback: extras.askLoopback ?? true,
    modules: extras.modules ?? templateModules(answers, facts),
    cloud: openCloud,
    timeout: extras.timeout,
    version: options.version,
  })
  const runners = joined(own, extras.userRunners)
  const orchestrationsNeeds: OrchestrationsNeeds = {
    ...ports,
    store: ports.orchestrations,
    fire,
    publish,
    resolve,
    startRun,
    tables,
    answers,
    facts,
    pillar: async (over) => {
      const compiled = await pillar.compile(masterId, { grains: facts.grains, override: over })
      return mergeDeep(facts.pillar, compiled) as Mapping
    },
    masterId,
    user: options.user,
    stepEvents: options.orchestrationEvents,
    timeout: extras.timeout,
    gatherJobTimeout: extras.gatherJobTimeout ?? 10,
    random: Math.random,
    report: extras.report ?? (() => undefined),
    ...(extras.orchestrationDriver === undefined ? {} : { driver: extras.orchestrationDriver }),
  }
  let opening: Promise<Orchestrations> | undefined
  const orchestrations = (): Promise<Orchestrations> => {
    opening ??= import('./orchestrate/orchestrations.ts').then(
      (module) => new module.Orchestrations(orchestrationsNeeds),
    )
    return opening
  }
  return {
    execute,
    startRun,
    tellInterrupted: createTellInterrupted(tables, telling),
    tables,
    executor: createExecutor({ publish, startRun, tables, user: options.user }),
    answers,
    orchestrations,
  }
}

/** Brine's functions over the user's; joined anew only when the user's change. */
function joined(own: FunctionTable, users: (() => FunctionTable) | undefined): () => FunctionTable {
  if (users === undefined) return () => own
  let seen: FunctionTable | undefined
  let both = own
  return () => {
    const now = users()
    if (now !== seen) both = new Map([...now, ...own])
    seen = now
    return both
  }
}
