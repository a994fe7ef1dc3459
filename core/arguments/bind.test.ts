// Binding against CPython's own answers.
import { describe, expect, it } from 'vitest'
import type { Mapping, Value } from '../value/index.ts'
import { bindArguments } from './bind.ts'
import type { Parameter, Signature } from './signature.ts'

type Row = readonly [signature: string, args: Value[], kwargs: Mapping, outcome: string | Mapping]

/** What CPython 3.11 does with `def f(signature)` called with these arguments. */
const ROWS: readonly Row[] = [
  ['text', [], {}, "f() missing 1 required positional argument: 'text'"],
  ['text', ['a', 'b'], {}, 'f() takes 1 positional argument but 2 were given'],
  ['text', ['a'], { text: 'b' }, "f() got multiple values for argument 'text'"],
  ['text', ['a'], { x: 'b' }, "f() got an unexpected keyword argument 'x'"],
  ['a, b', [], {}, "f() missing 2 required positional arguments: 'a' and 'b'"],
  ['a, b, c', [], {}, "f() missing 3 required positional arguments: 'a', 'b', and 'c'"],
  ['a, b, c, d', [1], {}, "f() missing 3 required positional arguments: 'b', 'c', and 'd'"],
  ['a, b=1', [1, 2, 3], {}, 'f() takes from 1 to 2 positional arguments but 3 were given'],
  ['b=1', [1, 2, 3], {}, 'f() takes from 0 to 1 positional arguments but 3 were given'],
  ['', [1], {}, 'f() takes 0 positional arguments but 1 was given'],
  ['', [1, 2], {}, 'f() takes 0 positional arguments but 2 were given'],
  ['**rest', [1, 2], { a: 1 }, 'f() takes 0 positional arguments but 2 were given'],
  ['*args, **rest', [1, 2], { a: 1 }, { named: {}, positional: [1, 2], rest: { a: 1 } }],
  ['a, *args', [], {}, "f() missing 1 required positional argument: 'a'"],
  ['a, *args', [1, 2, 3], {}, { named: { a: 1 }, positional: [2, 3], rest: {} }],
  ['a, *, k', [1], {}, "f() missing 1 required keyword-only argument: 'k'"],
  ['a, *, k, l', [1], {}, "f() missing 2 required keyword-only arguments: 'k' and 'l'"],
  [
    'a, *, k',
    [1, 2],
    { k: 3 },
    'f() takes 1 positional argument but 2 positional arguments (and 1 keyword-only argument) were given',
  ],
  [
    'a, *, k, l',
    [1, 2],
    { k: 3, l: 4 },
    'f() takes 1 positional argument but 2 positional arguments (and 2 keyword-only arguments) were given',
  ],
  ['a, b=None, *, k=5', [1], {}, { named: { a: 1, b: null, k: 5 }, positional: [], rest: {} }],
  ['a, *, k=5', [], { k: 1 }, "f() missing 1 required positional argument: 'a'"],
  [
    '*, k=5',
    [1],
    { k: 1 },
    'f() takes 0 positional arguments but 1 positional argument (and 1 keyword-only argument) were given',
  ],
  ['a, b', [1, 2, 3], { zz: 3 }, "f() got an unexpected keyword argument 'zz'"],
  ['a, b', [1], { a: 3 }, "f() got multiple values for argument 'a'"],
  ['a, b=2', [], { b: 3 }, "f() missing 1 required positional argument: 'a'"],
  ['a=2, b=2, **rest', [9], { b: null, z: [1] }, { named: { a: 9, b: null }, positional: [], rest: { z: [1] } }],
]

/** Reads `a, b=1, *, k=5, **rest`. */
function signatureOf(text: string): Signature {
  const params: Parameter[] = []
  let varArgs = false
  let varKwargs = false
  let keywordOnly = false
  for (const part of text.split(', ').filter((word) => word !== '')) {
    if (part.startsWith('**')) varKwargs = true
    else if (part.startsWith('*')) {
      varArgs = part !== '*'
      keywordOnly = true
    } else {
      const [name = '', value] = part.split('=')
      const fallback = value === undefined ? {} : { default: value === 'None' ? null : Number(value) }
      params.push({ name, ...fallback, ...(keywordOnly ? { keywordOnly } : {}) })
    }
  }
  return { params, varArgs, varKwargs }
}

describe('bindArguments', () => {
  it.each(ROWS)('f(%s) called with %j %j', (signature, args, kwargs, outcome) => {
    const { kind, ...bound } = bindArguments(signatureOf(signature), args, kwargs, 'f')
    expect(kind).toBe(typeof outcome === 'string' ? 'misfit' : 'bound')
    expect(bound).toEqual(typeof outcome === 'string' ? { message: outcome } : outcome)
  })
})
