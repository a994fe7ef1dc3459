// The functions of `salt[…]` that need nothing but their arguments and the variables: grains, pillar, config, merging, hashes.
import { createHash } from 'node:crypto'
import { matchTag } from '../../event/tag-glob.ts'
import {
  Dict,
  dictGet,
  entries,
  get,
  isList,
  isMap,
  type Mapping,
  mapOf,
  pythonEquals,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../value/index.ts'
import type { Environment, SaltFunction } from './environment.ts'
import { stepInto } from './filters/traverse.ts'
import { PythonError, typeError } from './python-error.ts'
import { bind, parseSignature } from './signature.ts'

type MapValue = Mapping | Dict
type Args = readonly (Value | undefined)[]

function define(
  name: string,
  spec: string,
  body: (args: Args, environment: Environment) => Value,
): [string, SaltFunction] {
  const signature = parseSignature(name.replace(/^.*\./, ''), spec)
  return [
    name,
    (args, kwargs, environment) =>
      body(bind(signature, args, new Map(Object.entries(kwargs))).values as Args, environment),
  ]
}

function variable(environment: Environment, name: 'grains' | 'pillar' | 'opts'): MapValue {
  const found = Object.hasOwn(environment.context, name) ? environment.context[name] : undefined
  return isMap(found) ? found : {}
}

/** Salt's `traverse_dict_and_list`, `undefined` where the path leads nowhere. */
function dig(data: Value, key: Value, delimiter: Value): Value | undefined {
  const path = typeof key === 'string' ? key.split(pythonStr(delimiter)) : isList(key) ? key : [key]
  let at: Value | undefined = data
  for (const step of path) {
    at = stepInto(at, step) as Value | undefined
    if (at === undefined) return undefined
  }
  return at
}

function digOr(data: Value, key: Value, delimiter: Value, fallback: Value): Value {
  const found = dig(data, key, delimiter)
  return found === undefined ? fallback : found
}

/** Salt's `dictupdate.update`, as a copy: maps merge, lists are replaced or joined, the rest is replaced. */
function mergeMaps(dest: Value, upd: Value, mergeLists: boolean): Value {
  if (!isMap(dest) || !isMap(upd)) throw typeError('Cannot update using non-dict types in dictupdate.update()')
  const merged = new Dict(entries(dest))
  for (const [key, value] of entries(upd)) {
    const old = dictGet(merged, key)
    if (isMap(old) && isMap(value)) merged.set(key, mergeMaps(old, value, mergeLists))
    else if (mergeLists && isList(old) && isList(value)) {
      merged.set(key, [...old, ...value.filter((item) => !old.some((other) => pythonEquals(item, other)))])
    } else merged.set(key, value)
  }
  return mapOf(merged)
}

function saltError(message: string): PythonError {
  return new PythonError('SaltException', message)
}

function filterBy(args: Args, environment: Environment): Value {
  const [lookup = null, grain = 'os_family', merge = null, fallback = 'default', base = null] = args
  if (!isMap(lookup)) throw typeError('lookup_dict has to be a map')
  const pairs = entries(lookup)
  const value = dig(variable(environment, 'grains'), grain, ':') ?? []
  let found: Value | undefined
  for (const each of isList(value) ? value : [value]) {
    const text = pythonStr(each)
    found = pairs.find(
      ([key, item]) => item !== null && (pythonStr(key) === text || matchTag(pythonStr(key), text)),
    )?.[1]
    if (found !== undefined) break
  }
  const under = (name: Value): Value | undefined => pairs.find(([key]) => pythonEquals(key, name))?.[1]
  let result = found ?? under(fallback) ?? null
  const baseValue = pythonTruth(base) ? under(base) : undefined
  if (baseValue !== undefined) {
    if (result === null) result = baseValue
    else if (isMap(baseValue)) {
      if (!isMap(result)) throw saltError('filter_by default and look-up values must both be dictionaries.')
      result = mergeMaps(baseValue, result, false)
    }
  }
  if (!pythonTruth(merge)) return result
  if (!isMap(merge)) throw saltError('filter_by merge argument must be a dictionary.')
  return result === null ? merge : mergeMaps(result, merge, false)
}

function pillarGet(
  [key = '', fallback = '', merge = false, lists = null, delimiter = ':']: Args,
  env: Environment,
): Value {
  const found = dig(variable(env, 'pillar'), key, delimiter)
  if (pythonTruth(merge)) {
    if (isMap(fallback) && (found === undefined || isMap(found))) {
      return mergeMaps(fallback, found ?? {}, pythonTruth(lists))
    }
    if (isList(fallback) && (found === undefined || isList(found))) {
      return [...fallback, ...(found ?? []).filter((item) => !fallback.some((other) => pythonEquals(item, other)))]
    }
  }
  return found === undefined ? fallback : found
}

function configGet([key = '', fallback = '', delimiter = ':', merge = null]: Args, env: Environment): Value {
  const pillar = variable(env, 'pillar')
  const master = get(pillar, 'master')
  const sources: Value[] = [variable(env, 'opts'), variable(env, 'grains'), pillar, isMap(master) ? master : {}]
  if (merge !== null) {
    const all = sources.reduceRight<Value>((made, source) => mergeMaps(made, source, false), {})
    return digOr(all, key, delimiter, fallback)
  }
  for (const source of sources) {
    const found = dig(source, key, delimiter)
    if (found !== undefined) return found
  }
  return fallback
}

/** What several keys lead to, by key. */
function pick(name: string, of: 'grains' | 'pillar'): [string, SaltFunction] {
  return [
    name,
    (args, kwargs, environment) => {
      const { default: fallback = '', delimiter = ':' } = kwargs
      return mapOf(args.map((key) => [key, digOr(variable(environment, of), key, delimiter, fallback)] as const))
    },
  ]
}

function keysOf(found: Value | undefined, key: Value): Value {
  if (found === undefined) throw new PythonError('KeyError', `'Pillar key not found: ${pythonStr(key)}'`)
  if (!isMap(found)) throw new PythonError('ValueError', `Pillar value in key ${pythonStr(key)} is not a dict`)
  return entries(found).map(([name]) => name)
}

function slsutilMerge([a = null, b = null, strategy = 'smart', , lists = false]: Args): Value {
  // Of what both have at the top the later one's alone: what is deeper is not looked at.
  if (strategy === 'overwrite' || strategy === 'aggregate') return mapOf([...pairsOf(a), ...pairsOf(b)])
  if (strategy !== 'list') return mergeMaps(a, b, pythonTruth(lists))
  if (!isMap(a) || !isMap(b)) throw typeError('Cannot update using non-dict types in dictupdate.update()')
  return mapOf(
    entries(a).map(([key, value]) => {
      const other = typeof key === 'string' ? get(b, key) : undefined
      return [key, other === undefined ? value : [value, other]] as const
    }),
  )
}

function hashing(name: string, algorithm: string): [string, SaltFunction] {
  return define(name, 'instr', ([text = '']) => createHash(algorithm).update(pythonStr(text)).digest('hex'))
}

const LOG_LEVELS = ['debug', 'info', 'warning', 'warn', 'error', 'critical', 'exception']

/** The functions by name. What they merge they copy: nothing given to them is changed. */
export const SALT_FUNCTIONS: Readonly<Record<string, SaltFunction>> = Object.fromEntries([
  define('grains.get', 'key default? delimiter? ordered?', ([key = '', fallback = '', delimiter = ':'], env) =>
    digOr(variable(env, 'grains'), key, delimiter, fallback),
  ),
  define('grains.has_value', 'key', ([key = ''], env) => dig(variable(env, 'grains'), key, ':') !== undefined),
  define('grains.items', 'sanitize?', (_, env) => variable(env, 'grains')),
  define('grains.ls', '', (_, env) =>
    entries(variable(env, 'grains'))
      .map(([key]) => key)
      .sort(),
  ),
  define('grains.filter_by', 'lookup_dict grain? merge? default? base?', filterBy),
  pick('grains.item', 'grains'),
  define('pillar.get', 'key default? merge? merge_nested_lists? delimiter? pillarenv? saltenv?', pillarGet),
  define('pillar.items', '', (_, env) => variable(env, 'pillar')),
  define('pillar.keys', 'key delimiter?', ([key = '', delimiter = ':'], env) =>
    keysOf(dig(variable(env, 'pillar'), key, delimiter), key),
  ),
  define('pillar.ls', '', (_, env) => entries(variable(env, 'pillar')).map(([key]) => key)),
  pick('pillar.item', 'pillar'),
  define('config.get', 'key default? delimiter? merge? omit_opts? omit_pillar? omit_master? omit_grains?', configGet),
  define('config.option', 'value default?', ([key = '', fallback = ''], env) => configGet([key, fallback, '\0'], env)),
  define('test.echo', 'text', ([text = null]) => text),
  define('test.ping', '', () => true),
  define('test.true', '', () => true),
  define('test.false', '', () => false),
  define('slsutil.merge', 'obj_a obj_b strategy? renderer? merge_lists?', slsutilMerge),
  define(
    'slsutil.update',
    'dest upd recursive_update? merge_lists?',
    ([a = null, b = null, recursive = true, lists = false]) =>
      pythonTruth(recursive) ? mergeMaps(a, b, pythonTruth(lists)) : mapOf([...pairsOf(a), ...pairsOf(b)]),
  ),
  define('slsutil.boolstr', 'value true? false?', ([value = null, yes = 'true', no = 'false']) =>
    pythonTruth(value) ? yes : no,
  ),
  define('defaults.merge', 'dest src merge_lists? in_place? convert_none?', ([a = null, b = null, lists = false]) =>
    mergeMaps(a ?? {}, b ?? {}, pythonTruth(lists)),
  ),
  define('defaults.deepcopy', 'source', ([source = null]) => source),
  hashing('hashutil.md5_digest', 'md5'),
  hashing('hashutil.sha256_digest', 'sha256'),
  hashing('hashutil.sha512_digest', 'sha512'),
  define('hashutil.base64_b64encode', 'instr', ([text = '']) => Buffer.from(pythonStr(text)).toString('base64')),
  define('hashutil.base64_b64decode', 'instr', ([text = '']) => Buffer.from(pythonStr(text), 'base64').toString()),
  ...LOG_LEVELS.map((level) => define(`log.${level}`, 'message', () => true)),
])

function pairsOf(value: Value): [Value, Value][] {
  if (!isMap(value)) throw typeError('Cannot update using non-dict types in dictupdate.update()')
  return entries(value)
}
