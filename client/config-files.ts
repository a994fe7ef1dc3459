// Where the configuration is, and its files: `/etc/brine` for root, the XDG directories for anybody else, `-c DIR` for who says so.
import { statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { ConfigFile } from '../core/config/index.ts'
import { BrineError } from '../core/error.ts'
import { loadYaml, YamlError } from '../core/render/yaml/index.ts'
import { expandFileGlob, globFolder, isFileGlob } from '../core/sls/reaction-files.ts'
import { get, isList, isMap } from '../core/value/index.ts'

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
  const named = configDir ?? given(environment.BRINE_CONFIG_DIR) ?? localConfig()
  if (isRoot) {
    return {
      configDir: named ?? '/etc/brine',
      stateDir: '/var/lib/brine',
      runtimeDir: '/run/brine',
      logDir: '/var/log/brine',
    }
  }
  const home = homeOf(environment)
  const state = join(given(environment.XDG_STATE_HOME) ?? join(home, '.local', 'state'), 'brine')
  const runtime = given(environment.XDG_RUNTIME_DIR)
  return {
    configDir: named ?? join(given(environment.XDG_CONFIG_HOME) ?? join(home, '.config'), 'brine'),
    stateDir: state,
    runtimeDir: runtime === undefined ? join(state, 'run') : join(runtime, 'brine'),
    logDir: join(state, 'log'),
  }
}

/** The user's own folder: as the environment says, else his account. */
export function homeOf(environment: NodeJS.ProcessEnv): string {
  return given(environment.HOME) ?? accountsHome() ?? '/'
}

/** A variable that is empty says nothing. */
const given = (variable: string | undefined): string | undefined => (variable === '' ? undefined : variable)

/** A container's user may have no account. */
function accountsHome(): string | undefined {
  try {
    return userInfo().homedir
  } catch {
    return undefined
  }
}

/**
 * `master` and `master.d/*.conf` (or `minion`, `cloud.profiles` …) of a directory, the first one first, the others in order of their names,
 * each followed by what it includes. None of them needs to be there. One that is there and cannot be read is an error.
 */
export async function readConfigFiles(
  configDir: string,
  kind: 'master' | 'minion' | 'cloud.providers' | 'cloud.profiles' | 'cloud',
): Promise<ConfigFile[]> {
  const parts = join(configDir, kind === 'cloud' ? 'cloud.conf.d' : `${kind}.d`)
  const names = (await listed(parts)).filter((name) => name.endsWith('.conf')).sort()
  const main = await withIncluded(join(configDir, kind), 'main', [])
  const others = await Promise.all(names.map((name) => withIncluded(join(parts, name), 'parts', [])))
  return [...main, ...others.flat()]
}

/** A file and those it includes, each once on a way. What the main file includes is a layer of its own. */
async function withIncluded(name: string, layer: Layer, above: readonly string[]): Promise<ConfigFile[]> {
  const file = above.includes(name) ? undefined : await readIfThere(name)
  if (file === undefined) return []
  const patterns = includesOf(file.text)
  const found = await Promise.all(patterns.map((pattern) => filesNamed(resolve(dirname(name), pattern))))
  const next = layer === 'main' ? 'included' : layer
  const below = await Promise.all(found.flat().map((path) => withIncluded(path, next, [...above, name])))
  const missing = patterns.filter((_, index) => found[index]?.length === 0)
  return [{ ...file, layer, ...(missing.length === 0 ? {} : { missing }) }, ...below.flat()]
}

type Layer = 'main' | 'parts' | 'included'

/** The texts under `include`. A file that is no YAML has none here; reading the keys says what is wrong with it. */
function includesOf(text: string): string[] {
  if (!/^include\s*:/m.test(text)) return []
  try {
    const document = loadYaml(text, { name: 'include' })
    const include = isMap(document) ? (get(document, 'include') ?? null) : null
    return (isList(include) ? include : [include]).filter((each) => typeof each === 'string')
  } catch (error) {
    if (error instanceof YamlError) return []
    throw error
  }
}

async function filesNamed(path: string): Promise<string[]> {
  if (!isFileGlob(path)) return (await readIfThere(path)) === undefined ? [] : [path]
  const folder = globFolder(path)
  const below = await readdir(folder, { recursive: true }).catch((error: unknown): string[] => {
    if (isMissing(error)) return []
    throw unreadable(folder, error)
  })
  return expandFileGlob(
    path,
    below.map((each) => join(folder, each)),
  )
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
