// Salt's filters on lists and maps.
import { float, numberOf, Tuple } from '../../../value/index.ts'
import { checkItems, checkSize } from '../budget.ts'
import { Bytes } from '../bytes.ts'
import { order } from '../compare.ts'
import { type Datum, equal, isDict, NO_KWARGS, repr, str, textOf, truth, tuple, typeName } from '../datum.ts'
import { type DictDatum, dictHas, dictItem, dictKeys, dictPairs, dictSet, newDict } from '../dict.ts'
import { collect, collectCopy, contains, isIterable, iterate } from '../iterate.ts'
import { searchJmespath } from '../jmespath/search.ts'
import { methodOf } from '../lookup.ts'
import type { Method } from '../method.ts'
import { asIndex } from '../numbers.ts'
import { binary } from '../operators.ts'
import { toValue } from '../printed.ts'
import { PythonError, typeError, valueError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { SetObject } from '../set-object.ts'
import { defined } from '../undefined.ts'
import { adopt } from './adopt.ts'
import { filter, type NamedFilter, ropeFilter } from './define.ts'
import { parseFloatText } from './number.ts'
import { randomSample } from './random-sample.ts'
import { toNumber } from './salt-text.ts'
import { traverse } from './traverse.ts'

/** Python's `isinstance(x, Hashable)`: all but lists and dicts. */
function isHashable(datum: Datum): boolean {
  const name = typeName(datum)
  return name !== 'list' && name !== 'dict' && name !== 'set'
}

function unique(values: Datum, run: Run): Datum {
  if (isHashable(values)) return new SetObject(collect(values, run))
  const kept: Datum[] = []
  for (const value of collect(values, run)) {
    run.charge(kept.length / 16)
    if (!kept.some((other) => equal(other, value))) kept.push(value)
  }
  return kept
}

type Operation = 'union' | 'intersect' | 'difference' | 'symmetric_difference'

function combine(operation: Operation, a: Datum, b: Datum, run: Run): Datum {
  defined(a)
  defined(b)
  if (isHashable(a) && isHashable(b)) {
    const left = new SetObject(collect(a, run))
    const right = new SetObject(collect(b, run))
    if (operation === 'union') return left.union(right)
    if (operation === 'intersect') return left.intersection(right)
    if (operation === 'difference') return left.difference(right)
    return left.union(right).difference(left.intersection(right))
  }
  if (operation === 'union') return unique(binary('+', a, b, run), run)
  if (operation === 'symmetric_difference') {
    const both = combine('intersect', a, b, run)
    return unique(
      collect(combine('union', a, b, run), run).filter((item) => !contains(both, item, run)),
      run,
    )
  }
  const wanted = operation === 'intersect'
  return unique(
    collect(a, run).filter((item) => contains(b, item, run) === wanted),
    run,
  )
}

function combining(operation: Operation): NamedFilter {
  return ropeFilter(operation, 'lst2', (input, [other = null], run) => combine(operation, input, other, run))
}

function extreme(name: 'min' | 'max', input: Datum, run: Run): Datum {
  let best: Datum | undefined
  for (const item of collect(input, run)) {
    if (best === undefined || order(item, best, name === 'min' ? '<' : '>')) best = item
  }
  if (best === undefined) throw valueError(`${name}() arg is an empty sequence`)
  return best
}

function average(input: Datum, run: Run): Datum {
  defined(input)
  if (isHashable(input)) {
    const text = textOf(input)
    const number = text === undefined ? numberOf(input) : parseFloatText(text)
    if (number !== undefined) return float(Number(number))
    if (text !== undefined) throw valueError(`could not convert string to float: ${repr(text)}`)
    throw typeError(`float() argument must be a string or a real number, not '${typeName(input)}'`)
  }
  const items = collect(input, run)
  let total: Datum = 0
  for (const item of items) total = binary('+', total, item, run)
  const mean = binary('/', total, items.length, run)
  return float(Number(numberOf(mean) ?? 0))
}

function compareDicts(old: Datum, fresh: Datum): Datum {
  if (!isDict(old) || !isDict(fresh))
    throw typeError(`argument of type '${typeName(isDict(old) ? fresh : old)}' is not iterable`)
  const result: [Datum, Datum][] = []
  const change = (before: Datum, after: Datum, order: 'old' | 'new'): Datum =>
    newDict(
      order === 'old'
        ? [
            ['old', before],
            ['new', after],
          ]
        : [
            ['new', after],
            ['old', before],
          ],
    )
  for (const key of [...dictKeys(fresh), ...dictKeys(old).filter((name) => !dictHas(fresh, name))]) {
    const before = dictItem(old, key)
    const after = dictItem(fresh, key)
    if (before === undefined) result.push([key, change('', after ?? null, 'old')])
    else if (after === undefined) result.push([key, change(before, '', 'new')])
    else if (!equal(before, after)) result.push([key, change(before, after, 'old')])
  }
  return newDict(result)
}

function compareLists(old: Datum, fresh: Datum, run: Run): Datum {
  const added = collect(fresh, run).filter((item) => !contains(old, item, run))
  const removed = collect(old, run).filter((item) => !contains(fresh, item, run))
  const pairs: [Datum, Datum][] = []
  if (added.length > 0) pairs.push(['new', added])
  if (removed.length > 0) pairs.push(['old', removed])
  return newDict(pairs)
}

function exactly(input: Datum, amount: number, run: Run): boolean {
  const source = iterate(input, run)
  const anyTrue = (): boolean => {
    for (let item = source.next(); item !== undefined; item = source.next()) if (truth(item)) return true
    return false
  }
  for (let count = 0; count < amount; count++) if (!anyTrue()) return false
  return !anyTrue()
}

function flatten(input: Datum, levels: number | undefined, nulls: boolean, run: Run, depth = 0): Datum[] {
  if (depth > 200) throw new PythonError('RecursionError', 'Reference cycle detected. Check input list.')
  const flat: Datum[] = []
  for (const item of collect(input, run)) {
    if (!nulls && (item === null || textOf(item) === 'None' || textOf(item) === 'null')) continue
    if (textOf(item) !== undefined || !isIterable(item) || (levels !== undefined && levels < 1)) flat.push(item)
    else
      for (const inner of flatten(item, levels === undefined ? undefined : levels - 1, nulls, run, depth + 1))
        flat.push(inner)
    checkItems(flat.length)
  }
  return flat
}

function mysqlToDict(input: Datum, key: Datum, run: Run): Datum {
  const result: [Datum, Datum][] = []
  let headers: string[] = ['']
  for (const item of collect(input, run)) {
    const line = str(item)
    if (line === '' || line.startsWith('+')) continue
    const parts = line.split('|').map((part) => part.trim())
    if (headers.length <= 1) {
      headers = parts
      continue
    }
    const row: [Datum, Datum][] = []
    for (let field = 1; field < headers.length - 1; field++)
      row.push([headers[field] ?? '', toNumber(parts[field] ?? '')])
    const dict = newDict(row)
    const id = dictItem(dict, key)
    if (id === undefined) throw new PythonError('KeyError', repr(key))
    result.push([id, dict])
  }
  return newDict(result)
}

function toEntries(input: Datum): Datum {
  const entry = (key: Datum, value: Datum): Datum =>
    newDict([
      ['key', key],
      ['value', value],
    ])
  if (isDict(input)) return dictPairs(input).map(([key, value]) => entry(key, value))
  if (Array.isArray(input) && !(input instanceof Tuple)) return Array.from(input, (value, index) => entry(index, value))
  defined(input)
  throw new PythonError('SaltException', 'Input data must be a dict or list')
}

function fromEntries(input: Datum, run: Run): Datum {
  const pairs: [Datum, Datum][] = []
  for (const item of collect(input, run)) {
    if (!isDict(item)) throw new PythonError('AttributeError', `'${typeName(item)}' object has no attribute 'items'`)
    const folded = new Map(dictPairs(item).map(([key, value]) => [textOf(key)?.toLowerCase() ?? key, value] as const))
    const key = [folded.get('key'), folded.get('name')].find((one) => one !== undefined && truth(one))
    if (key !== undefined) pairs.push([key, folded.get('value') ?? null])
  }
  return newDict(pairs)
}

/** Texts as bytes, all the way down; tuples become lists. */
function encode(datum: Datum): Datum {
  const text = textOf(datum)
  if (text !== undefined) return new Bytes(new TextEncoder().encode(text))
  if (Array.isArray(datum)) return Array.from(datum, encode)
  if (isDict(datum)) return newDict(dictPairs(datum).map(([key, value]) => [encodeKey(key), encode(value)] as const))
  return datum
}

function encodeKey(key: Datum): Datum {
  return Array.isArray(key) ? tuple(Array.from(key, encode)) : encode(key)
}

function encoding(name: string, isRight: (input: Datum) => boolean): NamedFilter {
  return filter(name, '', (input) => {
    defined(input)
    checkSize(input)
    if (!isRight(input)) throw new PythonError('AttributeError', `'${typeName(input)}' object has no attribute 'items'`)
    return encode(input)
  })
}

/** The map that holds the last of the keys, made on the way where there is none. */
function lastMap(input: Datum, keys: Datum, delimiter: Datum, run: Run): { dict: DictDatum; key: Datum } {
  defined(input)
  if (!isDict(input)) throw typeError(`'${typeName(input)}' object does not support item assignment`)
  const path = textOf(keys)
  if (path === undefined) return { dict: input, key: keys }
  const parts = path.split(str(delimiter))
  const key = parts.pop() ?? ''
  let dict: DictDatum = input
  for (const part of parts) {
    let next = dictItem(dict, part)
    if (next === undefined || !isDict(next)) {
      next = newDict()
      dictSet(dict, part, next, run)
    }
    if (isDict(next)) dict = next
  }
  return { dict, key }
}

function keyed(name: string, method: string | undefined, fresh: () => Datum): NamedFilter {
  return ropeFilter(name, 'keys value delimiter? ordered_dict?', (input, args, run) => {
    const [keys = null, value = null, delimiter = ':'] = args
    const { dict, key } = lastMap(input, keys, delimiter, run)
    if (method === undefined) {
      dictSet(dict, key, value, run)
      return input
    }
    const held = dictItem(dict, key)
    if (held === undefined || held === null) dictSet(dict, key, fresh(), run)
    const target = dictItem(dict, key) ?? null
    const found = methodOf(target, method, run) as Method<Datum> | undefined
    if (found === undefined) {
      throw new PythonError(
        'SaltInvocationError',
        `The last key contains a <class '${typeName(target)}'>, which cannot ${method}.`,
      )
    }
    try {
      found(target, [value], NO_KWARGS, run)
    } catch (error) {
      if (!(error instanceof PythonError) || (error.exception !== 'TypeError' && error.exception !== 'ValueError'))
        throw error
      const verb = method === 'update' ? 'update' : 'extend'
      throw new PythonError(
        'SaltInvocationError',
        `Cannot ${verb} <class '${typeName(target)}'> with a <class '${typeName(value)}'>.`,
      )
    }
    return input
  })
}

/** The filters, by Salt's names. */
export const SALT_DATA_FILTERS: readonly NamedFilter[] = [
  ropeFilter('unique', '', (input, _, run) => unique(input, run)),
  combining('union'),
  combining('intersect'),
  combining('difference'),
  combining('symmetric_difference'),
  ropeFilter('min', '', (input, _, run) => extreme('min', input, run)),
  ropeFilter('max', '', (input, _, run) => extreme('max', input, run)),
  filter('avg', '', (input, _, run) => average(input, run)),
  ropeFilter('sequence', '', (input) => {
    const name = typeName(input)
    return name === 'list' || name === 'tuple' || name === 'dict' || name === 'set' ? input : [input]
  }),
  filter('is_list', '', (input) => typeName(input) === 'list'),
  filter('is_iter', 'ignore?', (input) => textOf(input) === undefined && isIterable(input)),
  filter('compare_dicts', 'new', (input, [fresh = null]) => compareDicts(input, fresh)),
  filter('compare_lists', 'new', (input, [fresh = null], run) => compareLists(input, fresh, run)),
  filter('exactly_n_true', 'amount?', (input, [amount = 1], run) => exactly(input, asIndex(amount) ?? 1, run)),
  filter('exactly_one_true', '', (input, _, run) => exactly(input, 1, run)),
  ropeFilter('traverse', 'key default? delimiter?', (input, [key = '', otherwise = null, delimiter = ':'], run) =>
    traverse(input, key, otherwise, str(delimiter), run),
  ),
  ropeFilter('flatten', 'levels? preserve_nulls?', (input, [levels = null, nulls = false], run) =>
    flatten(input, levels === null ? undefined : asIndex(levels), truth(nulls), run),
  ),
  filter('json_query', 'expr', (input, [expression = ''], run) =>
    adopt(searchJmespath(str(expression), toValue(defined(input)), (steps) => run.charge(steps))),
  ),
  filter('mysql_to_dict', 'key', (input, [key = null], run) => mysqlToDict(input, key, run)),
  ropeFilter('to_entries', '', (input) => toEntries(input)),
  ropeFilter('from_entries', '', (input, _, run) => fromEntries(input, run)),
  encoding('json_encode_dict', isDict),
  encoding('json_decode_dict', isDict),
  ...['json_encode_list', 'json_decode_list'].map((name) =>
    filter(name, '', (input, _, run) => {
      checkSize(input)
      return collect(input, run).map(encode)
    }),
  ),
  keyed('set_dict_key_value', undefined, () => null),
  keyed('update_dict_key_value', 'update', () => newDict()),
  keyed('append_dict_key_value', 'append', () => []),
  keyed('extend_dict_key_value', 'extend', () => []),
  [
    'method_call',
    {
      plain: false,
      apply: (input, [name, ...args], kwargs, run) => {
        if (name === undefined) throw typeError("method_call() missing 1 required positional argument: 'f_name'")
        const method = methodOf(input, textOf(name) ?? '', run) as Method<Datum> | undefined
        return method === undefined ? null : method(input, args, kwargs, run)
      },
    },
  ],
  ropeFilter('random_sample', 'size seed?', (input, [size = 0, seed = null], run) =>
    randomSample(collectCopy(input, run), asIndex(size) ?? 0, seed, run),
  ),
  ropeFilter('random_shuffle', 'seed?', (input, [seed = null], run) => {
    const items = collectCopy(input, run)
    return randomSample(items, items.length, seed, run)
  }),
]
