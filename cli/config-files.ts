// Where the configuration is, and its files: `/etc/brine` for root, the XDG directories for anybody else, `-c DIR` for who says so.
import { statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { BrineError } from '../core/error.ts'

/** A configuration file as it was read. */
export interface ConfigFile {
  readonly name: string
  readonly text: string
}

/** The places a process keeps its things, for whoever does not configure others. */
export interface Places {
  readonly configDir: string
  /** What must outlive a restart. */
  readonly stateDir: string
  readonly runtimeDir: string
  readonly logDir: string
}

/** The folder in which `npm start` keeps everything, and where the commands find it from the same place. */
export const localFolder = '.brine'

/**
 * Root has the system's places; anybody else has those of the XDG base directory specification. Where the working folder
 * holds what `npm start` made, and the same user owns it, that is meant.
 */
export function placesOf(configDir: string | undefined, environment: NodeJS.ProcessEnv, isRoot: boolean): Places {
  const named = configDir ?? environment.BRINE_CONFIG_DIR ?? localConfig()
  const home = homedir()
  if (isRoot) {
    return {
      configDir: named ?? '/etc/brine',
      stateDir: '/var/lib/brine',
      runtimeDir: '/run/brine',
      logDir: '/var/log/brine',
    }
  }
  const state = join(environment.XDG_STATE_HOME ?? join(home, '.local', 'state'), 'brine')
  return {
    configDir: named ?? join(environment.XDG_CONFIG_HOME ?? join(home, '.config'), 'brine'),
    stateDir: state,
    runtimeDir:
      environment.XDG_RUNTIME_DIR === undefined ? join(state, 'run') : join(environment.XDG_RUNTIME_DIR, 'brine'),
    logDir: join(state, 'log'),
  }
}

/**
 * `master` and `master.d/*.conf` (or `minion` …) of a directory, the first one first, the others in order of their names.
 * None of them needs to be there. One that is there and cannot be read is an error.
 */
export async function readConfigFiles(configDir: string, kind: 'master' | 'minion'): Promise<ConfigFile[]> {
  const parts = join(configDir, `${kind}.d`)
  const names = (await listed(parts)).filter((name) => name.endsWith('.conf')).sort()
  const files = await Promise.all([join(configDir, kind), ...names.map((name) => join(parts, name))].map(readIfThere))
  return files.filter((file) => file !== undefined)
}

async function listed(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isMissing(error)) return []
    throw unreadable(directory, error)
  }
}

async function readIfThere(name: string): Promise<ConfigFile | undefined> {
  try {
    return { name, text: await readFile(name, 'utf8') }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw unreadable(name, error)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function unreadable(name: string, cause: unknown): BrineError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new BrineError(
    `Cannot read ${name}: ${why}. Give the user who runs this the right to read it, or choose another -c DIR.`,
    { code: 'config-file', cause },
  )
}

function localConfig(): string | undefined {
  const folder = join(process.cwd(), localFolder, 'etc')
  const found = statSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.() ? folder : undefined
}
