// Cases rewritten by `brine test --update` pass afterwards, and everything else in the file stays.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadYaml } from '../../core/render/index.ts'
import { judgeReactorCase, parseReactorTests, type Trial, tryReactions } from '../../core/sls/index.ts'
import type { Value } from '../../core/value/index.ts'
import { updatedTests } from './test-update.ts'

const trialOf = (...documents: Value[]): Trial =>
  tryReactions(
    documents.map((document, index) => ({ glob: '*', name: `${index}.sls`, document, text: '' })),
    () => undefined,
  )

const FILE = `# Heading.
- name: first  # said
  tag: a
  expect:
    old:
      local.test.ping:
        - tgt: x

# About the second.
- expect: {}
  tag: b
- {tag: c, expect: {}}
`

function judged(text: string, index: number, trial: Trial): boolean {
  const parsed = parseReactorTests(text, 'x.test.yml')
  const one = parsed.kind === 'cases' ? parsed.cases[index] : undefined
  if (one === undefined) throw new Error(JSON.stringify(parsed))
  return judgeReactorCase(one, trial).passed
}

describe('updatedTests', () => {
  it('replaces what is expected and leaves the rest', () => {
    const trial = trialOf(loadYaml('new:\n  local.test.echo:\n    - tgt: y\n    - arg: [1, "2"]\n'))
    expect(updatedTests(FILE, 'x', new Map([[0, trial]]))).toBe(
      FILE.replace(
        '    old:\n      local.test.ping:\n        - tgt: x\n',
        "    new:\n      local.test.echo:\n        - tgt: y\n        - arg:\n          - 1\n          - '2'\n",
      ),
    )
  })

  it('writes into a key that begins its case', () => {
    const trial = trialOf(loadYaml('new: runner.x.y\n'))
    const updated = updatedTests(FILE, 'x', new Map([[1, trial]]))
    expect(updated).toContain('# About the second.\n- expect:\n    new:\n      runner.x.y: []\n  tag: b\n')
  })

  it('makes a case in flow style unreadable, which is how it is told', () => {
    const updated = updatedTests(FILE, 'x', new Map([[2, trialOf(loadYaml('a: runner.x.y'))]]))
    expect(parseReactorTests(updated, 'x').kind).toBe('broken')
  })

  it.each([
    ['no reaction', ['']],
    ['the same id in two files', ['a: runner.x.y', 'a:\n  local.x.y:\n    - tgt: t\n']],
    ['an order of its own', ['a:\n  runner.x.y:\n    - order: 2\n', 'b:\n  runner.x.y:\n    - order: 1\n']],
    ['cmd', ['a:\n  cmd.x.y:\n    - tgt: t\n']],
    ['requisites', ['a:\n  runner.x.y:\n    - require:\n      - runner: b\nb: runner.x.y\n']],
    ['names', ['a:\n  local.x.y:\n    - tgt: t\n    - names: [one, two]\n']],
    ['keys that need quotes', ["'yes':\n  local.x.y:\n    - tgt: t\n    - kwarg: {'1': null, 2: 3.0}\n"]],
  ])('a case passes afterwards: %s', (_, documents) => {
    const trial = trialOf(...documents.map((text) => loadYaml(text)))
    for (const index of [0, 1])
      expect(judged(updatedTests(FILE, 'x', new Map([[index, trial]])), index, trial)).toBe(true)
  })

  it('a case passes afterwards, whatever stands in it', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()))
    const args = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}x$/), value, { maxKeys: 4 })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[ -~]{1,12}$/), args), { maxLength: 3 }), (drafts) => {
        const documents = drafts.map(([id, arg]) => ({
          [id]: { 'local.x.y': [{ tgt: 't' }, ...Object.entries(arg).map(([key, item]) => ({ [key]: item }))] },
        }))
        const trial = trialOf(...(documents as Value[]))
        fc.pre(trial.files.every(({ error }) => error === undefined))
        expect(judged(updatedTests(FILE, 'x', new Map([[0, trial]])), 0, trial)).toBe(true)
      }),
    )
  })
})
