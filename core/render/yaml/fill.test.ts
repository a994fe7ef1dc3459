// Holes: what a printed value becomes in each place, and that it never becomes structure.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dict, Float, Tuple, type Value } from '../../value/index.ts'
import type { Hole } from '../hole.ts'
import { DocumentCache, loadYaml, loadYamlWithHoles, parseDocument } from './document.ts'
import { fillDocument } from './fill.ts'
import { YamlError } from './yaml-error.ts'

/** `<0>` in a template of these tests stands for the token of hole 0. */
function withTokens(template: string): string {
  return template.replace(/<(\d)>/g, '\uE000$1\uE001')
}

function fill(template: string, ...values: Value[]): Value {
  return loadYamlWithHoles(
    withTokens(template),
    values.map((value): Hole => ({ value, typed: false })),
  )
}

function failure(run: () => unknown): YamlError {
  try {
    run()
  } catch (error) {
    if (error instanceof YamlError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a hole alone in a plain scalar', () => {
  it.each<[Value, Value]>([
    ['123', 123],
    ['0644', 644],
    ['web1', 'web1'],
    [' web1\n', 'web1'],
    ['a: b', 'a: b'],
    ['- a\n- b', '- a\n- b'],
    ['[a]', '[a]'],
    ['a # b', 'a # b'],
    ['~', null],
    ['', null],
    ['=', '='],
    ['<<', '<<'],
    ['*a', '*a'],
    ['yes', true],
    ['0_', '0_'],
    [null, 'None'],
    [true, true],
    [5, 5],
    [new Float(2), new Float(2)],
    [1e-7, '1e-07'],
    [Tuple.from<Value>([1, 2]), '(1, 2)'],
    [
      ['1', 1, null, ['x']],
      ['1', 1, 'None', ['x']],
    ],
    [
      { a: null, b: '~' },
      { a: 'None', b: '~' },
    ],
    [{}, {}],
  ])('%j becomes %j', (printed, value) => {
    expect(fill('a: <0>', printed)).toEqual({ a: value })
  })

  it('is its very value where it is typed', () => {
    const hole: Hole = { value: { n: null, s: '1' }, typed: true, text: '{"n": null, "s": "1"}' }
    expect(loadYamlWithHoles(withTokens('a: <0>'), [hole])).toEqual({ a: { n: null, s: '1' } })
    expect(loadYamlWithHoles(withTokens("a: '<0>'"), [hole])).toEqual({ a: '{"n": null, "s": "1"}' })
    expect(loadYamlWithHoles(withTokens('a: x<0>'), [hole])).toEqual({ a: 'x{"n": null, "s": "1"}' })
    expect(loadYamlWithHoles(withTokens('a: <0>'), [{ value: '1', typed: true, text: '"1"' }])).toEqual({ a: '1' })
  })
})

describe('a hole among text', () => {
  it.each<[string, Value[], Value]>([
    ['a: x<0>y', ['a: b # c'], 'xa: b # cy'],
    ['a: 1<0>', [2], 12],
    ['a: <0><1>', ['1', '2'], 12],
    ['a: <0>.<1>', [1, 5], 1.5],
    ['a: x <0>', [''], 'x'],
    ['a: "x<0>y"', ['\\n"'], 'x\\n"y'],
    ["a: '<0>'", ["it's"], "it's"],
    ['a: "<0>"', ['1'], '1'],
    ['a: "<0>"', [['a', null]], "['a', None]"],
    ['a: !!str <0>', ['1'], '1'],
    ['a: !!int <0>', ['010'], 10],
    ['a: b # <0>', ['\nc: d'], 'b'],
    ['a: |\n  <0>\n  z', ['l1\n  l2\n    l3'], 'l1\nl2\n  l3\nz\n'.trimEnd()],
    ['a: |\n  <0>\n', ['l1\nl2\n\n'], 'l1\nl2\n'],
    ['a: |-\n  <0>\n', ['l1\n'], 'l1'],
    ['a: |+\n  <0>\n', ['l1\n'], 'l1\n\n'],
    ['a: |\n  <0>\n', ['l1\nb: 2'], 'l1\nb: 2\n'],
    ['a: >\n  <0>\n  z\n', ['l1\n  l2\n\n  l3'], 'l1 l2\nl3 z\n'],
    ['a: >\n  <0>\n', ['l1\n    l2'], 'l1\n  l2\n'],
  ])('%j with %j', (template, printed, value) => {
    expect(fill(template, ...printed)).toEqual({ a: value })
  })
})

describe('a hole in a key', () => {
  it('is a key, typed as YAML types it', () => {
    expect(fill('<0>: x', 'a b')).toEqual({ 'a b': 'x' })
    expect(fill('<0>: x', '1')).toEqual(new Dict([[1, 'x']]))
    expect(fill('<0>: x', '__proto__')).toEqual(new Dict([['__proto__', 'x']]))
    expect(fill('<0>: {a: 1}', '<<')).toEqual({ '<<': { a: 1 } })
  })

  it('may not repeat another', () => {
    const error = failure(() => fill('a: 1\n<0>: 2\n', 'a'))
    expect(error.reason).toContain("found conflicting ID 'a'")
    expect([error.line, error.sourceLine]).toEqual([2, '{{…}}: 2'])
    expect(failure(() => fill('1: 1\n<0>: 2\n', true)).reason).toContain("found conflicting ID 'True'")
  })

  it('is reported in the file it was rendered from, whoever had the same text before', () => {
    const cache = new DocumentCache(100_000)
    const load = (name: string): Value => {
      const holes: Hole[] = [{ value: 'a', typed: false }]
      return loadYamlWithHoles(withTokens('a: 1\n<0>: 2'), holes, { name, cache })
    }
    expect(failure(() => load('one.sls')).message).toContain('one.sls:2:1')
    expect(failure(() => load('two.sls')).message).toContain('two.sls:2:1')
    expect(cache.size).toBe(1)
  })

  it('may not be a list', () => {
    expect(failure(() => fill('<0>: 2', ['a'])).reason).toContain("found unacceptable key ['a']")
  })
})

describe('merging', () => {
  it('takes a printed map, or a list of them; own keys win', () => {
    expect(fill('<<: <0>\nb: 2', { a: 1, b: 3 })).toEqual({ a: 1, b: 2 })
    expect(fill('<<: [<0>, {c: 3}]\nb: 2', { a: 1 })).toEqual({ c: 3, a: 1, b: 2 })
    expect(fill('x: &x {<0>: 1}\ny: {<<: *x, b: 2}', 'b')).toEqual({ x: { b: 1 }, y: { b: 2 } })
  })

  it('takes nothing else', () => {
    expect(failure(() => fill('<<: <0>\nb: 2', 'x')).reason).toContain('but found scalar')
  })
})

describe('where a hole may not stand', () => {
  it.each(['a: &<0> x', 'a: *<0>', 'a: !<0> x', 'a: !!<0> x', 'a: |<0>\n  x', '%<0>\n---\na'])('%s', (template) => {
    expect(failure(() => fill(template, 'b')).message).toContain('cannot stand in an anchor')
  })
})

const TEMPLATES = [
  '<0>',
  'a: <0>\nb: <1>',
  '<0>:\n  local.cmd.run:\n    - tgt: <1>\n    - arg: [<0>, "<1>", \'<0>\']',
  'k_<0>: {p: <1>, "<0>": x, q: [<0>, <1>]}',
  '- <0>\n- x<1>\n- <0> <1>\n-   - <0>',
  'a: |\n  <0>\n   x <1>\nb: >-\n  <0>\n\n  <1>',
  '? <0>\n: <1>\nz: # <0>\n  - <1>',
  '{<0>: <1>}',
  'x: &x {<0>: 1}\ny: {<<: *x, z: <1>}\nw: *x',
]
const PIECES = [
  'a',
  'x',
  '1',
  ': ',
  ':',
  '- ',
  '-',
  '\n',
  '\n  ',
  '\n\n',
  '#',
  ' #',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  "'",
  '\\',
  '|',
  '>',
  '&a ',
  '*a',
  '!',
  '!!int ',
  '---\n',
  '...',
  '%',
  '@',
  '`',
  '<<',
  '=',
  '~',
  '\t',
  ' ',
  '\u2028',
  '\u0085',
  '{{ x }}',
  '\r\n',
  '__proto__',
  'é',
  '\uE0000\uE001',
]
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join(''))

/** Lists by length, maps by size, scalars alike. */
function shape(value: Value): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (value instanceof Map) return { size: value.size, values: [...value.values()].map(shape) }
  if (typeof value === 'object' && value !== null && !(value instanceof Float)) {
    return { size: Object.keys(value).length, values: Object.values(value).map(shape) }
  }
  return 'scalar'
}

describe('properties', () => {
  it('no printed text changes the shape', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), hostile, hostile, (template, first, second) => {
        const expected = shape(fill(template, 'one', 'two'))
        try {
          expect(shape(fill(template, first, second))).toEqual(expected)
        } catch (error) {
          if (!(error instanceof YamlError)) throw error
          expect(error.reason).toContain('found conflicting ID')
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('harmless text reads as if it had been written there', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9](?:[A-Za-z0-9_.@/-]{0,10}[A-Za-z0-9])?$/)
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), word, word, (template, first, second) => {
        const written = template.replaceAll('<0>', first).replaceAll('<1>', second)
        let expected: Value
        try {
          expected = loadYaml(written)
        } catch {
          expect(() => fill(template, first, second)).toThrow(YamlError)
          return
        }
        expect(fill(template, first, second)).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('long texts', () => {
  it.each([
    ['a: <0>', `x${' '.repeat(100_000)}x`],
    ['a: |\n  <0>\n', `${'\n'.repeat(100_000)}x`],
    ['a: <0>', '9'.repeat(1_000_000)],
    ['a: <0>', `${'1:'.repeat(100_000)}1`],
  ])('take no time in %j', (template, printed) => {
    const started = performance.now()
    expect(JSON.stringify(fill(template, printed)).length).toBeGreaterThan(printed.length)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('parsed documents', () => {
  it('are filled afresh each time', () => {
    const document = parseDocument(withTokens('a: {b: [1, <0>]}'))
    const first = fillDocument(document, [{ value: 'x', typed: false }]) as { a: { b: Value[] } }
    first.a.b.push('changed')
    expect(fillDocument(document, [{ value: 'y', typed: false }])).toEqual({ a: { b: [1, 'y'] } })
  })

  it('share what an alias names within one filling only', () => {
    const document = parseDocument(withTokens('a: &x [<0>]\nb: *x'))
    const first = fillDocument(document, [{ value: 1, typed: false }]) as { a: Value; b: Value }
    const second = fillDocument(document, [{ value: 2, typed: false }]) as { a: Value; b: Value }
    expect(first.a).toBe(first.b)
    expect(second).toEqual({ a: [2], b: [2] })
  })

  it('need the holes they were rendered with', () => {
    expect(() => loadYamlWithHoles(withTokens('a: <3>'), [])).toThrow('hole 3')
  })

  it('are remembered within a limit of bytes', () => {
    const cache = new DocumentCache(24 * 100)
    expect(cache.parse('a: 1')).toBe(cache.parse('a: 1'))
    for (let index = 0; index < 50; index++) cache.parse(`a: ${index} # padding`)
    expect(cache.size).toBeLessThan(8)
    cache.parse(`a: ${'x'.repeat(500)}`)
    expect(cache.size).toBeLessThan(8)
    expect(() => cache.parse('a: [')).toThrow(YamlError)
    expect(loadYamlWithHoles(withTokens('a: <0>'), [{ value: 'v', typed: false }], { cache })).toEqual({ a: 'v' })
  })
})
