// Runners of the user's own: `_runners/*.mjs`, each exporting functions.
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../core/error.ts'
import type { Mapping, Value } from '../core/value/index.ts'
import { type FunctionTable, type MasterFunction, RunError } from './run.ts'

/** What a user's function may say on its way. */
interface Saying {
  /** How far it is: a map, or a text, which becomes its `message`. On the bus as `salt/run/<jid>/progress`. */
  progress(event: Mapping | string): void
  /** A line on the terminal of whoever waits. */
  print(text: string): void
}

/** What a user's file exports: a function of one map of arguments, with its parameters beside it. */
interface UserFunction {
  (args: Readonly<Record<string, unknown>>, say: Saying): unknown
  /** Names in order, with their defaults; one without a default is required. `'**'` takes any other keyword. */
  readonly params?: Readonly<Record<string, unknown>>
  readonly doc?: string
  readonly idempotent?: boolean
  readonly readOnly?: boolean
}

/**
 * Loads every `*.mjs` of the directories; `noop` of `lab.mjs` is the runner `lab.noop`. A file that does not load is
 * reported and left out; a `.py` is refused by name.
 *
 * ```js
 * export function noop({ n, t0, rest }) { return { n, t0, kwargs: rest } }
 * noop.params = { n: null, t0: null, '**': true }
 * ```
 */
export async function loadRunners(
  directories: readonly string[],
  warn: (message: string) => void,
): Promise<FunctionTable> {
  const table = new Map<string, MasterFunction>()
  for (const directory of directories) {
    for (const name of await namesIn(directory)) {
      const path = join(directory, name)
      if (name.endsWith('.py')) {
        warn(
          `${path} is Python, which Brine does not run. Write it as ${basename(name, '.py')}.mjs: export function …({ … }).`,
        )
      } else if (name.endsWith('.mjs')) {
        try {
          const module: unknown = await import(pathToFileURL(path).href)
          for (const [fun, value] of Object.entries(module as object)) {
            if (typeof value === 'function')
              table.set(`${basename(name, '.mjs')}.${fun}`, masterFunction(value as UserFunction))
          }
        } catch (error) {
          warn(`${path} was not loaded: ${messageOf(error)}`)
        }
      }
    }
  }
  return table
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function masterFunction(user: UserFunction): MasterFunction {
  const { '**': rest, ...params } = user.params ?? { '**': true }
  return {
    signature: {
      params: Object.entries(params).map(([name, value]) =>
        value === undefined ? { name } : { name, default: value as Value },
      ),
      varKwargs: rest !== undefined,
    },
    doc: user.doc ?? '',
    idempotent: user.idempotent === true,
    readOnly: user.readOnly === true,
    async run(bound, context) {
      const say: Saying = {
        progress: (event) => context.progress('progress', typeof event === 'string' ? { message: event } : event),
        print: (text) => context.print(String(text)),
      }
      try {
        return ((await user({ ...bound.named, rest: bound.rest }, say)) ?? null) as Value
      } catch (error) {
        throw new RunError(error instanceof Error ? (error.stack ?? error.message) : String(error))
      }
    },
  }
}
