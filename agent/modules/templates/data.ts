// Salt's `data` module: values that the minion keeps for whoever asks, in one file of its cache.
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  isList,
  isMapping,
  type Mapping,
  parseJson,
  pythonEquals,
  pythonStr,
  stringifyJson,
  type Value,
} from '../../../core/value/index.ts'
import { readTextIfThere } from '../../filesystem/read.ts'
import { writeWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../arguments.ts'
import { type Call, define, type ExecutionModule, examples } from '../module.ts'

const pathOf = ({ agent }: Call): string => join(pythonStr(agent.opts.cachedir ?? ''), 'datastore.json')

async function load(call: Call): Promise<Mapping> {
  const found = parseJson((await readTextIfThere(pathOf(call))) ?? '{}')
  return isMapping(found) ? found : {}
}

async function dump(call: Call, store: Mapping): Promise<true> {
  const path = pathOf(call)
  await mkdir(dirname(path), { recursive: true })
  await writeWhole(path, stringifyJson(store), { mode: '0600' })
  return true
}

async function swap(args: Arguments, call: Call): Promise<boolean> {
  const store = await load(call)
  const key = args.text('key')
  const now = store[key]
  if (now === undefined || !pythonEquals(now, args.value('old_value'))) return false
  return dump(call, { ...store, [key]: args.value('value') })
}

async function taken(args: Arguments, call: Call): Promise<Value> {
  const { [args.text('key')]: found = args.value('default'), ...rest } = await load(call)
  await dump(call, rest)
  return found
}

async function got(args: Arguments, call: Call): Promise<Value> {
  const store = await load(call)
  const [key, fallback] = [args.value('key'), args.value('default')]
  if (!isList(key)) return store[pythonStr(key)] ?? fallback
  const values = key.map((one) => store[pythonStr(one)])
  return fallback === null ? values.filter((one) => one !== undefined) : values.map((one) => one ?? fallback)
}

const asking = { readOnly: true }

/** Salt's `data` module. */
export const data: ExecutionModule = {
  name: 'data',
  file: 'data',
  functions: {
    clear: define('', `Forget all of it.${examples("brine '*' data.clear")}`, (_, call) => dump(call, {})),
    load: define('', `Return all of it.${examples("brine '*' data.load")}`, (_, call) => load(call), asking),
    dump: define(
      'new_data',
      `Keep this map and nothing else.${examples('brine \'*\' data.dump \'{"eggs": "spam"}\'')}`,
      (args, call) => (isMapping(args.value('new_data')) ? dump(call, args.map('new_data')) : false),
    ),
    update: define(
      'key, value',
      `Keep a value.${examples("brine '*' data.update <key> <value>")}`,
      async (args, call) => dump(call, { ...(await load(call)), [args.text('key')]: args.value('value') }),
    ),
    cas: define(
      'key, value, old_value',
      `Keep a value in the place of another; False where that is not there.${examples("brine '*' data.cas <key> <value> <old_value>")}`,
      swap,
    ),
    pop: define(
      'key, default=None',
      `Return a value and forget it.${examples("brine '*' data.pop <key> 'default'")}`,
      taken,
    ),
    get: define(
      'key, default=None',
      `Return a value, or those of a list of keys.${examples("brine '*' data.get key", 'brine \'*\' data.get \'["key1", "key2"]\'')}`,
      got,
      asking,
    ),
    keys: define(
      '',
      `Return all keys.${examples("brine '*' data.keys")}`,
      async (_, call) => Object.keys(await load(call)),
      asking,
    ),
    values: define(
      '',
      `Return all values.${examples("brine '*' data.values")}`,
      async (_, call) => Object.values(await load(call)),
      asking,
    ),
    items: define('', `Return all of it.${examples("brine '*' data.items")}`, (_, call) => load(call), asking),
    has_key: define(
      'key',
      `Return whether there is a value.${examples("brine '*' data.has_key <key>")}`,
      async (args, call) => args.text('key') in (await load(call)),
      asking,
    ),
  },
}
