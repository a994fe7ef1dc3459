// Tests JSON with holes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Value } from '../value/index.ts'
import { HOLE_CLOSE, HOLE_OPEN, type Hole } from './hole.ts'
import { loadJsonDocument, printHoles } from './json-document.ts'

const token = (index: number) => `${HOLE_OPEN}${index}${HOLE_CLOSE}`
const hole = (value: Value, typed = false, text?: string): Hole => ({
  value,
  typed,
  ...(text === undefined ? {} : { text }),
})

describe('loadJsonDocument', () => {
  it.each<[string, Hole[], Value]>([
    ['#!json\n{"a": 1}', [], { a: 1 }],
    ['#!json', [], {}],
    ['  \n', [], {}],
    [`{"a": "x ${token(0)} y"}`, [hole('"}, {\n\\n')], { a: 'x "}, {\n\\n y' }],
    [`{"${token(0)}": 1}`, [hole('k"')], { 'k"': 1 }],
    [`{"a": ${token(0)}}`, [hole(5)], { a: 5 }],
    [`{"a": [${token(0)}, "${token(1)}"]}`, [hole('17'), hole('17')], { a: [17, '17'] }],
    [`{"a": ${token(0)}}`, [hole({ b: [1] }, true, '{"b": [1]}')], { a: { b: [1] } }],
    [`{"a": "${token(0)}"}`, [hole('x"', true, '"x\\""')], { a: '"x\\""' }],
    [`{"a": "\\"${token(0)}"}`, [hole('b')], { a: '"b' }],
    [`{"a": "\\\\", "b": ${token(0)}}`, [hole(1)], { a: '\\', b: 1 }],
  ])('%j', (text, holes, expected) => {
    expect(loadJsonDocument(text, holes)).toEqual(expected)
  })

  it.each<[string, Hole[]]>([
    [`{"a": ${token(0)}}`, [hole('1, "b": 2')]],
    [`{"a": ${token(0)}}`, [hole('{"b": 2}')]],
    [`{"a": ${token(0)}}`, [hole('')]],
    [`{"a": ${token(0)}}`, [hole(true)]],
    [`{${token(0)}: 1}`, [hole(5)]],
    ['{"a": }', []],
  ])('refuses %j', (text, holes) => {
    expect(() => loadJsonDocument(text, holes)).toThrow(expect.objectContaining({ code: 'json' }))
  })

  it('keeps the template’s shape whatever is printed inside strings', () => {
    fc.assert(
      fc.property(fc.string(), (data) => {
        expect(loadJsonDocument(`{"a": ["${token(0)}"], "b": "-${token(0)}-"}`, [hole(data)])).toEqual({
          a: [data],
          b: `-${data}-`,
        })
      }),
    )
  })
})

it('printHoles puts back what was printed', () => {
  expect(printHoles(`a ${token(0)}${token(1)}`, [hole('x'), hole({ b: 1 }, true, '{"b": 1}')])).toBe('a x{"b": 1}')
  expect(printHoles('a', [])).toBe('a')
})
