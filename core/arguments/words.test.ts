// Words read as values: what real Salt made of them (read-by-salt.jsonl), and what must hold for any word.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isFloat, isInteger, type Mapping, parseJson, stringifyJson, type Value } from '../value/index.ts'
import { parseInput, splitInput } from './parse-input.ts'
import { invalidKeywords, splitKwargs } from './split-kwargs.ts'
import { yamlifyArg } from './yamlify.ts'

const rows = readFileSync(new URL('./read-by-salt.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => parseJson(line) as Mapping)

function typeOf(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (isInteger(value)) return 'int'
  if (isFloat(value)) return 'float'
  if (typeof value === 'string') return 'str'
  return Array.isArray(value) ? 'list' : 'dict'
}

const SPECIAL = new Map<string, number>([
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['nan', Number.NaN],
])

function expected(value: Value): Value {
  const special = value !== null && typeof value === 'object' && '__float__' in value ? value.__float__ : undefined
  return typeof special === 'string' ? (SPECIAL.get(special) ?? value) : value
}

describe('yamlifyArg', () => {
  it('reads words as Salt does', () => {
    const words = rows.filter((row) => 'arg' in row)
    expect(words.length).toBeGreaterThan(300)
    for (const { arg = null, type = null, value = null } of words) {
      const read = yamlifyArg(arg)
      expect([arg, typeOf(read), stringifyJson(read)]).toEqual([arg, type, stringifyJson(expected(value))])
    }
  })

  it('leaves values that are no text alone', () => {
    for (const value of [1, null, true, ['1'], { a: '1' }]) expect(yamlifyArg(value)).toBe(value)
  })

  it('reads any text in single quotes as that text', () => {
    const line = fc.stringMatching(/^[ -~]{0,20}$/)
    fc.assert(
      fc.property(line, (text) => {
        fc.pre(!text.includes('#') && !/ $|^ | {2}/.test(text))
        expect(yamlifyArg(`'${text.replaceAll("'", "''")}'`)).toBe(text)
      }),
    )
  })
})

describe('parseInput', () => {
  it('separates keywords as Salt does', () => {
    const lists = rows.filter((row) => 'args' in row)
    expect(lists.length).toBeGreaterThan(50)
    for (const { args = [], result = null } of lists) {
      expect(stringifyJson(parseInput(args as Value[]))).toBe(stringifyJson(result))
    }
  })

  it('keeps the values of --no-parse as text', () => {
    expect(parseInput(['a=1', 'b=1', '1'], { noParse: ['a'] })).toEqual([1, { __kwarg__: true, a: '1', b: 1 }])
  })

  it('turns a number that is a job id into text, unless asked not to', () => {
    const jid = 20260101120000123456n
    expect(parseInput([jid, 'x=20260101120000123456'])).toEqual([String(jid), { __kwarg__: true, x: jid }])
    expect(parseInput([jid], { condition: false })).toEqual([jid])
  })

  it('merges maps that are marked and takes the mark off those that are not true', () => {
    expect(parseInput([{ __kwarg__: true, a: 1 }, 'a=2', { b: 3 }, { __kwarg__: 1, c: 4 }])).toEqual([
      { b: 3 },
      { c: 4 },
      { __kwarg__: true, a: 2 },
    ])
  })
})

describe('splitKwargs', () => {
  it('takes a job apart again: marked maps, and texts that look like keywords', () => {
    const args = [1, 'a=[1]', { __kwarg__: true, b: 2 }, { c: 3 }, 'x', { __kwarg__: true, b: 5 }]
    expect(splitKwargs(args)).toEqual({ arg: [1, { c: 3 }, 'x'], kwarg: { a: [1], b: 5 } })
  })

  it('undoes parseInput for any words', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer()),
        fc.dictionary(fc.stringMatching(/^[a-z]\w*$/), fc.integer()),
        (arg, named) => {
          const words = [...arg, ...Object.entries(named).map(([key, value]) => `${key}=${value}`)]
          expect(splitKwargs(parseInput(words))).toEqual({ arg, kwarg: { ...named } })
          expect(splitInput(words)).toEqual({ arg, kwarg: { ...named } })
        },
      ),
    )
  })

  it("names the keywords a function does not know in Salt's words", () => {
    const signature = { params: [{ name: 'text' }] }
    expect(invalidKeywords(signature, { text: 'x', a: [1, 'b'], c: null })).toBe(
      "The following keyword arguments are not valid: a=[1, 'b'], c=None",
    )
    expect(invalidKeywords({ ...signature, varKwargs: true }, { a: 1 })).toBeUndefined()
    expect(invalidKeywords(signature, { text: 'x' })).toBeUndefined()
  })
})
