// YAML as PyYAML writes it; cli/output/printout.test.ts compares whole documents with Salt's.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadYaml } from '../render/yaml/index.ts'
import type { Value } from '../value/index.ts'
import { dumpYaml } from './emitter.ts'

describe('dumpYaml', () => {
  it.each([
    [null, 'null\n'],
    ['yes', "'yes'\n"],
    ['a: b', "'a: b'\n"],
    ['tab\t', '"tab\\t"\n'],
    [{ b: [1, { c: [] }], a: '' }, "a: ''\nb:\n- 1\n- c: []\n"],
    [[[1, 2], {}], '- - 1\n  - 2\n- {}\n'],
  ] as readonly (readonly [Value, string])[])('%j', (value, text) => {
    expect(dumpYaml(value)).toBe(text)
  })

  it('writes flow style and other indents', () => {
    expect(dumpYaml({ b: [1, 'x y'], a: {} }, { flow: true })).toBe('{a: {}, b: [1, x y]}\n')
    expect(dumpYaml({ a: { b: 1 } }, { indent: 4 })).toBe('a:\n    b: 1\n')
  })

  it.each([{ flow: false }, { flow: true }, { indent: 5 }])('reads back as what was written, %j', (options) => {
    const leaf = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[ -~]{0,120}$/),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    )
    const { tree } = fc.letrec<{ tree: Value }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z :#'-]{1,20}x$/), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(tree, (value) => {
        expect(loadYaml(dumpYaml(value, options))).toEqual(value)
      }),
      { numRuns: 300 },
    )
  })
})
