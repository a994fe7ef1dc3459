// Modules and grains a user wrote: `_modules/*.mjs` and `_grains/*.mjs`, loaded from the minion's cache.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../../core/error.ts'
import { isMapping, type Mapping, type Value } from '../../core/value/index.ts'
import type { Log } from '../outside.ts'
import type { Call, ExecutionFunction, ExecutionModule } from './module.ts'
import { signature } from './signature.ts'

/** What a custom function gets before its arguments. */
interface CustomContext {
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

/** What was found: modules, grains, and the names (`modules.x`) of what is new or changed since the last time. */
export interface CustomCode {
  readonly modules: readonly ExecutionModule[]
  readonly grains: readonly (() => Promise<Mapping>)[]
  /** The exports of the beacons' files. */
  readonly beacons: readonly { readonly name: string; readonly exported: Readonly<Record<string, unknown>> }[]
  readonly changed: readonly string[]
}

/** What a file of each kind exports, for who wrote it in Python. */
const shapes = {
  modules: 'my_function({ salt, grains, pillar, opts }, …args)',
  grains: 'my_grains()',
  beacons: 'beacon({ salt, context, grains, pillar, opts }, config)',
} as const

/** Loads a user's files. One that cannot be loaded is left out and said; a Python file is refused with the way to write it. */
export class CustomLoader {
  readonly #root: string
  readonly #log: Log
  readonly #seen = new Map<string, number>()

  constructor(root: string, log: Log) {
    this.#root = root
    this.#log = log
  }

  async load(): Promise<CustomCode> {
    const changed: string[] = []
    const modules: ExecutionModule[] = []
    for (const { name, exported } of await this.#files('modules', changed)) {
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
    for (const { exported } of await this.#files('grains', changed)) {
      for (const fun of Object.values(exported))
        if (typeof fun === 'function') grains.push(async () => mappingOf(await fun()))
    }
    const beacons = await this.#files('beacons', changed)
    return { modules, grains, beacons, changed }
  }

  async #files(
    kind: keyof typeof shapes,
    changed: string[],
  ): Promise<{ name: string; exported: Record<string, unknown> }[]> {
    const directory = join(this.#root, kind)
    const found: { name: string; exported: Record<string, unknown> }[] = []
    for (const file of await namesIn(directory)) {
      const name = file.replace(/\.\w+$/, '')
      if (file.endsWith('.py')) {
        this.#log.error(
          `${join(directory, file)} is Python, which this minion does not run. Write it in JavaScript as _${kind}/${name}.mjs: export function ${shapes[kind]}.`,
        )
        continue
      }
      if (!file.endsWith('.mjs') || file.startsWith('_')) continue
      const path = join(directory, file)
      try {
        const { mtimeMs } = await stat(path)
        if (this.#seen.get(path) !== mtimeMs) changed.push(`${kind}.${name}`)
        this.#seen.set(path, mtimeMs)
        const exported = (await import(`${pathToFileURL(path).href}?changed=${mtimeMs}`)) as Record<string, unknown>
        found.push({ name, exported })
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

function contextOf(call: Call): CustomContext {
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

async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
