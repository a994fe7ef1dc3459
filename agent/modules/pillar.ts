// The pillar: what the master gives this minion alone.
import { entries, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { deepCopy, mergeDeep } from '../../core/value/merge.ts'
import { traverse } from '../../core/value/traverse.ts'
import { isRegularFile } from '../filesystem/paths.ts'
import type { Arguments } from './arguments.ts'
import { atPath } from './at-path.ts'
import { CommandExecutionError, PythonError } from './errors.ts'
import { filterBy } from './filter-by.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

/** A default that says "none was given". */
const notSet = '__unset__'

const asksEnvironment = (args: Arguments): boolean => args.value('pillarenv') !== null || args.value('saltenv') !== null

async function getValue(args: Arguments, call: Call): Promise<Value> {
  const pillar = asksEnvironment(args) ? await compiled(args, call) : call.agent.pillar()
  const key = args.value('key')
  const given = args.value('default')
  const found = traverse(pillar, key, args.textIfAny('delimiter') ?? ':')
  const fallback = given === notSet ? '' : given
  if (args.is('merge') && given !== notSet) {
    const lists = args.is('merge_nested_lists')
    if (given !== null && isMap(given) && found !== undefined && found !== null && isMap(found))
      return mergeDeep(given, found, lists)
    if (Array.isArray(given) && Array.isArray(found))
      return [...given, ...found.filter((item) => !given.includes(item))]
  }
  if (found !== undefined) return deepCopy(found)
  if (given === notSet && call.agent.opts.pillar_raise_on_missing === true) {
    throw new PythonError('KeyError', `'Pillar key not found: ${pythonStr(key)}'`)
  }
  return fallback
}

async function fileExists(args: Arguments, call: Call): Promise<boolean> {
  const roots = call.agent.opts.pillar_roots ?? null
  if (roots === null || !isMap(roots) || !call.agent.isLocal)
    throw new CommandExecutionError('No pillar_roots found. Are you running this on the master?')
  const saltenv = args.textIfAny('saltenv')
  const directories = entries(roots).flatMap(([env, list]) =>
    saltenv !== undefined && pythonStr(env) !== saltenv ? [] : Array.isArray(list) ? list.map(pythonStr) : [],
  )
  for (const directory of directories) if (await isRegularFile(`${directory}/${args.text('path')}`)) return true
  return false
}

/** The pillar compiled anew, for `pillar=`, `pillarenv=` and `saltenv=` where they are given. */
function compiled(args: Arguments, call: Call): Promise<Mapping> {
  const { opts } = call.agent
  const environment = (name: 'saltenv' | 'pillarenv'): string | undefined => {
    const value = args.value(name) ?? opts[name] ?? null
    return value === null || value === '' ? undefined : pythonStr(value)
  }
  const override = args.value('pillar') === null ? {} : { override: args.map('pillar') }
  return call.agent.compilePillar({ saltenv: environment('saltenv'), pillarenv: environment('pillarenv'), ...override })
}

async function itemsOf(args: Arguments, call: Call): Promise<Mapping> {
  const pillar = await compiled(args, call)
  return args.positional.length === 0 ? pillar : chosen(args, pillar)
}

function chosen(args: Arguments, pillar: Mapping): Mapping {
  const delimiter = args.textIfAny('delimiter') ?? ':'
  const found = args.positional.map(
    (name) => [pythonStr(name), atPath(pillar, name, args.value('default') ?? '', delimiter)] as const,
  )
  return Object.fromEntries(found)
}

function types(value: Value): Value {
  if (value !== null && isMap(value))
    return Object.fromEntries(
      (value instanceof Map ? [...value] : Object.entries(value)).map(([key, item]) => [String(key), types(item)]),
    )
  if (Array.isArray(value)) return value.map(types)
  return `<${value === null ? 'NoneType' : typeof value === 'string' ? 'str' : typeof value === 'boolean' ? 'bool' : typeof value === 'number' && !Number.isInteger(value) ? 'float' : 'int'}>`
}

const options = 'pillar=None, pillar_enc=None, pillarenv=None, saltenv=None'

/** Salt's `pillar` module. */
export const pillar: ExecutionModule = {
  name: 'pillar',
  file: 'pillar',
  functions: {
    get: define(
      `key, default='${notSet}', merge=False, merge_nested_lists=None, delimiter=':', pillarenv=None, saltenv=None`,
      `Return the pillar value at a path like \`\`pkg:apache\`\`, or the default.

merge
    Merge the value into a default that is a dictionary or a list.${examples("brine '*' pillar.get pkg:apache", "brine '*' pillar.get 'abc::def|ghi' delimiter='|'")}`,
      getValue,
      { readOnly: true },
    ),
    items: define(
      `*args, ${options}`,
      `Return the whole pillar, or the values named.${examples("brine '*' pillar.items")}`,
      itemsOf,
      { readOnly: true },
    ),
    data: define(`*args, ${options}`, `Another name of pillar.items.${examples("brine '*' pillar.data")}`, itemsOf, {
      readOnly: true,
    }),
    item: define(
      '*args, default=None, delimiter=None, pillarenv=None, saltenv=None',
      `Return one or more pillar values by name or path.${examples("brine '*' pillar.item foo", "brine '*' pillar.item foo:bar", "brine '*' pillar.item foo bar baz")}`,
      async (args, call) => chosen(args, asksEnvironment(args) ? await compiled(args, call) : call.agent.pillar()),
      { readOnly: true },
    ),
    ls: define(
      `*args, ${options}`,
      `Return the names of the pillar's top keys.${examples("brine '*' pillar.ls")}`,
      async (args, call) => Object.keys(await itemsOf(args, call)),
      { readOnly: true },
    ),
    obfuscate: define(
      `*args, ${options}`,
      `Return the pillar with each value's type in its place.${examples("brine '*' pillar.obfuscate")}`,
      async (args, call) => types(await itemsOf(args, call)),
      { readOnly: true },
    ),
    raw: define(
      'key=None',
      `Return the pillar that is in the minion's memory, or one of its top keys.${examples("brine '*' pillar.raw", "brine '*' pillar.raw key='roles'")}`,
      (args, call) => (args.is('key') ? (call.agent.pillar()[args.text('key')] ?? {}) : { ...call.agent.pillar() }),
      { readOnly: true },
    ),
    keys: define(
      "key, delimiter=':'",
      `Return the keys of the pillar value at a path.${examples("brine '*' pillar.keys web:sites")}`,
      (args, call) => {
        const value = traverse(call.agent.pillar(), args.value('key'), args.textIfAny('delimiter') ?? ':')
        if (value === undefined) throw new PythonError('KeyError', `'Pillar key not found: ${args.text('key')}'`)
        if (value === null || !isMap(value))
          throw new PythonError('ValueError', `Pillar value in key ${args.text('key')} is not a dict`)
        return value instanceof Map ? [...value.keys()] : Object.keys(value)
      },
      { readOnly: true },
    ),
    filter_by: define(
      "lookup_dict, pillar, merge=None, default='default', base=None",
      `Return what a table has for a pillar value. See grains.filter_by.${examples("brine '*' pillar.filter_by '{web: Serve it up, db: I query, default: x_x}' role")}`,
      (args, call) => {
        const table = args.value('lookup_dict')
        if (table === null || !isMap(table)) throw new PythonError('TypeError', 'filter_by() needs a dictionary')
        return filterBy(call.agent.pillar(), {
          table,
          path: args.value('pillar'),
          merge: args.value('merge'),
          default: args.value('default'),
          base: args.value('base'),
        })
      },
      { readOnly: true },
    ),
    file_exists: define(
      'path, saltenv=None',
      `Return whether a file is in the directories of the pillar, of a minion that has them itself.${examples("brine '*' pillar.file_exists hello.sls")}`,
      fileExists,
      { readOnly: true },
    ),
  },
}
