// The mine as the minion sees it: kept by the master, or, without one, in a file of its own.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  isList,
  isMapping,
  type Mapping,
  parseJson,
  pythonStr,
  stringifyJson,
  type Value,
} from '../core/value/index.ts'
import type { Connection } from './connection/connection.ts'
import { readTextIfThere } from './filesystem/read.ts'

/** What minions give to each other. Rejects with a BrineError `unreachable` where the master cannot be asked. */
export interface Mine {
  /** Adds values by name, or puts them in place of all there was. */
  give(data: Mapping, clear: boolean): Promise<void>
  take(name: string): Promise<void>
  flush(): Promise<void>
  /** Of the minions of a target: by minion for one name, by name and minion for several. */
  get(tgt: Value, names: Value, tgtType: string): Promise<Mapping>
}

/** The master's. */
export function masterMine(connection: Pick<Connection, 'mine'>): Mine {
  return {
    give: async (data, clear) => void (await connection.mine({ do: 'give', data, clear })),
    take: async (name) => void (await connection.mine({ do: 'take', name })),
    flush: async () => void (await connection.mine({ do: 'flush' })),
    get: (tgt, fun, tgtType) => connection.mine({ do: 'get', tgt, fun, tgt_type: tgtType }),
  }
}

/** One's own: there is nobody else. Who asks has found that the target means this minion. */
export function ownMine(cachedir: string, id: string): Mine {
  const path = join(cachedir, 'mine.json')
  const write = async (mine: Mapping): Promise<void> => {
    await mkdir(cachedir, { recursive: true, mode: 0o700 })
    await writeFile(`${path}.new`, stringifyJson(mine), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  return {
    give: async (data, clear) => write(clear ? data : { ...(await read(path)), ...data }),
    async take(name) {
      const { [name]: _, ...rest } = await read(path)
      await write(rest)
    },
    flush: () => write({}),
    async get(_, names) {
      const mine = await read(path)
      const several = isList(names) || pythonStr(names).includes(',')
      const wanted = isList(names) ? names.map(pythonStr) : pythonStr(names).split(',')
      const found = wanted.flatMap((name): [string, Value][] => (mine[name] === undefined ? [] : [[name, mine[name]]]))
      if (several) return Object.fromEntries(found.map(([name, value]) => [name, { [id]: value }]))
      return Object.fromEntries(found.map(([, value]) => [id, value]))
    },
  }
}

async function read(path: string): Promise<Mapping> {
  const text = await readTextIfThere(path)
  const value = text === undefined ? {} : parseJson(text)
  return isMapping(value) ? value : {}
}
