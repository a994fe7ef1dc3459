// Tests trials of an event and the cases of test files.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadYaml } from '../render/yaml/index.ts'
import { diffLines } from './line-diff.ts'
import { isFileOf, judgeReactorCase, parseReactorTests, type ReactorCase } from './reactor-test.ts'
import { trialValue, tryReactions } from './trial.ts'

const signatures = () => undefined
const tried = (...texts: string[]) =>
  tryReactions(
    texts.map((text, index) => ({ glob: 'x/*', name: `/srv/${index}.sls`, text, document: loadYaml(text) })),
    signatures,
  )

function caseOf(text: string): ReactorCase {
  const parsed = parseReactorTests(text, 'auth.test.yml')
  if (parsed.kind === 'broken' || parsed.cases[0] === undefined) throw new Error(JSON.stringify(parsed))
  return parsed.cases[0]
}

const SLS = 'minion_add:\n  wheel.key.accept:\n    - args:\n        match: web-asg-1\n'
const CASE = `
- name: a key of the group is accepted
  tag: salt/auth
  data: {id: web-asg-1, act: pend}
  expect:
    minion_add:
      wheel.key.accept:
        - args: {match: web-asg-1}
`

describe('parseReactorTests', () => {
  it('reads cases', () => {
    expect(caseOf(CASE)).toMatchObject({
      name: 'a key of the group is accepted',
      tag: 'salt/auth',
      data: { act: 'pend' },
      grains: {},
    })
    const more = '- tag: x\n  sls: auth.sls\n  pillar: {a: 1}\n  salt: {mine.get: {db1: 10.0.0.1}}\n  error: undefined'
    expect(caseOf(more)).toMatchObject({
      name: 'case 1: x',
      sls: ['auth.sls'],
      pillar: { a: 1 },
      error: 'undefined',
      expect: [],
    })
    expect(caseOf(more).salt.get('mine.get')).toEqual({ db1: '10.0.0.1' })
  })

  it.each([
    ['a: [', 'while parsing'],
    ['tag: x', 'auth.test.yml holds no list of cases'],
    ['- x', 'auth.test.yml, case 1: it is no map'],
    ['- data: {}\n  expect: {}', 'it has no tag'],
    ['- tag: x', 'it expects nothing'],
    ['- tag: x\n  expekt: {}', 'there is no key expekt. It may have expect.'],
    ['- tag: x\n  data: 5\n  expect: {}', 'data, grains, pillar and salt are maps'],
  ])('%j is none', (text, message) => {
    const parsed = parseReactorTests(text, 'auth.test.yml')
    expect(parsed.kind === 'broken' && parsed.message).toContain(message)
  })

  it('tells files by their path or its end', () => {
    const one = caseOf('- tag: x\n  sls: auth.sls\n  expect: {}')
    expect(isFileOf(one, '/srv/reactor/auth.sls')).toBe(true)
    expect(isFileOf(one, '/srv/reactor/oauth.sls')).toBe(false)
    expect(isFileOf(caseOf(CASE), 'anything')).toBe(true)
  })
})

describe('judgeReactorCase', () => {
  it('takes the same chunks, whatever their files and keys’ order', () => {
    expect(judgeReactorCase(caseOf(CASE), tried(SLS))).toEqual({ passed: true, lines: [] })
    const two = '- tag: x\n  expect:\n    - a: {local.x.y: [{tgt: t}, {arg: [1]}]}\n    - a: {runner.x.y: []}\n'
    const files = ['a:\n  local.x.y:\n    - arg: [1]\n    - tgt: t\n', 'a: runner.x.y\n']
    expect(judgeReactorCase(caseOf(two), tried(...files))).toMatchObject({ passed: true })
  })

  it('shows what differs', () => {
    const { passed, lines } = judgeReactorCase(caseOf(CASE), tried(SLS.replace('web-asg-1', 'web-asg-2')))
    expect(passed).toBe(false)
    expect(lines).toEqual([
      '  minion_add: wheel.key.accept',
      '-   args: {"match": "web-asg-1"}',
      '+   args: {"match": "web-asg-2"}',
    ])
  })

  it.each<[string, string, string, string[]]>([
    ['a reaction too much', '- tag: x\n  expect: {}', 'a: runner.x.y\n', ['+ a: runner.x.y']],
    ['one that is missing', '- tag: x\n  expect: {a: runner.x.y}', '', ['- a: runner.x.y']],
    [
      'an error',
      '- tag: x\n  expect: {}',
      'include: [x]\n',
      [expect.stringContaining("! /srv/0.sls: The body of 'include'")],
    ],
    ['no error', '- tag: x\n  error: boom', 'a: runner.x.y\n', ['- an error with: boom']],
    [
      'a wrong expectation',
      '- tag: x\n  expect: {a: {runner.x.y: ~}}',
      '',
      [expect.stringContaining('! what is expected is wrong')],
    ],
  ])('fails for %s', (_, text, sls, lines) => {
    expect(judgeReactorCase(caseOf(text), tried(sls))).toEqual({ passed: false, lines })
  })

  it('takes the error that is expected', () => {
    const one = caseOf('- tag: x\n  error: "The body of \'include\'"')
    expect(judgeReactorCase(one, tried('include: [x]\n'))).toEqual({ passed: true, lines: [] })
  })
})

describe('a trial', () => {
  const trial = tryReactions(
    [
      { glob: 'a', name: 'one.sls', text: SLS, document: loadYaml(SLS) },
      { glob: '*', name: 'two.sls', error: "'x' is undefined\nline 3" },
      { glob: '*', name: 'three.sls', text: '', document: null },
      {
        glob: '*',
        name: 'four.sls',
        document: loadYaml('b:\n  bogus.x: []\nc:\n  local.x.y:\n    - tgt: t\n    - arg: 5\n'),
      },
    ],
    signatures,
  )

  it('is told to programs', () => {
    expect(trialValue(trial)).toMatchObject([
      {
        glob: 'a',
        sls: 'one.sls',
        text: SLS,
        reactions: [{ chunk: { fun: 'key.accept' }, call: { client: 'wheel', method: 'low' } }],
      },
      { error: "'x' is undefined\nline 3" },
      { reactions: [] },
      {
        reactions: [
          { refused: expect.stringContaining('bogus') },
          { warnings: [expect.stringContaining('`arg` is 5')] },
        ],
      },
    ])
  })
})

it('a difference holds both sides in order', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })
  fc.assert(
    fc.property(lines, lines, (expected, got) => {
      const diff = diffLines(expected, got)
      const side = (...marks: string[]) =>
        diff.filter((line) => marks.includes(line[0] ?? '')).map((line) => line.slice(2))
      expect(side(' ', '-')).toEqual(expected)
      expect(side(' ', '+')).toEqual(got)
      if (same(expected, got)) expect(side('-', '+')).toEqual([])
    }),
  )
})

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.join() === b.join()
}
