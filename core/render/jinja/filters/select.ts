// Jinja's filters that apply other filters and tests: map, select, reject and their attr forms.
import type { Activation } from '../activation.ts'
import { type Datum, type Kwargs, plain, repr, textOf, truth } from '../datum.ts'
import { generate, iterate } from '../iterate.ts'
import { nearest } from '../nearest.ts'
import { PythonError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { defined } from '../undefined.ts'
import { attributeGetter } from './attribute.ts'
import type { NamedFilter } from './define.ts'

function argumentError(message: string): PythonError {
  return new PythonError('TemplateRuntimeError', message)
}

function unknown(kind: 'filter' | 'test', name: Datum, known: Iterable<string>): PythonError {
  const near = nearest(textOf(name) ?? '', known)
  return new PythonError(
    'TemplateRuntimeError',
    `No ${kind} named ${repr(name)}.`,
    near && `The nearest ${kind} is '${near}'.`,
  )
}

type Change = (item: Datum) => Datum

function prepareMap(args: readonly Datum[], kwargs: Kwargs, run: Run, activation: Activation | undefined): Change {
  const attribute = kwargs.get('attribute')
  if (args.length === 0 && attribute !== undefined) {
    for (const name of kwargs.keys()) {
      if (name !== 'attribute' && name !== 'default') throw argumentError(`Unexpected keyword argument ${repr(name)}`)
    }
    return attributeGetter(attribute, run, kwargs.get('default') ?? null)
  }
  const [name, ...rest] = args
  if (name === undefined) throw argumentError('map requires a filter argument')
  const { filters } = run.builtins
  const filter = filters.get(textOf(name) ?? '')
  if (filter === undefined) throw unknown('filter', defined(name), filters.keys())
  return (item) => filter.apply(item, rest, kwargs, run, activation)
}

function prepareTest(args: readonly Datum[], kwargs: Kwargs, run: Run, onAttribute: boolean): (item: Datum) => boolean {
  const [attribute] = args
  if (onAttribute && attribute === undefined) throw argumentError('Missing parameter for attribute name')
  const get = onAttribute ? attributeGetter(attribute ?? null, run) : (item: Datum): Datum => item
  const [name, ...rest] = onAttribute ? args.slice(1) : args
  if (name === undefined) return (item) => truth(get(item))
  const { tests } = run.builtins
  const test = tests.get(textOf(name) ?? '')
  if (test === undefined) throw unknown('test', defined(name), tests.keys())
  const values = rest.map(plain)
  return (item) => truth(test.apply(plain(get(item)), values, kwargs, run))
}

function selecting(name: string, wanted: boolean, onAttribute: boolean): NamedFilter {
  return [
    name,
    {
      plain: false,
      apply: (input, args, kwargs, run) => {
        function* selected(): globalThis.Generator<Datum, void> {
          if (!truth(input)) return
          const test = prepareTest(args, kwargs, run, onAttribute)
          const source = iterate(input, run)
          for (let item = source.next(); item !== undefined; item = source.next()) {
            if (test(item) === wanted) yield item
          }
        }
        return generate(selected(), 'select_or_reject')
      },
    },
  ]
}

const map: NamedFilter = [
  'map',
  {
    plain: false,
    apply: (input, args, kwargs, run, activation) => {
      function* mapped(): globalThis.Generator<Datum, void> {
        if (!truth(input)) return
        const change = prepareMap(args, kwargs, run, activation)
        const source = iterate(input, run)
        for (let item = source.next(); item !== undefined; item = source.next()) yield change(item)
      }
      return generate(mapped(), 'sync_do_map')
    },
  },
]

/** The filters, by Jinja's names. */
export const SELECT_FILTERS: readonly NamedFilter[] = [
  map,
  selecting('select', true, false),
  selecting('reject', false, false),
  selecting('selectattr', true, true),
  selecting('rejectattr', false, true),
]
