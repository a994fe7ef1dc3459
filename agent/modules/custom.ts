// What a user wrote: `_modules/*.mjs`, `_states/*.mjs`, `_grains/*.mjs`, `_beacons/*.mjs`, loaded from the minion's cache
// and from folders named besides.
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../../core/error.ts'
import { isMapping, type Mapping, type Value } from '../../core/value/index.ts'
import type { CustomKind } from '../files/index.ts'
import { isErrno } from '../filesystem/os-error.ts'
import type { Log } from '../outside.ts'
import type { Call, ExecutionFunction, ExecutionModule } from './module.ts'
import { signature } from './signature.ts'

/** What a custom function gets before its arguments. */
export interface CustomContext {
  /** `salt['x.y'](…)` runs a function of the minion with positional arguments. */
  readonly salt: Readonly<Record<string, (...args: Value[]) => Promise<Value>>>
  /** The same with keyword arguments. */
  readonly call: (fun: string, args?: Value[], kwargs?: Mapping) => Promise<Value>
  readonly grains: Mapping
  readonly pillar: Mapping
  readonly opts: Mapping
}

/** A function as the file exports it; `params` is its signature as Python writes it, `doc` what sys.doc prints. */
type CustomFunction = ((context: CustomContext, ...args: unknown[]) => unknown) & { params?: unknown; doc?: unknown }

/** What was found. */
export interface CustomCode {
  readonly modules: readonly ExecutionModule[]
  readonly grains: readonly (() => Promise<Mapping>)[]
  readonly states: readonly CustomFile[]
  readonly beacons: readonly CustomFile[]
}

/** A file by its name without the ending, and what it exports. */
export interface CustomFile {
  readonly name: string
  readonly exported: Readonly<Record<string, unknown>>
}

/** Loads a user's files. One that cannot be loaded is left out and said. */
export class CustomLoader {
  readonly #root: string
  readonly #log: Log
  readonly #further: readonly string[]

  /** `further` are folders with `modules/` or `_modules/` and so on; what a later one has stands over an earlier one's. */
  constructor(root: string, log: Log, further: readonly string[] = []) {
    this.#root = root
    this.#log = log
    this.#further = further
  }

  async load(): Promise<CustomCode> {
    const modules: ExecutionModule[] = []
    for (const { name, exported } of await this.#files('modules')) {
      const functions = Object.entries(exported).filter(
        (entry): entry is [string, CustomFunction] => typeof entry[1] === 'function' && !entry[0].startsWith('_'),
      )
      const virtual = exported.__virtualname__
      modules.push({
        name: typeof virtual === 'string' ? virtual : name,
        file: name,
        functions: Object.fromEntries(functions.map(([short, fun]) => [short.replace(/_$/, ''), wrapped(fun)])),
      })
    }
    const grains: (() => Promise<Mapping>)[] = []
    for (const { exported } of await this.#files('grains')) {
      for (const fun of Object.values(exported))
        if (typeof fun === 'function') grains.push(async () => mappingOf(await fun()))
    }
    const [states, beacons] = await Promise.all([this.#files('states'), this.#files('beacons')])
    return { modules, grains, states, beacons }
  }

  async #files(kind: CustomKind): Promise<CustomFile[]> {
    const found: CustomFile[] = []
    const further = this.#further.flatMap((folder) => [join(folder, `_${kind}`), join(folder, kind)])
    for (const path of await pathsIn([join(this.#root, kind), ...further])) {
      const file = basename(path)
      if (!file.endsWith('.mjs') || file.startsWith('_')) continue
      try {
        const { mtimeNs, ino } = await stat(path, { bigint: true })
        const exported = (await import(
          `${pathToFileURL(path).href}?changed=${mtimeNs}.${ino}`
        )) as CustomFile['exported']
        found.push({ name: basename(file, '.mjs'), exported })
      } catch (error) {
        this.#log.error(`${path} cannot be loaded: ${messageOf(error)}`)
      }
    }
    return found
  }
}

function wrapped(fun: CustomFunction): ExecutionFunction {
  const named = typeof fun.params === 'string'
  return {
    signature: signature(typeof fun.params === 'string' ? fun.params : '*args, **kwargs'),
    doc: typeof fun.doc === 'string' ? fun.doc.trim() : '',
    async run(args, call) {
      const values = named ? signature(String(fun.params)).params.map(({ name }) => args.value(name)) : []
      const keywords = args.cleanKeywords
      const rest = Object.keys(keywords).length > 0 ? [keywords] : []
      const result = await fun(contextOf(call), ...values, ...args.positional, ...rest)
      return result === undefined ? null : (result as Value)
    },
  }
}

/** What a custom function sees of the minion. */
export function contextOf(call: Call): CustomContext {
  const run = (fun: string, args: Value[] = [], kwargs: Mapping = {}): Promise<Value> => call.salt(fun, args, kwargs)
  const salt = new Proxy(
    {},
    {
      get:
        (_, fun) =>
        (...args: Value[]) =>
          run(String(fun), args),
    },
  )
  return { salt, call: run, grains: call.agent.grains.all(), pillar: call.agent.pillar(), opts: call.agent.opts }
}

function mappingOf(value: unknown): Mapping {
  return isMapping(value) ? value : {}
}

/** The files of each folder that is there, folder by folder in order of their names. */
async function pathsIn(directories: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    directories.map(async (directory) => (await namesIn(directory)).map((name) => join(directory, name))),
  )
  return found.flat()
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort()
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}
