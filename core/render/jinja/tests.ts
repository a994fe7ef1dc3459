// Every test of `is` by name: Jinja's and Salt's.
import { isFloat, isInteger, numberOf } from '../../value/index.ts'
import { type Ordering, order } from './compare.ts'
import {
  type Datum,
  equal,
  isDict,
  type Kwargs,
  str,
  TemplateObject,
  TextObject,
  textOf,
  truth,
  typeName,
} from './datum.ts'
import { contains, isIterable, lengthOf } from './iterate.ts'
import { binary } from './operators.ts'
import { typeError } from './python-error.ts'
import { CHARACTER_TESTS } from './python-string.ts'
import { regexOf } from './regex.ts'
import type { Run } from './run.ts'
import { bind, parseSignature } from './signature.ts'
import { Undefined } from './undefined.ts'

/** A test as expressions apply it. */
export interface Test {
  readonly apply: (input: Datum, args: readonly Datum[], kwargs: Kwargs, run: Run) => Datum
}

type Body = (input: Datum, args: readonly (Datum | undefined)[], run: Run) => Datum

function test(name: string, spec: string, body: Body): readonly [string, Test] {
  const signature = parseSignature(`test_${name}`, spec)
  return [name, { apply: (input, args, kwargs, run) => body(input, bind(signature, args, kwargs, 1).values, run) }]
}

function ordering(name: string, operator: Ordering): readonly [string, Test] {
  return test(name, 'other', (input, [other = null]) => order(input, other, operator))
}

function same(a: Datum, b: Datum): boolean {
  if (typeof a === 'object' && a !== null) return a === b || (textOf(a) !== undefined && textOf(a) === textOf(b))
  return a === b
}

function isCase(name: string): Body {
  const matches = CHARACTER_TESTS[name]
  return (input) => matches?.(str(input)) ?? false
}

function isSequence(input: Datum): boolean {
  if (input instanceof Undefined) return !input.strict
  if (input instanceof TemplateObject && textOf(input) === undefined) return input.isSequence
  return lengthOf(input) !== undefined
}

/** The tests a template may use. */
export const TESTS: ReadonlyMap<string, Test> = new Map([
  test('odd', '', (input, _, run) => equal(binary('%', input, 2, run), 1)),
  test('even', '', (input, _, run) => equal(binary('%', input, 2, run), 0)),
  test('divisibleby', 'num', (input, [by = null], run) => equal(binary('%', input, by, run), 0)),
  test('defined', '', (input) => !(input instanceof Undefined)),
  test('undefined', '', (input) => input instanceof Undefined),
  test('filter', '', (input, _, run) => run.builtins.filters.has(textOf(input) ?? '')),
  test('test', '', (input, _, run) => run.builtins.tests.has(textOf(input) ?? '')),
  test('none', '', (input) => input === null),
  test('boolean', '', (input) => typeof input === 'boolean'),
  test('false', '', (input) => input === false),
  test('true', '', (input) => input === true),
  test('integer', '', (input) => isInteger(input)),
  test('float', '', (input) => isFloat(input)),
  test('lower', '', isCase('islower')),
  test('upper', '', isCase('isupper')),
  test('string', '', (input) => textOf(input) !== undefined),
  test('mapping', '', (input) => isDict(input)),
  test('number', '', (input) => numberOf(input) !== undefined),
  test('sequence', '', isSequence),
  test('iterable', '', (input) => isIterable(input)),
  test('callable', '', (input) => input instanceof TemplateObject && (input.callable || input instanceof Undefined)),
  test('sameas', 'other', (input, [other = null]) => same(input, other)),
  test('escaped', '', (input) => input instanceof TextObject && input.markup),
  test('in', 'seq', (input, [container = null], run) => contains(container, input, run)),
  test('list', '', (input) => typeName(input) === 'list'),
  test('match', 'rgx ignorecase? multiline?', (input, [pattern = '', ignoreCase = false, multiLine = false], run) => {
    const text = textOf(input)
    if (text === undefined) {
      throw typeError(`expected string or bytes-like object, got '${typeName(input)}'`)
    }
    return regexOf(pattern, truth(ignoreCase), truth(multiLine), run).exec(text, 'match', run) !== undefined
  }),
  ...['==', 'eq', 'equalto'].map((name) => test(name, 'other', (input, [other = null]) => equal(input, other))),
  ...['!=', 'ne'].map((name) => test(name, 'other', (input, [other = null]) => !equal(input, other))),
  ...['>', 'gt', 'greaterthan'].map((name) => ordering(name, '>')),
  ...['>=', 'ge'].map((name) => ordering(name, '>=')),
  ...['<', 'lt', 'lessthan'].map((name) => ordering(name, '<')),
  ...['<=', 'le'].map((name) => ordering(name, '<=')),
])
