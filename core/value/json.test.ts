// JSON as Python reads and prints it, with nothing lost on the way.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../error.ts'
import { floatText } from './float-text.ts'
import { parseJson, parseJsonBytes, stringifyJson } from './json.ts'
import { parseJsonExactly } from './json-reader.ts'
import { Dict, Float, Tuple, type Value } from './value.ts'

const errorOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return messageOf(error)
  }
  return 'no error'
}

describe('parseJson', () => {
  it.each<[string, Value]>([
    ['{"a": 1, "b": [true, null, "x"]}', { a: 1, b: [true, null, 'x'] }],
    ['1.0', new Float(1)],
    ['1e3', new Float(1000)],
    ['1.5', 1.5],
    ['-0', 0],
    ['-0.0', new Float(-0)],
    ['12345678901234567890', 12345678901234567890n],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    [
      '{"10": 1, "9": 2}',
      new Dict([
        ['10', 1],
        ['9', 2],
      ]),
    ],
    ['{"\\u0031": 1}', new Dict([['1', 1]])],
    ['{"__proto__": 1}', new Dict([['__proto__', 1]])],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['{"5 x": "1.5", "_stamp": "2026-11-21T05:25:55.620700"}', { '5 x': '1.5', _stamp: '2026-11-21T05:25:55.620700' }],
    [' [ ] ', []],
    ['{"n": NaN}', { n: Number.NaN }],
    ['"\\ud83d\\ude00\\/"', '😀/'],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  it('keeps the order of integer-like keys', () => {
    expect([...(parseJson('{"b": 0, "10": 1, "9": 2}') as Dict).keys()]).toEqual(['b', '10', '9'])
  })

  it.each([
    ['', 'Expecting value: line 1 column 1 (char 0)'],
    ['{"a": }', 'Expecting value: line 1 column 7 (char 6)'],
    ['{a: 1}', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
    ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['[1\n2]', "Expecting ',' delimiter: line 2 column 1 (char 3)"],
    ['[1] x', 'Extra data: line 1 column 5 (char 4)'],
    ['"a', 'Unterminated string starting at: line 1 column 1 (char 0)'],
    ['"\\q"', 'Invalid \\escape: line 1 column 2 (char 1)'],
    ['"\n"', 'Invalid control character at: line 1 column 2 (char 1)'],
  ])('refuses %j as Python does', (text, message) => {
    expect(errorOf(() => parseJson(text))).toBe(message)
  })

  it('refuses deep nesting on either path', () => {
    expect(errorOf(() => parseJson('['.repeat(5000) + ']'.repeat(5000)))).toContain('Nested deeper')
    expect(errorOf(() => parseJson(`${'['.repeat(5000)}1.0${']'.repeat(5000)}`))).toContain('Nested deeper')
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(parseJsonBytes(new TextEncoder().encode('"é"'))).toBe('é')
    expect(errorOf(() => parseJsonBytes(new Uint8Array([0x22, 0xff, 0x22])))).toContain('not UTF-8')
  })

  it('reads the same quickly and exactly', () => {
    const text = fc.constantFrom('a', '1', '10', '_', '__proto__', '1.5', ', 2.0]', '\u00e9', '"', '\\', '{', ': 1e3')
    const leaf = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }), text, fc.constant(null))
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(text, tie('tree'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 1), (value, indent) => {
        const written = JSON.stringify(value, undefined, indent)
        expect(stringifyJson(parseJson(written))).toBe(stringifyJson(parseJsonExactly(written, 500)))
      }),
    )
  })

  it('reads what JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const back = parseJson(JSON.stringify(value))
        expect(JSON.parse(stringifyJson(back))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('stringifyJson', () => {
  it.each<[Value, string]>([
    [{ a: 1, b: [true, null] }, '{"a": 1, "b": [true, null]}'],
    [new Float(1), '1.0'],
    [new Float(1e16), '1e+16'],
    [1e-5, '1e-05'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [2n ** 70n, '1180591620717411303424'],
    [Tuple.from<Value>([1, 'a']), '[1, "a"]'],
    [
      new Dict([
        [1, 'a'],
        [true, 'b'],
        [null, 'c'],
        [new Float(2), 'd'],
      ]),
      '{"1": "a", "true": "b", "null": "c", "2.0": "d"}',
    ],
    ['é😀\u007f\u0001"\\', '"\\u00e9\\ud83d\\ude00\\u007f\\u0001\\"\\\\"'],
    [[], '[]'],
    [{}, '{}'],
  ])('%# prints as Python', (value, text) => {
    expect(stringifyJson(value)).toBe(text)
  })

  it('takes indent, order, separators and plain characters', () => {
    expect(stringifyJson({ b: [1, []], a: {} }, { indent: 4, sortKeys: true })).toBe(
      '{\n    "a": {},\n    "b": [\n        1,\n        []\n    ]\n}',
    )
    expect(stringifyJson({ a: [1, 2] }, { separators: [',', ':'] })).toBe('{"a":[1,2]}')
    expect(stringifyJson('é\u007f\u0001', { ascii: false })).toBe('"é\u007f\\u0001"')
    expect(stringifyJson({ '😀': 1, '\uffee': 2 }, { sortKeys: true, ascii: false })).toBe('{"\uffee": 2, "😀": 1}')
  })

  it('refuses what JSON cannot hold', () => {
    const loop: Value[] = []
    loop.push(loop)
    expect(errorOf(() => stringifyJson(loop))).toContain('Circular reference')
    expect(errorOf(() => stringifyJson(new Dict([[Tuple.from([1]), 1]])))).toContain('not tuple')
    expect(
      errorOf(() =>
        stringifyJson(
          new Dict([
            [1, 1],
            ['a', 1],
          ]),
          { sortKeys: true },
        ),
      ),
    ).toContain('sorted')
  })
})

describe('floatText', () => {
  it.each([
    [0, '0.0'],
    [-0, '-0.0'],
    [0.1, '0.1'],
    [0.0001, '0.0001'],
    [0.00001234, '1.234e-05'],
    [1e15, '1000000000000000.0'],
    [1.5e300, '1.5e+300'],
    [123456789.125, '123456789.125'],
  ])('%d', (value, text) => {
    expect(floatText(value)).toBe(text)
  })
})
