// What Salt's loader answers, row by row; every expectation was computed with PyYAML on libyaml.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Dict, Float, type Value } from '../../value/index.ts'
import { dumpYaml } from '../../yaml-writer/index.ts'
import { loadYaml } from './document.ts'
import { YamlError } from './yaml-error.ts'

function failure(text: string): YamlError {
  try {
    loadYaml(text, { name: 'x.sls' })
  } catch (error) {
    if (error instanceof YamlError) return error
    throw error
  }
  throw new Error(`nothing was wrong with ${JSON.stringify(text)}`)
}

describe('scalars', () => {
  it.each<[string, Value]>([
    ['010', 10],
    ['0644', 644],
    ['-010', -8],
    ['08', '08'],
    ['0o10', '0o10'],
    ['0x1F', 31],
    ['0b11', 3],
    ['1_000', 1000],
    ['12:30', 750],
    ['190:20:30', 685230],
    ['60:60', '60:60'],
    ['12345678901234567890', 12345678901234567890n],
    ['1.0', new Float(1)],
    ['-0.0', new Float(-0)],
    ['1e3', '1e3'],
    ['1.0e3', '1.0e3'],
    ['1.0e+3', new Float(1000)],
    ['.5', 0.5],
    ['+.5', '+.5'],
    ['-.inf', Number.NEGATIVE_INFINITY],
    ['yes', true],
    ['Off', false],
    ['y', 'y'],
    ['~', null],
    ['none', 'none'],
    ['2001-12-14', '2001-12-14'],
    ['!!str 1', '1'],
    ['!!int "010"', 10],
    ['! 3', 3],
    ['!', ''],
    ['!!binary aGVsbG8=', 'hello'],
    ['"\\t\\u00e9\\x41\\/"', '\té' + 'A/'],
    ["'it''s'", "it's"],
    ['"a\n  b\n\n  c \\\n  d"', 'a b\nc d'],
    ['|-\n  x\n   y\n', 'x\n y'],
    ['>\n  x\n  y\n\n  z\n', 'x y\nz\n'],
    ['|+\n  x\n\n', 'x\n\n'],
    ['|2\n    x\n   y\n', '  x\n y\n'],
    ['b,c', 'b,c'],
  ])('%j', (text, value) => {
    expect(loadYaml(`a: ${text}`)).toEqual({ a: value })
  })
})

describe('structure', () => {
  it.each<[string, Value]>([
    ['', null],
    ['# only a comment\n', null],
    ['a:1', 'a:1'],
    ['- \n- a\n', [null, 'a']],
    ['a:\n- b\n- c\nd: e\n', { a: ['b', 'c'], d: 'e' }],
    ['a: {b:1}', { a: { 'b:1': null } }],
    ['a: [b,c: d, ? e : f]', { a: ['b', { c: 'd' }, { e: 'f' }] }],
    ['? a\n: b\n', { a: 'b' }],
    ['\ufeffa: 1\nb: 2', { a: 1, b: 2 }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}', { a: { p: 1, q: 2 }, b: { p: 1, q: 3 } }],
    ['<<: [{a: 1}, {b: 2}]\nc: 3', { b: 2, a: 1, c: 3 }],
    ['%YAML 1.1\n---\na: yes\n...\n', { a: true }],
    ['=: 1', { '=': 1 }],
  ])('%j', (text, value) => {
    expect(loadYaml(text)).toEqual(value)
  })

  it('keeps the order and the type of keys', () => {
    const value = loadYaml('b: 1\n10: 2\n"9": 3\nnull: 4\n__proto__: 5')
    expect(value).toBeInstanceOf(Dict)
    expect([...(value as Dict).keys()]).toEqual(['b', 10, '9', null, '__proto__'])
    expect(Object.keys(loadYaml('b: 1\na: 2') as object)).toEqual(['b', 'a'])
  })

  it('makes one value of what an alias names', () => {
    const value = loadYaml('a: &x {p: 1}\nb: *x') as { a: Value; b: Value }
    expect(value.a).toBe(value.b)
  })
})

describe('errors', () => {
  it.each([
    ['a: 1\na: 2\n', 'ConstructorError', "found conflicting ID 'a'", 2, 1],
    ['1: a\ntrue: b\n', 'ConstructorError', "found conflicting ID 'True'", 2, 1],
    ['a: {p: 1}\nb: {<<: [{p: 1}, {p: 2}]}', 'ConstructorError', "found conflicting ID 'p'", 2, 11],
    ['foo\n  bar: x', 'ScannerError', 'mapping values are not allowed in this context', 2, 6],
    ['foo: bar\nbaz\n', 'ScannerError', "could not find expected ':'", 3, 1],
    ['a:\tb\n\tc: d', 'ScannerError', 'found a tab character that violates indentation', 2, 1],
    ['\ta: 1', 'ScannerError', 'found character that cannot start any token', 1, 1],
    ['a: [1\nb: 2', 'ParserError', "did not find expected ',' or ']'", 2, 2],
    ['a: *x', 'ComposerError', 'found undefined alias', 1, 4],
    ['&x [*x]', 'ConstructorError', 'found unconstructable recursive node', 1, 5],
    ['a: !foo x', 'ConstructorError', "could not determine a constructor for the tag '!foo'", 1, 4],
    ['a: <<', 'ConstructorError', "could not determine a constructor for the tag 'tag:yaml.org,2002:merge'", 1, 4],
    ['{{ x }}: 1', 'ConstructorError', 'found unacceptable key [(MappingNode(', 1, 1],
    ['a: 1\n---\nb: 2', 'ComposerError', 'but found another document', 2, 1],
    ['a: \x07', 'ReaderError', 'unacceptable character #x0007: control characters are not allowed', 1, 4],
    ['a: "x', 'ScannerError', 'found unexpected end of stream', 1, 6],
    ['a: 0_', 'ConstructorError', 'string index out of range', 1, 4],
  ])('%j', (text, kind, words, line, column) => {
    const error = failure(text)
    expect(error.kind).toBe(kind)
    expect(error.reason).toContain(words)
    expect([error.line, error.column]).toEqual([line, column])
    expect(error.code).toBe('yaml')
  })

  it('prints what Salt prints, then the place', () => {
    const error = failure('a: 1\nb: 2\na: 3\n')
    const salt = `while constructing a mapping
  in "<unicode string>", line 1, column 1
found conflicting ID 'a'
  in "<unicode string>", line 3, column 1`
    expect(error.reason).toBe(salt)
    expect(error.message).toBe(`${salt}\nx.sls:3:1\n3 | a: 3\n    ^`)
    expect(failure('é: b: c').message).toContain('1 | é: b: c\n        ^')
  })

  it('shows the neighbourhood of a long line only', () => {
    expect(failure(`a: "${'x'.repeat(5000)}\\q"`).message.length).toBeLessThan(500)
  })

  it('refuses documents that explode when written out, and bottomless ones', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 9; level++) {
      const before = Array.from({ length: 10 }, () => `*a${level - 1}`)
      lines.push(`a${level}: &a${level} [${before.join(', ')}]`)
    }
    expect(failure(lines.join('\n')).reason).toContain('more than 1000000 nodes')
    expect(failure('['.repeat(5000)).reason).toContain('nested deeper than 300 levels')
  })
})

describe('what dumpYaml wrote', () => {
  it('reads back as the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.boolean(), (text, flow) => {
        expect(loadYaml(dumpYaml({ a: [text] }, { flow }))).toEqual({ a: [text] })
      }),
    )
  })
})
