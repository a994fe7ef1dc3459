// The embedded master: store, use cases, reactor, doors and timers, joined in one process.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IgnoresFile } from '../../core/config/index.ts'
import { messageOf } from '../../core/error.ts'
import { checkExternalAuth } from '../../master/acl/index.ts'
import { EventCounts } from '../../master/api/event-counts.ts'
import { minionOf } from '../../master/api/principal-of.ts'
import {
  type ApiSettings,
  createSaltApi,
  defaultApiSettings,
  type SaltApi,
  stillStands,
} from '../../master/api/salt/index.ts'
import type { PillarRules } from '../../master/configured.ts'
import { createVerifyExpected, regionCertificates } from '../../master/identity/index.ts'
import { createMaster, type Master, type MasterExtras } from '../../master/master.ts'
import type { MasterOptions } from '../../master/options.ts'
import { type MasterReactor, startReactor } from '../../master/reactor.ts'
import { createRenderFile, type RenderFacts } from '../../master/render-file.ts'
import { loadRunners } from '../../master/user-runners.ts'
import type { StoredReactorSet } from '../../reaction/index.ts'
import type { ReactorPlaces } from '../../reaction/read-reactor-set.ts'
import { embeddedApp } from './app.ts'
import { type AutosignFiles, autosignFiles } from './autosign-files.ts'
import { type Certificate, type CertificateSource, loadCertificate } from './certificate.ts'
import { type CloudsOptions, openClouds } from './clouds.ts'
import { configFolder } from './config-folder.ts'
import { doorbellPage } from './doorbell-page.ts'
import { eventSocketPage } from './event-socket-page.ts'
import { checkedLoader, followReactors, type Reactors } from './follow-reactors.ts'
import { receivedFiles } from './received-files.ts'
import { type Doors, openDoors } from './server.ts'
import { type FileRoots, RootFiles } from './store/file-store.ts'
import { type EmbeddedStore, openEmbeddedStore } from './store/index.ts'

/** What an embedded master is made of. Directories are made where they are missing. */
export interface EmbeddedOptions {
  readonly master: MasterOptions
  /** Salt's `timeout`, seconds. */
  readonly timeout: number
  /** Salt's `gather_job_timeout`, seconds. @default 10 */
  readonly gatherJobTimeout?: number
  readonly host: string
  readonly port: number
  /** The store. */
  readonly dataDir: string
  readonly pkiDir: string
  readonly sockDir: string
  readonly places: ReactorPlaces
  /** Files of `file_roots` that nobody gets. @default none */
  readonly ignoresFile?: IgnoresFile
  /** Where files go that minions push, and the most bytes of one. @default none are taken */
  readonly received?: { readonly folder: string; readonly most: number }
  /** The files by which keys are accepted and rejected by themselves. @default none */
  readonly autosign?: AutosignFiles
  /** Pillar files by environment, and how they are compiled. @default every pillar is empty */
  readonly pillar?: PillarSettings
  /** The entries of the configuration's `reactor:`. */
  readonly entries: StoredReactorSet['entries']
  /** Reads the entries of the configuration again, for a reload; throws with all that is wrong. @default they stay */
  readonly readEntries?: () => Promise<StoredReactorSet['entries']>
  /** The folder of the configuration, watched for changes. @default none */
  readonly configDir?: string
  /** Directories of user runners. */
  readonly runnerDirs: readonly string[]
  readonly keepJobsSeconds: number
  readonly keepEventsSeconds: number
  /** @default 1,000,000 */
  readonly keepEvents?: number
  /** @default 7 days */
  readonly keepLedgerSeconds?: number
  /** @default 90 */
  readonly auditDays?: number
  /** Reactions of one entry to one minion's events in a minute; 0 for any number. @default 600 */
  readonly reactorBreaker?: number
  /** Microseconds that a claimed reaction is ours without a renewal. @default 330 s */
  readonly reactorLease?: number
  /** Microseconds. */
  readonly reactorRetry?: { readonly tries?: number; readonly base?: number; readonly cap?: number }
  /** What reactor templates see of the master: `opts`, `grains`, `pillar`. */
  readonly template: RenderFacts
  /** The functions minions have, for `reactor.lint`; loaded when it is used. @default none */
  readonly minionFunctions?: MasterExtras['minionFunctions']
  /** The execution functions of this machine, for `salt.cmd`. @default those of templates */
  readonly modules?: MasterExtras['modules']
  /** Calls functions of AWS Lambda. @default there is no way to them */
  readonly invokeLambda?: MasterExtras['invokeLambda']
  /** The REST API. @default nobody may log in */
  readonly api?: ApiSettings
  /** What makes machines, for `cloud.*`. @default there is nothing */
  readonly clouds?: CloudsOptions
  /** The folder of the console's files; it need not be there. @default no console */
  readonly consoleFolder?: string
  /** The certificate of HTTPS. @default plain HTTP, on loopback alone */
  readonly certificate?: CertificateSource
  readonly log: Log
}

/** `pillar_roots`, and the settings of pillars. */
export interface PillarSettings extends PillarRules {
  readonly roots: FileRoots
}

/** Where a process says what it does. */
export interface Log {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** A running master. */
export interface EmbeddedMaster {
  readonly master: Master
  readonly store: EmbeddedStore
  readonly url: string
  /** What it serves HTTPS with; undefined over plain HTTP. */
  readonly certificate: Certificate | undefined
  readonly socketPath: string
  /** Reads the reactor's entries and files again; what does not parse leaves the set in force as it is, and is logged. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** The name of the commands' socket in `sock_dir`. */
export const socketName = 'master.sock'

const sweepEvery = 60_000
const presenceEvery = 2_000
const second = 1000

/** Opens the store and the doors and starts the reactor. Throws, with everything closed again, where one of them cannot be had. */
export async function startEmbeddedMaster(options: EmbeddedOptions): Promise<EmbeddedMaster> {
  const { log } = options
  const store = await openEmbeddedStore({
    dataDir: options.dataDir,
    pkiDir: options.pkiDir,
    fileRoots: options.places.fileRoots,
    ...(options.ignoresFile === undefined ? {} : { ignoresFile: options.ignoresFile }),
    keepJobsSeconds: options.keepJobsSeconds,
    keepEventsSeconds: options.keepEventsSeconds,
    keepEvents: options.keepEvents,
    keepLedgerSeconds: options.keepLedgerSeconds,
    auditDays: options.auditDays,
    loadReactors: checkedLoader(options.places),
    entries: options.entries,
  })
  try {
    return await startOver(store, options)
  } catch (error) {
    await store.close()
    log.error(messageOf(error))
    throw error
  }
}

async function startOver(store: EmbeddedStore, options: EmbeddedOptions): Promise<EmbeddedMaster> {
  const { log, pkiDir, host } = options
  const source = options.certificate ?? { kind: 'none' }
  const certificate = await loadCertificate({ source, pkiDir, host, now: Date.now() })
  const runners = await loadRunners(options.runnerDirs, log.warn)
  const events = new EventCounts()
  const render = createRenderFile(options.template)
  const clouds =
    options.clouds === undefined
      ? undefined
      : openClouds(options.clouds, {
          store,
          options: options.master,
          ownFingerprint: source.kind === 'own' ? certificate?.fingerprint : undefined,
          warn: log.warn,
        })
  const master = createMaster({ ...store, bus: events.over(store.bus) }, options.master, {
    timeout: options.timeout,
    backup: (path) => store.backup(path),
    userRunners: () => runners,
    ...(options.gatherJobTimeout === undefined ? {} : { gatherJobTimeout: options.gatherJobTimeout }),
    report: (error, jid) =>
      log.error(`the orchestration ${jid} could not go on, and is tried again: ${messageOf(error)}`),
    ...(options.pillar === undefined ? {} : pillarParts(options.pillar, log)),
    template: options.template,
    render: async () => render,
    ...(options.minionFunctions === undefined ? {} : { minionFunctions: options.minionFunctions }),
    ...(options.invokeLambda === undefined ? {} : { invokeLambda: options.invokeLambda }),
    ...(options.configDir === undefined ? {} : { configFiles: configFolder(options.configDir) }),
    ...(options.modules === undefined ? {} : { modules: options.modules }),
    ...(options.received === undefined
      ? {}
      : { receive: { files: receivedFiles(options.received.folder), most: options.received.most } }),
    ...(options.autosign === undefined ? {} : { autosign: autosignFiles(options.autosign, log) }),
    ...(options.clouds === undefined || clouds === undefined
      ? {}
      : {
          cloud: async () => clouds,
          verifyIdentity: createVerifyExpected({
            ...store,
            certificates: regionCertificates(options.clouds.certificates),
          }),
        }),
  })
  const settings = options.api ?? defaultApiSettings
  for (const problem of checkExternalAuth(settings.externalAuth)) log.warn(problem)
  const api = createSaltApi({ ...master, runners: master.tables.runner }, store, settings, {
    readText: (path) => readFile(path, 'utf8'),
    report: (error, where) => log.error(`${where}: ${messageOf(error)}`),
  })
  const reactors = await followReactors({ ...options, config: store.config })
  store.queue.wants = (tag) => reactors.current().wants(tag)
  const reactor = startReactor({
    master,
    ledger: store.ledger,
    source: store.queue,
    clock: store.clock,
    render,
    reactors: reactors.current,
    owner: store.owner,
    ...(options.reactorRetry === undefined ? {} : { retry: options.reactorRetry }),
    ...(options.reactorLease === undefined ? {} : { lease: options.reactorLease }),
    ...(options.reactorBreaker === undefined ? {} : { breaker: options.reactorBreaker }),
    warn: log.warn,
    error: log.error,
  })
  const socketPath = join(options.sockDir, socketName)
  const doors = await openDoors({
    app: embeddedApp({
      master,
      store,
      api,
      settings,
      events,
      reactor: reactor.counts,
      consoleFolder: options.consoleFolder,
      agent: options.clouds === undefined ? undefined : options.clouds.agent,
      log,
    }),
    host: options.host,
    port: options.port,
    certificate,
    socketPath,
    localUser: options.master.user,
    sockets: [
      doorbellPage({
        minionOf: async (token) => (await minionOf(token, store))?.id,
        connected: (minion, ring) => store.connections.register(minion, ring),
      }),
      eventSocketPage({
        log: store.log,
        holders: {
          tokens: store.tokens,
          keys: store.keys,
          clock: store.clock,
          holderOf: api.auth.holderOf,
          takeTicket: api.auth.takeTicket,
        },
        rootPrefix: settings.rootPrefix,
        corsOrigins: settings.corsOrigins,
        mayStay: (principal) => stillStands(api.auth, principal),
      }),
    ],
  })
  const resumed = await (await master.orchestrations()).resumeAll()
  if (resumed > 0) log.info(`goes on with ${resumed} orchestrations`)
  const stopTimers = startTimers(master, store, options, log)
  return {
    master,
    store,
    url: doors.url,
    certificate,
    socketPath,
    reload: reactors.reload,
    stop: () => stopAll({ doors, api, reactors, stopTimers, reactor, master, store }),
  }
}

function pillarParts({ roots, ...settings }: PillarSettings, log: Log): Pick<MasterExtras, 'pillar' | 'pillarFiles'> {
  const files = new RootFiles(roots)
  return { pillar: { ...settings, files, external: [], error: log.error }, pillarFiles: files }
}

function startTimers(master: Master, store: EmbeddedStore, { master: options }: EmbeddedOptions, log: Log): () => void {
  const guarded = (what: string, work: () => Promise<unknown>) => () => {
    work().catch((error: unknown) => log.error(`${what}: ${messageOf(error)}`))
  }
  const timers = [
    setInterval(
      guarded('sweeping the store', () => store.sweep(store.clock.now())),
      sweepEvery,
    ),
  ]
  if (options.presenceEvents) {
    timers.push(
      setInterval(
        guarded('presence', () => master.presence.check()),
        presenceEvery,
      ),
    )
    timers.push(
      setInterval(
        guarded('presence', () => master.presence.announce()),
        options.presenceInterval * second,
      ),
    )
  }
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}

/** Milliseconds that requests under way have to end. */
const closing = 2_000

/** In the order in which nothing is left hanging: no new requests, no new reactions, then the store. */
async function stopAll(parts: {
  readonly doors: Doors
  readonly api: SaltApi
  readonly reactors: Reactors
  readonly stopTimers: () => void
  readonly reactor: MasterReactor
  readonly master: Master
  readonly store: EmbeddedStore
}): Promise<void> {
  const { doors, api, reactors, stopTimers, reactor, master, store } = parts
  stopTimers()
  reactors.close()
  await doors.close(closing)
  api.close()
  await reactor.stop()
  await (await master.orchestrations()).stop()
  await store.close()
}
