// The ACL language against what Salt's own checks decided, and where Brine is stricter.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Mapping, Value } from '../../core/value/index.ts'
import { mayPublish, mayRun } from './check.ts'
import { checkExternalAuth, grantsOf, readExternalAuth, shownPermissions } from './external-auth.ts'
import { readGrants } from './grants.ts'

interface Job {
  readonly fun: string
  readonly arg: Value[]
  readonly minions: string[]
}
interface Run {
  readonly client: 'runner' | 'wheel'
  readonly fun: string
  readonly arg: Value[]
  readonly kwarg: Mapping
}
/** One list of permissions; a letter for each job and run: yes, no, syntax, or an error of Salt's own. */
interface Row {
  readonly perms: Value[]
  readonly jobs: string
  readonly runs: string
}

const lines = readFileSync(new URL('./decided-by-salt.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const calls = JSON.parse(lines[0] ?? '{}') as { jobs: Job[]; runs: Run[] }
const rows = lines.slice(1).map((line) => JSON.parse(line) as Row)
const all = ['db1', 'web1', 'web2', 'app.eu']

/** The targets that stand in the table. */
const resolve = async (target: string): Promise<string[]> => {
  if (target.startsWith('L@')) return all.filter((id) => target.slice(2).split(',').includes(id))
  if (target.startsWith('E@')) return all.filter((id) => /^web\d/.test(id))
  return all.filter((id) => target === '*' || target === id || (target === 'web*' && id.startsWith('web')))
}

test.each(rows.map((row) => [JSON.stringify(row.perms), row] as const))('as Salt decides: %s', async (_name, row) => {
  const grants = readGrants(row.perms)
  let jobs = ''
  for (const { fun, arg, minions } of calls.jobs)
    jobs += (await mayPublish(grants, { fun, arg, minions: async () => minions }, resolve)) ? 'y' : 'n'
  expect(jobs).toBe(row.jobs)
  const letters = { allowed: 'y', denied: 'n', syntax: 's' } as const
  const runs = calls.runs.map((run) => letters[mayRun(grants, run)]).join('')
  // Where Salt's check itself fails, nothing is allowed.
  expect(runs.replace(/s/g, 'n')).toBe(row.runs.replace(/[es]/g, 'n'))
})

describe('stricter than Salt', () => {
  const may = (perms: Value[], fun: string | string[], arg: Value[] = [], minions = ['db1']) =>
    mayPublish(readGrants(perms), { fun, arg, minions: async () => minions }, resolve)

  test('of several functions each one has to be allowed', async () => {
    expect(await may(['test.*'], ['test.ping', 'test.arg'], [[], []])).toBe(true)
    expect(await may(['test.*'], ['test.ping', 'cmd.run'], [[], ['id']])).toBe(false)
    expect(await may(['.*'], [], [])).toBe(false)
  })

  test('a text key=value is the keyword that the minion makes of it', async () => {
    const perms = [{ '*': [{ 'cmd.run': { args: ['uptime'], kwargs: { runas: 'nobody' } } }] }]
    const kwarg = { __kwarg__: true, runas: 'nobody' }
    expect(await may(perms, 'cmd.run', ['uptime', kwarg])).toBe(true)
    expect(await may(perms, 'cmd.run', ['uptime', 'runas=nobody'])).toBe(true)
    expect(await may(perms, 'cmd.run', ['uptime', kwarg, 'runas=root'])).toBe(false)
    expect(await may(perms, 'cmd.run', ['cmd=uptime', 'runas=nobody'])).toBe(false)
  })

  test('a rule that cannot be read allows nothing', async () => {
    for (const rule of ['uptime', { args: 'uptime' }, { kwargs: ['a'] }, null])
      expect(await may([{ '*': [{ 'cmd.run': rule }] }], 'cmd.run', ['uptime'])).toBe(false)
  })
})

describe('whose list counts', () => {
  const auth = readExternalAuth({
    file: {
      '^filename': '/etc/brine/users',
      fred: ['test.*', '@runner'],
      'admin.*': ['.*'],
      'ops%': [{ 'web*': ['state.*'] }],
      '*': ['sys.doc'],
    },
  })
  const listOf = (name: string, groups: string[] = [], eauth = 'file') =>
    grantsOf(auth, { name, groups, eauth }).map((grant) => (grant.kind === 'everywhere' ? grant.fun : grant.kind))

  test.each([
    ['fred', [], ['test.*', 'special']],
    ['fred', ['ops'], ['test.*', 'special', 'target']],
    ['admin', [], ['.*']],
    ['admin2', [], ['.*']],
    ['other', [], ['sys.doc']],
    ['other', ['ops'], ['target', 'sys.doc']],
    ['ops%', [], ['sys.doc']],
  ] as const)('%s in %j', (name, groups, expected) => {
    expect(listOf(name, [...groups])).toEqual(expected)
  })

  test.each(['.*', '*', 'fre?', 'fred|x', '^filename', 'ops%'])(
    'a user who calls himself %s gets what everybody gets',
    (name) => {
      expect(listOf(name)).toEqual(['sys.doc'])
    },
  )

  test('a backend that is not configured gives nothing', () => {
    expect(listOf('fred', [], 'pam')).toEqual([])
  })

  test('a log-in shows the entries sorted, each once, with those of everybody', () => {
    const shown = (name: string, groups: string[] = []) => shownPermissions(auth, { name, groups, eauth: 'file' })
    expect(shown('fred')).toEqual(['@runner', 'sys.doc', 'test.*'])
    expect(shown('fred', ['ops'])).toEqual(['@runner', 'sys.doc', 'test.*', { 'web*': ['state.*'] }])
  })

  test('a configuration that cannot be read stops the start, an entry that grants nothing is told', () => {
    expect(() => readExternalAuth(['pam'])).toThrow('a map of backends')
    expect(() => readExternalAuth({ file: { fred: 'test.*' } })).toThrow('a list')
    expect(checkExternalAuth(readExternalAuth({ file: { fred: [5, 'test.*'] } }))).toHaveLength(1)
  })
})
