// Python's text, truth and equality of values, pinned by what CPython 3.11 prints.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PythonObject } from './python-object.ts'
import { dictGet, pythonEquals, pythonRepr, pythonStr, pythonTruth } from './python-text.ts'
import { Dict, Float, Tuple, type Value } from './value.ts'

const tuple = (...items: Value[]): Tuple => {
  const made = new Tuple()
  made.push(...items)
  return made
}

describe('pythonRepr', () => {
  it.each<[Value, string]>([
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
    [0, '0'],
    [-0, '0'],
    [1e20, '100000000000000000000'],
    [2n ** 80n, '1208925819614629174706176'],
    [new Float(1), '1.0'],
    [1.5, '1.5'],
    [new Float(1e16), '1e+16'],
    [1e-7, '1e-07'],
    [Number.NaN, 'nan'],
    [[1, 'a', [null]], "[1, 'a', [None]]"],
    [tuple(1), '(1,)'],
    [tuple(), '()'],
    [tuple(1, 'b'), "(1, 'b')"],
    [{ a: 1, "it's": [true] }, "{'a': 1, \"it's\": [True]}"],
    [new Dict([[1, { b: 'c' }]]), "{1: {'b': 'c'}}"],
    ['a"b\'c', "'a\"b\\'c'"],
    ['a"b', "'a\"b'"],
    ['\n\t\r\\', "'\\n\\t\\r\\\\'"],
    ['\u0001\u007f\u00a0é', "'\\x01\\x7f\\xa0é'"],
    ['\u2028\ue000\ufeff', "'\\u2028\\ue000\\ufeff'"],
    ['😀', "'😀'"],
    ['\u{e0001}', "'\\U000e0001'"],
    ['\ud800', "'\\ud800'"],
  ])('%# prints as Python', (value, text) => {
    expect(pythonRepr(value)).toBe(text)
  })

  it('ends for a list that holds itself', () => {
    const loop: Value[] = []
    loop.push(loop)
    expect(pythonRepr(loop)).toContain('[...]')
  })
})

describe('pythonStr', () => {
  it('prints a string as it is and the rest as repr', () => {
    expect(pythonStr("it's")).toBe("it's")
    expect(pythonStr(['x'])).toBe("['x']")
  })

  it('asks an object for its own text', () => {
    class Range extends PythonObject {
      repr(): string {
        return 'range(0, 3)'
      }
    }
    expect(pythonStr(new Range())).toBe('range(0, 3)')
  })
})

describe('pythonTruth', () => {
  it.each<[Value, boolean]>([
    [null, false],
    ['', false],
    ['0', true],
    [0, false],
    [new Float(0), false],
    [0n, false],
    [Number.NaN, true],
    [[], false],
    [[null], true],
    [{}, false],
    [{ a: null }, true],
    [new Dict(), false],
  ])('%# is as in Python', (value, truth) => {
    expect(pythonTruth(value)).toBe(truth)
  })
})

describe('pythonEquals', () => {
  it.each<[Value, Value, boolean]>([
    [1, true, true],
    [1, new Float(1), true],
    [2n ** 60n, 2 ** 60, true],
    [1, '1', false],
    [0, null, false],
    [Number.NaN, Number.NaN, false],
    [[1], tuple(1), false],
    [tuple(1), tuple(true), true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, new Dict([['a', 1]]), true],
    [new Dict([[1, 'x']]), new Dict([[true, 'x']]), true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, [], false],
  ])('%# is as in Python', (a, b, equal) => {
    expect(pythonEquals(a, b)).toBe(equal)
    expect(pythonEquals(b, a)).toBe(equal)
  })

  it('holds between any JSON value and its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(pythonEquals(value as Value, structuredClone(value) as Value)).toBe(true)
      }),
    )
  })
})

describe('dictGet', () => {
  it('finds equal keys as Python does', () => {
    const dict = new Dict([
      [1, 'one'],
      [tuple('a', 1), 'pair'],
    ])
    expect(dictGet(dict, true)).toBe('one')
    expect(dictGet(dict, new Float(1))).toBe('one')
    expect(dictGet(dict, tuple('a', new Float(1)))).toBe('pair')
    expect(dictGet(dict, '1')).toBeUndefined()
  })
})
