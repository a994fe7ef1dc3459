// Jinja's filters on lists, maps and other iterables.
import { Tuple } from '../../../value/index.ts'
import { checkItems } from '../budget.ts'
import { characters } from '../code-points.ts'
import { sortBy } from '../compare.ts'
import { type Datum, equal, isDict, type Source, TemplateObject, textOf, truth, tuple, typeName } from '../datum.ts'
import { dictPairs, dictValues } from '../dict.ts'
import { DictView } from '../dict-view.ts'
import { GroupTuple } from '../group-tuple.ts'
import { collect, collectCopy, Generator, generate, isIterable, iterate, length } from '../iterate.ts'
import { attributeOnly } from '../lookup.ts'
import { asIndex } from '../numbers.ts'
import { binary } from '../operators.ts'
import { PythonError, typeError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { defined, Undefined } from '../undefined.ts'
import { attributeGetter, attributesGetter, ignoreCase } from './attribute.ts'
import { filter, type NamedFilter, ropeFilter } from './define.ts'

type Args = readonly (Datum | undefined)[]

function argumentError(message: string): PythonError {
  return new PythonError('TemplateRuntimeError', message)
}

function integer(datum: Datum): number {
  const index = asIndex(datum)
  if (index === undefined) throw typeError(`'${typeName(datum)}' object cannot be interpreted as an integer`)
  return index
}

function dictsort(input: Datum, [caseSensitive = false, by = 'key', reverse = false]: Args, run: Run): Datum {
  const position = textOf(by) === 'key' ? 0 : textOf(by) === 'value' ? 1 : undefined
  if (position === undefined) throw argumentError('You can only sort by either "key" or "value"')
  defined(input)
  if (!isDict(input)) throw new PythonError('AttributeError', `'${typeName(input)}' object has no attribute 'items'`)
  const pairs = dictPairs(input).map(tuple)
  run.charge(pairs.length)
  const key = (item: Datum): Datum => {
    const value = Array.isArray(item) ? (item[position] ?? null) : null
    return truth(caseSensitive) ? value : ignoreCase(value)
  }
  return sortBy(pairs, key, truth(reverse))
}

function sort(input: Datum, [reverse = false, caseSensitive = false, attribute = null]: Args, run: Run): Datum {
  const items = collectCopy(input, run)
  const change = truth(caseSensitive) ? (value: Datum): Datum => value : ignoreCase
  return sortBy(items, attributesGetter(attribute, run, change), truth(reverse))
}

function groupby(input: Datum, [attribute = null, otherwise = null, caseSensitive = false]: Args, run: Run): Datum {
  const get = attributeGetter(attribute, run, otherwise)
  const key = truth(caseSensitive) ? get : (item: Datum): Datum => ignoreCase(get(item))
  const groups: Datum[] = []
  let last: Datum | undefined
  let members: Datum[] = []
  for (const item of sortBy(collectCopy(input, run), key, false)) {
    const value = key(item)
    if (last === undefined || !equal(last, value)) {
      members = []
      groups.push(GroupTuple.pair(truth(caseSensitive) ? value : get(item), members))
      last = value
    }
    members.push(item)
  }
  return groups
}

function batch(input: Datum, [size = 1, fill = null]: Args, run: Run): Datum {
  function* batches(): Lists {
    const count = asIndex(size)
    const source = iterate(input, run)
    let row: Datum[] = []
    for (let item = source.next(); item !== undefined; item = source.next()) {
      if (row.length === count) {
        yield row
        row = []
      }
      row.push(item)
    }
    if (row.length === 0) return
    if (fill !== null) {
      const most = integer(size)
      checkItems(most)
      while (row.length < most) row.push(fill)
    }
    yield row
  }
  return generate(batches(), 'do_batch')
}

type Lists = globalThis.Generator<Datum, void>

function slice(input: Datum, [size = 1, fill = null]: Args, run: Run): Datum {
  function* slices(): Lists {
    const items = collect(input, run)
    const count = integer(size)
    if (count === 0) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero')
    checkItems(count)
    const each = Math.floor(items.length / count)
    const extra = ((items.length % count) + count) % count
    let offset = 0
    for (let index = 0; index < count; index++) {
      const start = offset + index * each
      if (index < extra) offset++
      const part = items.slice(start, offset + (index + 1) * each)
      if (fill !== null && index >= extra) part.push(fill)
      yield part
    }
  }
  return generate(slices(), 'sync_do_slice')
}

function reverse(input: Datum, run: Run): Datum {
  const text = textOf(input)
  if (text !== undefined) return characters(text).reverse().join('')
  defined(input)
  if (Array.isArray(input) || isDict(input) || input instanceof DictView) {
    const items = collectCopy(input, run).reverse()
    const name = Array.isArray(input)
      ? input instanceof Tuple
        ? 'reversed'
        : 'list_reverseiterator'
      : 'dict_reversekeyiterator'
    return new Generator(sourceOf(items), name)
  }
  if (!isIterable(input)) throw argumentError('argument must be iterable')
  return collectCopy(input, run).reverse()
}

function sourceOf(items: readonly Datum[]): Source {
  let at = 0
  return { next: () => items[at++] }
}

const LAST = 'No last item, sequence was empty.'

function orUndefined(item: Datum | undefined, hint: string, run: Run): Datum {
  return item === undefined ? run.undefined({ hint }) : item
}

/** Items of anything `reversed()` takes. */
function last(input: Datum, run: Run): Datum {
  defined(input)
  const text = textOf(input)
  if (text === undefined && !Array.isArray(input) && !isDict(input) && !(input instanceof DictView)) {
    if (input instanceof TemplateObject && input.isSequence) return orUndefined(input.item(-1, run), LAST, run)
    throw typeError(`'${typeName(input)}' object is not reversible`)
  }
  const items = collect(input, run)
  return orUndefined(items.at(-1), LAST, run)
}

/** The filters, by Jinja's names. */
export const SEQUENCE_FILTERS: readonly NamedFilter[] = [
  filter('length', '', (input) => length(input)),
  filter('count', '', (input) => length(input)),
  ropeFilter('list', '', (input, _, run) => collectCopy(input, run)),
  ropeFilter('first', '', (input, _, run) => {
    return orUndefined(iterate(input, run).next(), 'No first item, sequence was empty.', run)
  }),
  ropeFilter('last', '', (input, _, run) => last(input, run)),
  ropeFilter('default', 'default_value? boolean?', (input, [otherwise = '', boolean = false]) =>
    input instanceof Undefined || (truth(boolean) && !truth(input)) ? otherwise : input,
  ),
  ropeFilter('d', 'default_value? boolean?', (input, [otherwise = '', boolean = false]) =>
    input instanceof Undefined || (truth(boolean) && !truth(input)) ? otherwise : input,
  ),
  ropeFilter('dictsort', 'case_sensitive? by? reverse?', dictsort),
  ropeFilter('sort', 'reverse? case_sensitive? attribute?', sort),
  ropeFilter('groupby', 'attribute default? case_sensitive?', groupby),
  ropeFilter('batch', 'linecount fill_with?', batch),
  ropeFilter('slice', 'slices fill_with?', slice),
  ropeFilter('reverse', '', (input, _, run) => reverse(input, run)),
  filter('attr', 'name', (input, [name = ''], run) => attributeOnly(input, textOf(name) ?? '', run)),
  ropeFilter('items', '', (input, _, run) => {
    if (input instanceof Undefined) return generate([][Symbol.iterator](), 'do_items')
    if (!isDict(input)) {
      const fail = (): never => {
        throw typeError('Can only get item pairs from a mapping.')
      }
      return new Generator({ next: fail }, 'generator', 'generator object do_items')
    }
    run.charge(1)
    return generate(dictPairs(input).map(tuple)[Symbol.iterator](), 'do_items')
  }),
  ropeFilter('sum', 'attribute? start?', (input, [attribute = null, start = 0], run) => {
    const get = attribute === null ? undefined : attributeGetter(attribute, run)
    const items = collect(input, run)
    if (textOf(start) !== undefined) throw typeError("sum() can't sum strings [use ''.join(seq) instead]")
    let total: Datum = start
    for (const item of items) total = binary('+', total, get === undefined ? item : get(item), run)
    return total
  }),
  ropeFilter('random', '', (input, _, run) => {
    const items = isDict(input) ? dictValues(input) : collect(input, run)
    if (items.length === 0) return run.undefined({ hint: 'No random item, sequence was empty.' })
    return items[Math.floor(run.random('random') * items.length)] ?? null
  }),
]
