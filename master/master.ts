// The master: its use cases, joined over the ports.
import type { Signature } from '../core/arguments/index.ts'
import { type Mapping, pythonStr } from '../core/value/index.ts'
import type { Executor } from '../reaction/ports.ts'
import { createAnswers } from './answers.ts'
import { type Authenticate, createAuthenticate } from './authenticate.ts'
import { type Collect, createCollect } from './collect.ts'
import { createExecute, type Execute } from './execute.ts'
import { createExecutor } from './executor.ts'
import { createFire, type Fire } from './fire.ts'
import { createKeys, type Keys } from './keys.ts'
import type { MasterOptions } from './options.ts'
import { Orchestrations, type OrchestrationsNeeds } from './orchestrate/orchestrations.ts'
import { createPillar, type PillarSource, type Pillars } from './pillar.ts'
import type { Ports } from './ports.ts'
import { createPresence, type Presence } from './presence.ts'
import { createPublish, type Publish } from './publish.ts'
import { createRenderFile, type RenderFacts } from './render-file.ts'
import { createStartRun, type FunctionTable, type StartRun } from './run.ts'
import { createRunners } from './runners/functions.ts'
import { createResolveTarget, type ResolveTarget } from './targets.ts'
import { createWheel } from './wheel/functions.ts'

/** All that can be asked of a master. */
export interface Master {
  readonly options: MasterOptions
  readonly fire: Fire
  readonly publish: Publish
  readonly resolve: ResolveTarget
  readonly execute: Execute
  readonly collect: Collect
  readonly authenticate: Authenticate
  readonly keys: Keys
  readonly pillar: Pillars
  /** Those settings of the master that steer its minions' state runs. */
  readonly stateOptions: Mapping
  readonly presence: Presence
  readonly startRun: StartRun
  readonly tables: { readonly runner: () => FunctionTable; readonly wheel: () => FunctionTable }
  readonly executor: Executor
  readonly answers: ReturnType<typeof createAnswers>
  readonly orchestrations: Orchestrations
}

/** What the platform adds beside the ports. */
export interface MasterExtras {
  /** Runners of the user's own (`_runners/`), looked up after Brine's. */
  readonly userRunners?: () => FunctionTable
  readonly verifyIdentity?: Parameters<typeof createAuthenticate>[3]
  /** Seconds runners wait for minions: Salt's `timeout`. */
  readonly timeout: number
  /** Seconds that minions have to say whether they still run a job: Salt's `gather_job_timeout`. @default 10 */
  readonly gatherJobTimeout?: number
  /** Told of turns of an orchestration that failed and are taken again. @default nobody */
  readonly report?: (error: unknown, jid: string) => void
  /** Has orchestrations go on outside of this process. @default in it */
  readonly orchestrationDriver?: OrchestrationsNeeds['driver']
  /** What reactor templates see of the master where `reactor.test` renders them. @default nothing */
  readonly template?: RenderFacts
  /** Where pillar comes from. @default nowhere: every pillar is empty */
  readonly pillar?: PillarSource
  /** The functions minions have, for `reactor.lint`; loaded when it is used. @default none */
  readonly minionFunctions?: () => Promise<ReadonlyMap<string, Signature>>
}

/** Joins the use cases. Starts nothing: the platform drives the reactor, presence and sweeps. */
export function createMaster(ports: Ports, options: MasterOptions, extras: MasterExtras): Master {
  const fire = createFire(ports.bus, ports.clock)
  const answers = createAnswers({
    runners: (): FunctionTable => runners(),
    files: ports.files,
    newJid: () => ports.clock.jid(),
  })
  const pillar = createPillar({ ...ports, source: extras.pillar, options, opts: extras.template?.opts ?? {}, answers })
  const resolve = createResolveTarget(ports.keys, ports.minions, options.nodegroups, pillar.known)
  const publish = createPublish(ports, fire, resolve, options)
  const execute = createExecute(publish, ports.log, ports.jobs)
  const keys = createKeys(ports, fire)
  const presence = createPresence(ports, fire, presenceGrace)
  const wheel = createWheel(keys)
  const tables = { runner: (): FunctionTable => runners(), wheel: (): FunctionTable => wheel }
  const startRun = createStartRun(tables, fire, ports.clock)
  const facts = extras.template ?? { opts: {}, grains: {}, pillar: {} }
  const own = createRunners({
    ...ports,
    fire,
    execute,
    presence,
    tables,
    answers,
    orchestrations: () => orchestrations,
    render: createRenderFile(facts),
    minionFunctions: extras.minionFunctions ?? (async () => new Map()),
    timeout: extras.timeout,
    version: options.version,
  })
  const runners = joined(own, extras.userRunners)
  const orchestrations = new Orchestrations({
    ...ports,
    store: ports.orchestrations,
    fire,
    publish,
    resolve,
    startRun,
    tables,
    answers,
    facts,
    pillar: async () => facts.pillar,
    masterId: `${pythonStr(facts.opts.id ?? options.id)}_master`,
    stateEvents: options.stateEvents,
    timeout: extras.timeout,
    gatherJobTimeout: extras.gatherJobTimeout ?? 10,
    random: Math.random,
    report: extras.report ?? (() => undefined),
    ...(extras.orchestrationDriver === undefined ? {} : { driver: extras.orchestrationDriver }),
  })
  return {
    options,
    fire,
    publish,
    resolve,
    execute,
    collect: createCollect(ports, fire),
    authenticate: createAuthenticate(ports, fire, options, extras.verifyIdentity),
    keys,
    stateOptions: stateOptionsOf(facts.opts),
    pillar,
    presence,
    startRun,
    tables,
    executor: createExecutor({ publish, startRun, tables, user: options.user }),
    answers,
    orchestrations,
  }
}

/** The settings that Salt's minions take from their master for a state run. */
const steering = [
  'failhard',
  'state_top',
  'state_top_saltenv',
  'nodegroups',
  'state_auto_order',
  'top_file_merging_strategy',
  'env_order',
  'default_top',
  'state_events',
  'jinja_env',
  'jinja_sls_env',
]

function stateOptionsOf(opts: Mapping): Mapping {
  return Object.fromEntries(steering.flatMap((key) => (opts[key] === undefined ? [] : [[key, opts[key]]])))
}

/** Seconds a minion counts as present after it was last heard of. */
const presenceGrace = 30

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
