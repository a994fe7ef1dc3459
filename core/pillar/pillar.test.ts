// Pillars as Salt compiles them: top files, includes, merging, and what is told of faults.
import { describe, expect, it } from 'vitest'
import { renderSls, SALT_FUNCTIONS, yamlTools } from '../render/index.ts'
import { type SlsFile, type StateFiles, stateContext } from '../state/index.ts'
import { compilePillar, type FilePillar, mergePillars, type PillarOptions } from './index.ts'

const files = {
  'base:top.sls': `
base:
  '*': [common, 'sub.*']
  'web*': [web, missing]
  'role:db': [{match: grain}, db]
  'os:*': [{match: grain}, {order: -1}, first]
`,
  'base:common.sls': `
include:
  - first
  - sub.deep:
      key: nested:here
      defaults: {given: 7}
a: 1
list: [1, 2]
map: {x: 1, y: {z: 2}}
who: {{ grains.id }}
`,
  'base:first.sls': 'map: {y: {q: 3}}\nlist: [3]\nfirst: true\na: 0\n',
  'base:sub/deep.sls': 'deep: {{ given|default("none") }}\n',
  'base:sub/init.sls': 'include: [.deep]\ninit: 1\n',
  'base:web.sls': 'map: {x: 9}\n',
  'base:db.sls': 'password: secret\n',
}

type Files = Readonly<Record<string, string>>

function tree(all: Files): StateFiles {
  return {
    environments: () => [...new Set(Object.keys(all).map((key) => key.split(':')[0] ?? ''))],
    paths: (env) => Object.keys(all).flatMap((key) => (key.startsWith(`${env}:`) ? [key.slice(env.length + 1)] : [])),
    read: (path, env) => all[`${env}:${path}`],
  }
}

function compile(all: Files, more: Partial<PillarOptions> = {}, grains = {}): FilePillar {
  const world = tree(all)
  const facts = { grains: { id: 'web1', os: 'Debian', ...grains }, pillar: {}, opts: {} }
  const render = (file: SlsFile, defaults: object) =>
    renderSls(
      { name: file.path, text: file.text },
      {
        context: { ...stateContext(file, facts), ...defaults },
        salt: { pure: SALT_FUNCTIONS },
        yaml: yamlTools,
        files: (path) => world.read(path, file.env),
      },
    ).document
  return compilePillar(
    { files: world, render },
    {
      minion: { id: 'web1', grains: facts.grains, pillar: {} },
      nodegroups: {},
      environments: ['base', ...world.environments().filter((env) => env !== 'base')],
      pillarenv: undefined,
      top: 'top.sls',
      merging: { strategy: 'smart', lists: false },
      safeErrors: true,
      envOrder: [],
      ...more,
    },
  )
}

describe('compilePillar', () => {
  it('is what Salt 3007.15 compiled of these files', () => {
    const { pillar, errors } = compile(files)
    expect(JSON.stringify(pillar)).toBe(
      '{"map":{"y":{"q":3,"z":2},"x":9},"list":[1,2],"first":true,"a":1,"nested":{"here":{"deep":7}},"who":"web1","deep":"none"}',
    )
    expect(errors).toEqual(["Specified SLS 'missing' in environment 'base' is not available on the salt master"])
  })

  it('gives a minion only what is for it', () => {
    expect(JSON.stringify(compile(files).pillar)).not.toContain('secret')
    expect(compile(files, {}, { role: 'db' }).pillar).toHaveProperty('password', 'secret')
  })

  it('joins lists where it is told to', () => {
    expect(compile(files, { merging: { strategy: 'smart', lists: true } }).pillar).toHaveProperty('list', [3, 1, 2])
  })

  it.each([
    ['a: {{ 1/0 }}', true, "Rendering SLS 'x' failed. Please see master log for details."],
    ['a: {{ 1/0 }}', false, /^Rendering SLS 'x' failed, render error:\n[\s\S]*division by zero/],
    ['- a', true, "SLS 'x' does not render to a dictionary"],
    ['include: y', true, "Include Declaration in SLS 'x' is not formed as a list"],
  ])('tells of %j (safely: %s)', (text, safeErrors, words) => {
    const { errors } = compile({ 'base:top.sls': "base: {'*': [x]}", 'base:x.sls': text }, { safeErrors })
    expect(errors).toEqual([typeof words === 'string' ? words : expect.stringMatching(words)])
  })

  it('merges the environments, in the order asked for', () => {
    const all = {
      'base:top.sls': "base: {'*': [x]}",
      'dev:top.sls': "dev: {'*': [x]}",
      'base:x.sls': 'a: base\nb: 1',
      'dev:x.sls': 'a: dev',
    }
    expect(compile(all).pillar).toEqual({ a: 'dev', b: 1 })
    expect(compile(all, { envOrder: ['dev', 'base'] }).pillar).toEqual({ a: 'base', b: 1 })
    expect(compile(all, { pillarenv: 'dev' }).pillar).toEqual({ a: 'dev' })
    expect(compile(all, { pillarenv: 'prod' }).pillar).toEqual({})
  })

  it('passes over what need not be there', () => {
    const top = "base: {'*': [{ignore_missing: true}, gone]}"
    expect(compile({ 'base:top.sls': top }).errors).toEqual([])
  })
})

describe('mergePillars', () => {
  const [a, b] = [
    { x: { a: 1 }, l: [1], only: 1 },
    { x: { b: 2 }, l: [2], new: 1 },
  ]
  it.each([
    ['smart', { x: { a: 1, b: 2 }, l: [2], only: 1, new: 1 }],
    ['overwrite', { x: { b: 2 }, l: [2], only: 1, new: 1 }],
    ['list', { x: [{ a: 1 }, { b: 2 }], l: [[1], [2]], only: 1 }],
  ])('by %s', (strategy, merged) => {
    expect(mergePillars(a, b, { strategy, lists: false })).toEqual(merged)
  })
})
