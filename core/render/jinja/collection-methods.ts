// Python's list, tuple, dict, int and float methods.
import { float, isFloat, numberOf, Tuple } from '../../value/index.ts'
import { checkItems } from './budget.ts'
import { sortBy } from './compare.ts'
import { type Datum, equal, isDict, NO_KWARGS, TemplateObject, truth, tuple, typeName } from './datum.ts'
import {
  type DictDatum,
  dictCopy,
  dictDelete,
  dictItem,
  dictKeys,
  dictPairs,
  dictSet,
  keyError,
  newDict,
} from './dict.ts'
import { DictView } from './dict-view.ts'
import { collect, collectCopy } from './iterate.ts'
import { type Method, method, ropeMethod } from './method.ts'
import { asIndex } from './numbers.ts'
import { PythonError, typeError, valueError } from './python-error.ts'
import type { Run } from './run.ts'

function index(datum: Datum, otherwise: number): number {
  const found = asIndex(datum)
  if (found !== undefined) return found
  if (datum === null) return otherwise
  throw typeError(`'${typeName(datum)}' object cannot be interpreted as an integer`)
}

function find(list: Datum[], item: Datum, start: Datum, stop: Datum, run: Run): number {
  run.charge(list.length)
  const from = index(start, 0)
  const to = index(stop, list.length)
  const begin = from < 0 ? Math.max(0, list.length + from) : from
  const end = to < 0 ? list.length + to : Math.min(to, list.length)
  for (let at = begin; at < end; at++) if (equal(list[at] ?? null, item)) return at
  return -1
}

const SEARCH: (readonly [string, Method<Datum[]>])[] = [
  method<Datum[]>('count', 'value', (self, [value = null]) => self.filter((item) => equal(item, value)).length),
  method<Datum[]>('index', 'value start? stop?', (self, [value = null, start = null, stop = null], run) => {
    const at = find(self, value, start, stop, run)
    if (at < 0) {
      throw valueError(self instanceof Tuple ? 'tuple.index(x): x not in tuple' : `${shown(value)} is not in list`)
    }
    return at
  }),
]

function shown(value: Datum): string {
  return typeof value === 'string' ? `'${value}'` : typeof value === 'object' ? typeName(value) : String(value)
}

/** What Python's tuple can do. */
export const TUPLE_METHODS: ReadonlyMap<string, Method<Datum[]>> = new Map(SEARCH)

function changing(
  name: string,
  spec: string,
  body: (self: Datum[], args: readonly (Datum | undefined)[], run: Run) => Datum,
): readonly [string, Method<Datum[]>] {
  return ropeMethod<Datum[]>(name, spec, (self, args, run) => {
    run.changes(self)
    return body(self, args, run)
  })
}

/** What Python's list can do; those that change it change the very list. */
export const LIST_METHODS: ReadonlyMap<string, Method<Datum[]>> = new Map([
  ...SEARCH,
  changing('append', 'object', (self, [item = null]) => {
    checkItems(self.length)
    self.push(item)
    return null
  }),
  changing('extend', 'iterable', (self, [items = null], run) => {
    const added = collectCopy(items, run)
    checkItems(self.length + added.length)
    for (const item of added) self.push(item)
    return null
  }),
  changing('insert', 'index object', (self, [at = 0, item = null]) => {
    checkItems(self.length)
    self.splice(index(at, 0), 0, item)
    return null
  }),
  changing('pop', 'index?', (self, [at = -1]) => {
    if (self.length === 0) throw new PythonError('IndexError', 'pop from empty list')
    const wanted = index(at, -1)
    const from = wanted < 0 ? self.length + wanted : wanted
    if (from < 0 || from >= self.length) throw new PythonError('IndexError', 'pop index out of range')
    return self.splice(from, 1)[0] ?? null
  }),
  changing('remove', 'value', (self, [value = null], run) => {
    const at = find(self, value, null, null, run)
    if (at < 0) throw valueError('list.remove(x): x not in list')
    self.splice(at, 1)
    return null
  }),
  changing('clear', '', (self) => {
    self.length = 0
    return null
  }),
  changing('reverse', '', (self) => {
    self.reverse()
    return null
  }),
  changing('sort', 'key? reverse?', (self, [key = null, reverse = false], run) => {
    run.charge(self.length)
    const keyOf = (item: Datum): Datum =>
      key === null ? item : key instanceof TemplateObject ? key.call([item], NO_KWARGS, run) : notCallable(key)
    sortBy(self, keyOf, truth(reverse))
    return null
  }),
  method<Datum[]>('copy', '', (self) => self.slice()),
])

function notCallable(datum: Datum): never {
  throw typeError(`'${typeName(datum)}' object is not callable`)
}

/** Adds what `dict.update` and `dict(…)` take: a map, or pairs. */
export function updateDict(dict: DictDatum, from: Datum, run: Run): void {
  if (isDict(from)) {
    const pairs = dictPairs(from)
    run.charge(pairs.length)
    for (const [key, value] of pairs) dictSet(dict, key, value, run)
    return
  }
  let at = 0
  for (const item of collectCopy(from, run)) {
    const pair = collect(item, run)
    if (pair.length !== 2) {
      throw valueError(`dictionary update sequence element #${at} has length ${pair.length}; 2 is required`)
    }
    dictSet(dict, pair[0] ?? null, pair[1] ?? null, run)
    at++
  }
}

/** What Python's dict can do; those that change it change the very dict. */
export const DICT_METHODS: ReadonlyMap<string, Method<DictDatum>> = new Map([
  ropeMethod<DictDatum>('get', 'key default?', (self, [key = null, otherwise = null]) => {
    const found = dictItem(self, key)
    return found === undefined ? otherwise : found
  }),
  method<DictDatum>('keys', '', (self) => new DictView(self, 'keys')),
  method<DictDatum>('values', '', (self) => new DictView(self, 'values')),
  method<DictDatum>('items', '', (self) => new DictView(self, 'items')),
  method<DictDatum>('copy', '', (self) => dictCopy(self)),
  ropeMethod<DictDatum>('setdefault', 'key default?', (self, [key = null, otherwise = null], run) => {
    const found = dictItem(self, key)
    if (found !== undefined) return found
    dictSet(self, key, otherwise, run)
    return otherwise
  }),
  ropeMethod<DictDatum>('pop', 'key default?', (self, [key = null, otherwise], run) => {
    const found = dictDelete(self, key, run)
    if (found !== undefined) return found
    if (otherwise === undefined) throw keyError(key)
    return otherwise
  }),
  method<DictDatum>('popitem', '', (self, _, run) => {
    const key = dictKeys(self).at(-1)
    if (key === undefined) throw new PythonError('KeyError', "'popitem(): dictionary is empty'")
    return tuple([key, dictDelete(self, key, run) ?? null])
  }),
  method<DictDatum>('clear', '', (self, _, run) => {
    for (const key of dictKeys(self)) dictDelete(self, key, run)
    return null
  }),
  ropeMethod<DictDatum>('update', 'other? **kwargs', (self, [other], run, { kwargs }) => {
    run.changes(self)
    if (other !== undefined) updateDict(self, other, run)
    for (const [key, value] of kwargs) dictSet(self, key, value, run)
    return null
  }),
  method<DictDatum>('fromkeys', 'iterable value?', (_, [keys = null, value = null], run) =>
    newDict(collect(keys, run).map((key) => [key, value] as const)),
  ),
])

/** The methods and attributes of numbers; attributes are called at once. */
export const NUMBER_METHODS: ReadonlyMap<string, Method<Datum>> = new Map([
  method<Datum>('bit_length', '', (self) => magnitude(self).toString(2).replace(/^0$/, '').length),
  method<Datum>('bit_count', '', (self) => magnitude(self).toString(2).replaceAll('0', '').length),
  method<Datum>('conjugate', '', (self) => self),
])

/** What Python's float can do, as far as templates use it. */
export const FLOAT_METHODS: ReadonlyMap<string, Method<Datum>> = new Map([
  method<Datum>('is_integer', '', (self) => Number.isInteger(Number(numberOf(self) ?? Number.NaN))),
  method<Datum>('conjugate', '', (self) => self),
])

/** `real`, `imag`, `numerator`, `denominator`. */
export function numberAttribute(self: Datum, name: string): Datum | undefined {
  const zero = isFloat(self) ? float(0) : 0
  if (name === 'real') return typeof self === 'boolean' ? Number(self) : self
  if (name === 'imag') return zero
  if (isFloat(self)) return undefined
  return name === 'numerator' ? self : name === 'denominator' ? 1 : undefined
}

function magnitude(self: Datum): bigint {
  const value = BigInt(numberOf(self) ?? 0)
  return value < 0n ? -value : value
}
