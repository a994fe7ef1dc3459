// The part that the running minion and `brine-call` have in common: grains, functions, and how a function sees them.
import { ignoresFile } from '../core/config/ignored-files.ts'
import { BrineError } from '../core/error.ts'
import { isMapping, type Mapping } from '../core/value/index.ts'
import { dumpYaml } from '../core/yaml-writer/index.ts'
import type { BeaconKind } from './beacons/beacon.ts'
import { builtInBeacons } from './beacons/built-in.ts'
import { customBeacon } from './beacons/custom.ts'
import type { CompiledPillar, Connection } from './connection/connection.ts'
import { outgoing } from './connection/outgoing.ts'
import { CachingFiles, type FileSource, localFiles, masterFiles, syncModules } from './files/index.ts'
import { GrainStore } from './grains/store.ts'
import { RunningJobs } from './jobs/running.ts'
import { masterMine, ownMine } from './mine.ts'
import { builtInModules } from './modules/built-in.ts'
import { CustomLoader } from './modules/custom.ts'
import type { AgentView, ExecutionModule, MasterEvent, PillarRequest } from './modules/module.ts'
import { Registry } from './modules/registry.ts'
import type { Outside } from './outside.ts'
import type { AgentSettings } from './settings.ts'
import { builtInStates } from './states/built-in.ts'
import { customStates } from './states/custom.ts'
import { StateRegistry } from './states/registry.ts'

/** What differs between the two. */
export interface RuntimePorts {
  readonly cli: AgentView['cli']
  readonly isLocal: boolean
  fireLocal(tag: string, data: Mapping): Promise<boolean>
  askMinion: AgentView['askMinion']
  restart: AgentView['restart']
  fireMaster(event: MasterEvent): Promise<boolean>
  refreshMaster(options: { reauthenticate: boolean }): Promise<void>
  readonly security: AgentView['security']
  /** Tells the master the grains, and gets the pillar it compiles. Absent where there is no master. */
  readonly fetchPillar?: ((grains: Mapping, request: PillarRequest) => Promise<CompiledPillar>) | undefined
  /** Absent where there is no master. */
  readonly connection?: Connection | undefined
  /** Folders of the user's code besides what was synchronized. @default none */
  readonly moduleDirs?: readonly string[] | undefined
  /** Called once, as soon as there are grains. */
  readonly onGrains?: ((grains: () => Mapping) => void) | undefined
  /** Gather no grains. @default false */
  readonly skipGrains?: boolean | undefined
}

/** Grains loaded, functions ready. */
export interface Runtime {
  readonly view: AgentView
  readonly grains: GrainStore
  readonly jobs: RunningJobs
  /** The kinds of beacons, the user's after the built-in ones. */
  beaconKinds(): readonly BeaconKind[]
}

/** Collects the grains and loads the user's modules. */
export async function createRuntime(settings: AgentSettings, ports: RuntimePorts, outside: Outside): Promise<Runtime> {
  const { config, id, opts } = settings
  const loader = new CustomLoader(settings.modulesPath, outside.log, ports.moduleDirs)
  const first = await loader.load()
  let custom = first
  const functions = new Registry(builtInModules.filter(isWanted(config)))
  functions.replaceCustom(first.modules)
  const states = new StateRegistry(builtInStates)
  states.replaceCustom(first.states.map(({ name, exported }) => customStates(name, exported)))
  const files = new CachingFiles(config.cachedir, fileSource(settings, ports), outgoing(settings.opts))
  const grains = new GrainStore(
    {
      machine: async () => (await import('./grains/machine.ts')).machineGrains(id, config.master),
      custom: async () =>
        Object.assign({}, ...(await Promise.all(custom.grains.map((collect) => collect())))) as Mapping,
      file: settings.grainsPath,
      config: isMapping(config.grains) ? config.grains : {},
      format: {
        parse: async (text) => (await import('../core/render/yaml/index.ts')).loadYaml(text),
        print: dumpYaml,
      },
    },
    outside,
  )
  if (ports.skipGrains !== true) await grains.load()
  ports.onGrains?.(() => grains.all())
  const jobs = new RunningJobs()
  let pillar: Mapping = {}
  let masterOpts: Mapping = {}
  const compilePillar: AgentView['compilePillar'] = async (request) => {
    if (ports.fetchPillar === undefined) return (await import('./pillar/local.ts')).localPillar(view, request)
    const compiled = await ports.fetchPillar(grains.all(), request)
    masterOpts = compiled.opts
    return compiled.pillar
  }
  const view: AgentView = {
    id,
    opts,
    grains,
    pillar: () => pillar,
    compilePillar,
    masterOpts: () => masterOpts,
    async refreshPillar() {
      const { saltenv, pillarenv } = config
      pillar = await compilePillar({ saltenv: saltenv ?? undefined, pillarenv: pillarenv ?? undefined })
    },
    functions,
    states,
    files,
    async push(piece) {
      if (ports.isLocal || ports.connection === undefined)
        throw new BrineError('There is no master to send it to.', { code: 'no-master' })
      await ports.connection.push(piece)
    },
    mine: ports.isLocal || ports.connection === undefined ? ownMine(config.cachedir, id) : masterMine(ports.connection),
    jobs,
    outside,
    cli: ports.cli,
    isLocal: ports.isLocal,
    fireLocal: ports.fireLocal,
    askMinion: ports.askMinion,
    restart: ports.restart,
    fireMaster: ports.fireMaster,
    refreshMaster: ports.refreshMaster,
    security: ports.security,
    async reloadModules() {
      custom = await loader.load()
      functions.replaceCustom(custom.modules)
      states.replaceCustom(custom.states.map(({ name, exported }) => customStates(name, exported)))
    },
    async syncModules(request) {
      const synced = await syncModules(files, settings.modulesPath, request)
      if (synced.touched) await view.reloadModules()
      if (synced.changed.some((name) => name.startsWith('grains.'))) await grains.load()
      return synced
    },
  }
  const ownBeacons = builtInBeacons()
  const now = () => ({ grains: grains.all(), pillar: view.pillar(), opts })
  return {
    view,
    grains,
    jobs,
    beaconKinds: () => [
      ...ownBeacons,
      ...custom.beacons.flatMap(({ name, exported }) => customBeacon(name, exported, now) ?? []),
    ],
  }
}

/** The master's files, or with `file_client: local` the minion's own. */
function fileSource({ config, opts }: AgentSettings, { connection, isLocal }: RuntimePorts): FileSource {
  const isOwn = isLocal || config.file_client === 'local' || connection === undefined
  return isOwn ? localFiles(opts.file_roots ?? {}, ignoresFile(config)) : masterFiles(connection)
}

/** `whitelist_modules` and `disable_modules`. */
function isWanted(config: AgentSettings['config']): (module: ExecutionModule) => boolean {
  const { whitelist_modules: only, disable_modules: not } = config
  return ({ name }) => (only.length === 0 || only.includes(name)) && !not.includes(name)
}
