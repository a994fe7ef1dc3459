// Every value comes back from a record's text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeRecord, encodeRecord } from './record-text.ts'
import { Dict, entries, Float, isMap, type Mapping, type Value } from './value.ts'

const leaf = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.boolean(),
  fc.constant(null),
  fc.integer().map((value): Value => value),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
  fc.integer().map((value): Value => new Float(value)),
  fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<Value>('\ud800', 'ü→😀', '2.0', ''),
)
const name = fc.string().filter((key) => !/^\d/.test(key) && key !== '__proto__')
const { value: anyValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value')),
    fc.dictionary(name, tie('value')).map((map): Value => ({ ...map })),
    fc
      .array(fc.tuple(fc.oneof(fc.integer(), fc.string()), tie('value')))
      .map((pairs): Value => new Dict(pairs.length === 0 ? [['1', null]] : pairs)),
  ),
}))

describe('record text', () => {
  it('brings every value back as it was', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const record: Mapping = { value }
        expect(pairs(decodeRecord<Mapping>(encodeRecord(record)))).toEqual(pairs(record))
      }),
    )
  })

  it.each<[string, Value, string]>([
    ['what JSON keeps', { a: [1, 'b', 1.5, null] }, 'j{"value":{"a":[1,"b",1.5,null]}}'],
    ['a float', new Float(2), 'x{"value":2.0}'],
    ['a big integer', 2n ** 60n, 'x{"value":1152921504606846976}'],
    ['keys that are numbers', new Dict([[1, 'a']]), 'd{"value":{"\\u0001dict":[[1,"a"]]}}'],
    ['keys that look like numbers', new Dict([['7', 'a']]), 'x{"value":{"7":"a"}}'],
  ])('writes %s', (_name, value, text) => {
    expect(encodeRecord({ value })).toBe(text)
    expect(decodeRecord(text)).toEqual({ value })
  })

  it('refuses a cycle', () => {
    const value: Value[] = []
    value.push(value)
    expect(() => encodeRecord({ value })).toThrow(/Circular reference/)
  })
})

/** Maps as pairs: a Dict whose keys a plain object holds as well may come back as one; the two are one map. */
function pairs(value: Value): unknown {
  if (Array.isArray(value)) return value.map(pairs)
  return isMap(value) ? { map: entries(value).map(([key, item]) => [key, pairs(item)]) } : value
}
