// Tests several files of one event, requisites, and that any document can be compiled.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dict, pythonRepr, type Value } from '../value/index.ts'
import { compileSls } from './compile.ts'

const ping = (tgt: string, ...more: Value[]): Value => ({ 'local.test.ping': [{ tgt }, ...more] })
const ids = (compiled: ReturnType<typeof compileSls>) => compiled.chunks.map(({ id, file }) => `${file}:${id}`)

describe('several files of one event', () => {
  it('runs the same id of two files twice, the same file once', () => {
    const a = { name: 'a.sls', document: { x: ping('one') } }
    const b = { name: 'b.sls', document: { x: ping('two') } }
    expect(ids(compileSls([a, b]))).toEqual(['0:x', '1:x'])
    expect(ids(compileSls([a, b, a]))).toEqual(['0:x', '1:x'])
  })

  it.each<[string, Value, string, string]>([
    ['no map', ['a'], 'sls-high', 'The document is a list'],
    ['an include', { include: ['x'] }, 'sls-high', "The body of 'include' is a list"],
    ['what does not verify', { x: { 'local.test.ping': 'no list' } }, 'sls-verify', 'is not formed as a list'],
    ['a name override that is none', { x: ping('a', { names: [{ n: 'y' }] }) }, 'sls-verify', "The name 'n' of 'x'"],
    [
      'an unresolved requisite',
      { x: ping('a', { require: [{ local: 'z' }] }) },
      'sls-requisite',
      'Referenced state does not',
    ],
    ['a cycle', { x: ping('a', { require: [{ local: 'x' }] }) }, 'sls-requisite', 'Recursive requisites were found'],
  ])('drops only the file with %s', (_, document, code, message) => {
    const compiled = compileSls([
      { name: 'bad.sls', document },
      { name: 'good.sls', document: { y: ping('one', { order: -1 }) } },
    ])
    expect(ids(compiled)).toEqual(['1:y'])
    expect(compiled.chunks[0]?.low).toMatchObject({ order: 1_000_000 })
    expect(compiled.problems).toMatchObject([{ file: 0, code }])
    expect(compiled.problems[0]?.message).toContain(message)
  })

  it('drops a file that requires something of a dropped one, and both of a cycle across files', () => {
    const broken = { name: 'a', document: { x: { 'local.test.ping': null } } }
    const needs = { name: 'b', document: { y: ping('one', { require: [{ local: 'x' }] }) } }
    const good = { name: 'c', document: { z: ping('one') } }
    expect(ids(compileSls([broken, needs, good]))).toEqual(['2:z'])
    const cycle = { name: 'd', document: { x: ping('one', { require: [{ local: 'y' }] }) } }
    const compiled = compileSls([cycle, needs, good])
    expect(ids(compiled)).toEqual(['2:z'])
    expect(compiled.problems.map(({ file }) => file).sort()).toEqual([0, 1])
  })

  it('requires an id of its own file where two have it', () => {
    const document = { first: ping('one'), second: ping('two', { require: [{ local: 'first' }] }) }
    const { chunks } = compileSls([
      { name: 'a', document },
      { name: 'b', document },
    ])
    const required = chunks.map(({ file, requisites }) =>
      requisites.flatMap((requisite) => requisite.chunks.map((index) => `${file} needs ${chunks[index]?.file}`)),
    )
    expect(required.flat()).toEqual(['0 needs 0', '1 needs 1'])
  })
})

describe('requisites', () => {
  it('points at chunks that come before, all the names of an id', () => {
    const { chunks } = compileSls([
      {
        name: 'a',
        document: {
          a: ping('x', { require: ['b'] }, { onfail_any: [{ local: 'c' }] }),
          b: ping('x', { names: ['p', 'q'] }),
          c: ping('x'),
        },
      },
    ])
    expect(chunks.map(({ name }) => name)).toEqual(['c', 'p', 'q', 'a'])
    expect(chunks[3]?.requisites).toEqual([
      { kind: 'require', chunks: [1, 2] },
      { kind: 'onfail_any', chunks: [0] },
    ])
  })

  it('lets what a prereq names wait for the one that declares it', () => {
    const { chunks } = compileSls([
      { name: 'a', document: { z: ping('x', { prereq: [{ local: 'a' }] }), a: ping('x') } },
    ])
    expect(chunks.map(({ id }) => id)).toEqual(['z', 'a'])
    expect(chunks.map(({ requisites }) => requisites)).toEqual([[], [{ kind: 'require', chunks: [0] }]])
  })

  it('says that a cmd reaction is required as cmd', () => {
    const document = { a: ping('x', { require: [{ local: 'b' }] }), b: { 'cmd.test.ping': [{ tgt: 'x' }] } }
    expect(compileSls([{ name: 'a', document }]).problems[0]?.message).toContain('require `cmd: b`')
  })
})

describe('properties', () => {
  const value = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Value>(null, true, 5, 1.5, '', 'a', 'local.test.ping', 'runner.jobs.active', '__x', 'x y'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .array(
          fc.tuple(
            fc.constantFrom<Value>(
              'a',
              'b',
              'local.x.y',
              'cmd.x',
              'names',
              'require',
              'onfail',
              'prereq',
              'order',
              'tgt',
              '__x',
              5,
            ),
            tie('value'),
          ),
          { maxLength: 3 },
        )
        .map((pairs) => (pairs.some(([key]) => typeof key !== 'string') ? new Dict(pairs) : Object.fromEntries(pairs))),
    ),
  })).value

  it('takes any document without throwing, changes none, and lets requisites point back', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), (documents) => {
        const before = pythonRepr(documents)
        const { chunks } = compileSls(documents.map((document, index) => ({ name: `${index}.sls`, document })))
        expect(pythonRepr(documents)).toBe(before)
        for (const [index, chunk] of chunks.entries()) {
          for (const requisite of chunk.requisites)
            for (const needed of requisite.chunks) expect(needed).toBeLessThan(index)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
