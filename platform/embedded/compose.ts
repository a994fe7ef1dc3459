// The embedded master: store, use cases, reactor, doors and timers, joined in one process.
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrineError, messageOf } from '../../core/error.ts'
import { minionOf } from '../../master/api/principal-of.ts'
import { type ApiSettings, createSaltApi, defaultApiSettings, type SaltApi } from '../../master/api/salt/index.ts'
import { createMaster, type Master, type MasterExtras } from '../../master/master.ts'
import type { MasterOptions } from '../../master/options.ts'
import { type MasterReactor, startReactor } from '../../master/reactor.ts'
import { createRenderFile, type RenderFacts } from '../../master/render-file.ts'
import { createReactorSet, type ReactorSet, type StoredReactorSet } from '../../reaction/index.ts'
import { embeddedApp } from './app.ts'
import { type ReactorPlaces, readReactorSet } from './reactor-files.ts'
import { type Doors, openDoors } from './server.ts'
import { type EmbeddedStore, openEmbeddedStore } from './store/index.ts'
import { loadRunners } from './user-runners.ts'

/** What an embedded master is made of. Directories are made where they are missing. */
export interface EmbeddedOptions {
  readonly master: MasterOptions
  /** Salt's `timeout`, seconds. */
  readonly timeout: number
  readonly host: string
  readonly port: number
  /** The store. */
  readonly dataDir: string
  readonly pkiDir: string
  readonly sockDir: string
  readonly places: ReactorPlaces
  /** The entries of the configuration's `reactor:`. */
  readonly entries: StoredReactorSet['entries']
  /** Directories of user runners. */
  readonly runnerDirs: readonly string[]
  readonly keepJobsSeconds: number
  readonly keepEventsSeconds: number
  readonly reactorRetry?: { readonly tries?: number; readonly base?: number; readonly cap?: number }
  /** What reactor templates see of the master: `opts`, `grains`, `pillar`. */
  readonly template: RenderFacts
  /** The functions minions have, for `reactor.lint`; loaded when it is used. @default none */
  readonly minionFunctions?: MasterExtras['minionFunctions']
  /** The REST API. @default nobody may log in */
  readonly api?: ApiSettings
  /** The folder of the console's files; it need not be there. @default no console */
  readonly consoleFolder?: string
  readonly log: Log
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
  readonly socketPath: string
  /** Reads the reactor files again; what does not read leaves the set in force as it is. */
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
    keepJobsSeconds: options.keepJobsSeconds,
    keepEventsSeconds: options.keepEventsSeconds,
    loadReactors: (entries) => readReactorSet(entries, options.places),
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
  const { log } = options
  const runners = await loadRunners(options.runnerDirs, log.warn)
  const master = createMaster(store, options.master, {
    timeout: options.timeout,
    userRunners: () => runners,
    template: options.template,
    ...(options.minionFunctions === undefined ? {} : { minionFunctions: options.minionFunctions }),
  })
  const settings = options.api ?? defaultApiSettings
  const api = createSaltApi(master, store, settings, {
    readText: (path) => readFile(path, 'utf8'),
    report: (error, where) => log.error(`${where}: ${messageOf(error)}`),
  })
  const reactors = await followReactors(store, options, log)
  const reactor = startReactor({
    master,
    ledger: store.ledger,
    source: store.queue,
    clock: store.clock,
    render: createRenderFile(options.template),
    reactors: reactors.current,
    owner: store.owner,
    ...(options.reactorRetry === undefined ? {} : { retry: options.reactorRetry }),
    warn: log.warn,
    error: log.error,
  })
  const socketPath = join(options.sockDir, socketName)
  const doors = await openDoors({
    app: embeddedApp({ master, store, api, settings, consoleFolder: options.consoleFolder, log }),
    host: options.host,
    port: options.port,
    socketPath,
    localUser: options.master.user,
    minionOf: async (token) => (await minionOf(token, store))?.id,
    connected: (minion, ring) => store.connections.register(minion, ring),
  })
  const stopTimers = startTimers(master, store, options, log)
  return {
    master,
    store,
    url: doors.url,
    socketPath,
    reload: reactors.reload,
    stop: () => stopAll(doors, api, reactors, stopTimers, reactor, store),
  }
}

interface Reactors {
  current(): ReactorSet
  reload(): Promise<void>
  close(): void
}

/** The set in force: read at start, after a change at run time, and when a file of it changes on disk. */
async function followReactors(store: EmbeddedStore, options: EmbeddedOptions, log: Log): Promise<Reactors> {
  let set = createReactorSet(await store.config.reactors())
  store.queue.wants = (tag) => set.matching(tag).length > 0
  const reload = async (): Promise<void> => {
    try {
      await store.config.reload()
      const stored = await store.config.reactors()
      if (stored.version === set.version) return
      set = createReactorSet(stored)
      log.info(
        `the reactor set is now ${stored.version}: ${stored.entries.length} entries, ${stored.files.length} files`,
      )
    } catch (error) {
      log.error(
        `the reactor files were not read again, the set ${set.version} stays: ${messageOf(error as BrineError)}`,
      )
    }
  }
  store.config.onChange(() => void reload())
  const watchers = [options.places.reactorRoot, ...(options.places.fileRoots.base ?? [])].flatMap((directory) =>
    watched(directory, reload),
  )
  return {
    current: () => set,
    reload,
    close: () => {
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** Milliseconds of quiet after a change before the files are read, so that a set written in pieces is read once. */
const settle = 200

function watched(directory: string, changed: () => Promise<void>): { close(): void }[] {
  let timer: NodeJS.Timeout | undefined
  try {
    const watcher = watch(directory, { recursive: true, persistent: false }, () => {
      clearTimeout(timer)
      timer = setTimeout(() => void changed(), settle)
    })
    // A folder that goes away ends its watch; SIGHUP still reads everything again.
    watcher.on('error', () => watcher.close())
    return [watcher]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
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
async function stopAll(
  doors: Doors,
  api: SaltApi,
  reactors: Reactors,
  stopTimers: () => void,
  reactor: MasterReactor,
  store: EmbeddedStore,
): Promise<void> {
  stopTimers()
  reactors.close()
  await doors.close(closing)
  api.close()
  await reactor.stop()
  await store.close()
}
