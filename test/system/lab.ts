// A whole Brine for a test: a master, minions and the commands, as real processes over a folder of their own.
import { randomInt, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, connect, type WatchedEvent } from '../../client/index.ts'
import { ensureBuilt, programPath, ROOT } from './built.ts'
import { type Background, type Ended, type RunOptions, runProgram, startProgram } from './process.ts'
import { waitFor } from './wait.ts'

/** How a lab differs from the plainest one. */
export interface LabOptions {
  /** Lines for the master's configuration; `@LAB@` stands for the lab's folder. */
  readonly master?: string
  /** Lines for every minion's configuration. */
  readonly minion?: string
  /** False where the lab is not to read the bus, as in benchmarks. */
  readonly follow?: boolean
  /** Serve HTTPS, with a certificate that the master makes itself; minions pin it. @default plain HTTP */
  readonly tls?: boolean
  /** Further lines below `rest_cherrypy`, two blanks before each. */
  readonly rest?: string
}

/** An event on the master's bus, with its place in what the lab saw. */
export interface SeenEvent extends WatchedEvent {
  readonly index: number
}

/** Which event is waited for: its tag (`*` stands for anything) and some of its fields. */
export interface Wanted {
  readonly tag: string
  readonly has?: Readonly<Record<string, unknown>>
  /** Only events from this place on. */
  readonly from?: number
}

/** A lab. Everything it writes is in `root`; `close` stops what it started and removes the folder. */
export interface Lab {
  readonly root: string
  /** What stands for /etc/brine: `master`, `master.d/`; each minion has a folder of its own beside it. */
  readonly etc: string
  /** Every event since the master's first start. */
  readonly events: readonly SeenEvent[]
  /** Where the next event will be. */
  mark(): number
  write(path: string, text: string): string
  /** `fileBlocks`: no file of it may grow beyond so many blocks of the shell's `ulimit -f`. */
  startMaster(limits?: { readonly fileBlocks?: number }): Promise<void>
  stopMaster(signal?: NodeJS.Signals): Promise<number>
  /** The running master; what it said stands in its output. */
  master(): Background | undefined
  connection(): Connection
  /** The path of the running master's socket. */
  socket(): string
  /** Starts a minion; its configuration is written at its first start. */
  startMinion(id: string, config?: string, env?: Readonly<Record<string, string>>): Background
  stopMinion(id: string, signal?: NodeJS.Signals): Promise<number>
  minion(id: string): Background | undefined
  /** Runs one of our commands as typed on the master's machine; `-c` is not needed. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<Ended>
  /** Runs one in the background, its output in `<name>.out`. */
  start(name: string, program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Background
  /** The environment in which `brine-call` speaks for a minion. */
  minionEnv(id: string): Record<string, string>
  waitForEvent(wanted: Wanted, patience?: number): Promise<SeenEvent>
  close(): Promise<void>
}

/** Makes the folder and its configuration; starts nothing. */
export async function createLab(options: LabOptions = {}): Promise<Lab> {
  await ensureBuilt()
  // Short, since a Unix socket's path may have 107 bytes.
  const root = mkdtempSync(join(tmpdir(), 'brine-'))
  const etc = join(root, 'etc/brine')
  const port = await freePort()
  const seen: SeenEvent[] = []
  const minions = new Map<string, Background>()
  const others: Background[] = []
  let master: Background | undefined
  let connection: Connection | undefined
  let socketPath = ''
  let watching: AbortController | undefined
  let watched: Promise<void> = Promise.resolve()
  let cut = ''

  const fill = (text: string) => text.replaceAll('@LAB@', root)
  const write = (path: string, text: string): string => {
    const file = join(root, path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, fill(text))
    return file
  }
  for (const folder of ['srv/salt', 'srv/reactor', 'srv/pillar', 'logs', 'run'])
    mkdirSync(join(root, folder), { recursive: true })
  write('etc/brine/master', masterConfig(root, port, options.tls === true, options.rest ?? '') + (options.master ?? ''))

  const environment = (config: string): Record<string, string> => ({
    BRINE_CONFIG_DIR: config,
    BRINE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/brine'),
  })
  const minionEtc = (id: string) => join(root, 'etc', id)
  const follow = async (): Promise<void> => {
    const socket = await waitFor(
      () => `the master's socket; it said:\n${master?.stderr()}`,
      () => {
        if (master?.exit() !== undefined) throw new Error(`the master ended with ${master.exit()}:\n${master.stderr()}`)
        return findSocket(join(root, 'run/master'))
      },
    )
    socketPath = socket
    connection = connect({ kind: 'socket', path: socket })
    const open = connection
    await waitFor('the master to answer', () => open.status().catch(unlessUnreachable))
    if (options.follow === false) return
    watching = new AbortController()
    const since = seen.at(-1)?.cursor
    const events = await open.watch(since === undefined ? { since: 'now' } : { since }, watching.signal)
    cut = ''
    watched = (async () => {
      for await (const event of events) seen.push({ ...event, index: seen.length })
    })().catch((error: unknown) => {
      // A master that ends cuts the stream; what follows is read from the cursor at the next start.
      cut = `; the stream was cut: ${error instanceof Error ? error.message : error}`
    })
  }

  const lab: Lab = {
    root,
    etc,
    events: seen,
    mark: () => seen.length,
    write,
    async startMaster({ fileBlocks } = {}) {
      const limited =
        fileBlocks === undefined ? [] : ['-c', `ulimit -f ${fileBlocks}; exec "$0" "$@"`, process.execPath]
      const [program = '', ...args] = [
        ...(limited.length > 0 ? ['sh'] : [process.execPath]),
        ...limited,
        programPath('brine-master'),
      ]
      master = startProgram(program, args, join(root, 'logs/master'), { env: environment(etc) })
      await follow()
    },
    async stopMaster(signal) {
      const exit = (await master?.stop(signal)) ?? 0
      watching?.abort()
      await watched
      connection?.close()
      return exit
    },
    master: () => master,
    connection() {
      if (connection === undefined) throw new Error('the master was not started')
      return connection
    },
    socket: () => socketPath,
    startMinion(id, config = '', env = {}) {
      const folder = minionEtc(id)
      write(`etc/${id}/minion`, minionConfig(root, port, id, options.tls === true) + (options.minion ?? '') + config)
      const program = startProgram(process.execPath, [programPath('brine-minion')], join(root, 'logs', id), {
        env: { ...environment(folder), ...env },
      })
      minions.set(id, program)
      return program
    },
    async stopMinion(id, signal) {
      const exit = (await minions.get(id)?.stop(signal)) ?? 0
      minions.delete(id)
      return exit
    },
    minion: (id) => minions.get(id),
    run: (program, args, more = {}) =>
      runProgram(process.execPath, [programPath(program), ...args], {
        cwd: root,
        ...more,
        env: { ...environment(etc), ...more.env },
      }),
    start(name, program, args, env = {}) {
      const started = startProgram(process.execPath, [programPath(program), ...args], join(root, 'logs', name), {
        cwd: root,
        env: { ...environment(etc), ...env },
      })
      others.push(started)
      return started
    },
    minionEnv: (id) => environment(minionEtc(id)),
    waitForEvent: (wanted, patience) =>
      waitFor(
        () =>
          `${wanted.tag} ${JSON.stringify(wanted.has ?? {})}; seen: ${seen
            .map(({ tag }) => tag)
            .slice(-20)
            .join(', ')}${cut}`,
        () => seen.find((event) => event.index >= (wanted.from ?? 0) && isWanted(event, wanted)),
        patience,
      ),
    async close() {
      await Promise.all([...others, ...minions.values()].map((program) => program.stop()))
      await lab.stopMaster()
      rmSync(root, { recursive: true, force: true })
    },
  }
  return lab
}

function isWanted({ tag, data }: WatchedEvent, wanted: Wanted): boolean {
  const pattern = new RegExp(
    `^${wanted.tag
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  )
  if (!pattern.test(tag)) return false
  const fields: Readonly<Record<string, unknown>> = data instanceof Map ? Object.fromEntries(data) : data
  return Object.entries(wanted.has ?? {}).every(([key, value]) => JSON.stringify(fields[key]) === JSON.stringify(value))
}

const places = (root: string, name: string): string =>
  `${['pki_dir', 'cachedir', 'data_dir', 'sock_dir']
    .map((key) => `${key}: ${root}/run/${name}/${key.split('_')[0]}\n`)
    .join('')}log_file: ${root}/logs/${name}.log\n`

const masterConfig = (
  root: string,
  port: number,
  tls: boolean,
  rest: string,
): string => `${places(root, 'master')}rest_cherrypy:
  port: ${port}
  disable_ssl: ${tls ? 'False' : 'True'}
${rest}file_roots:
  base:
    - ${root}/srv/salt
pillar_roots:
  base:
    - ${root}/srv/pillar
reactor_root: ${root}/srv/reactor
`

const minionConfig = (root: string, port: number, id: string, tls: boolean): string => `${places(root, id)}id: ${id}
${tls ? `master: 127.0.0.1\nmaster_port: ${port}\nmaster_tls_finger: ${fingerOf(join(root, 'run/master/pki/tls.crt'))}` : `master: http://127.0.0.1:${port}`}
acceptance_wait_time: 1
`

/** What a minion pins; nothing before the master's first start. */
function fingerOf(path: string): string {
  return existsSync(path) ? new X509Certificate(readFileSync(path)).fingerprint256 : ''
}

function findSocket(folder: string): string | undefined {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return undefined
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isSocket())
}

/** What a master that is still starting answers: nothing. */
function unlessUnreachable(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'unreachable') return undefined
  throw error
}

/**
 * A port of the loopback interface on which nobody listens just now: none of those that connections are given (from 32768
 * on), since one of them might have it before the master listens, or while it starts again.
 */
export function freePort(): Promise<number> {
  const port = randomInt(15_000, 32_000)
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(freePort()) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}
