// Why an event did or did not lead to something, for each way it can go.
import { describe, expect, it } from 'vitest'
import { explain, explainEntry } from './explain.ts'
import type { LedgerEntry, Plan } from './plan.ts'
import { createReactorSet } from './reactor-set.ts'
import { planOf, root } from './trial-reactor.ts'

const event = { ...root, id: 'E1', tag: 'salt/minion/web1/start' }

describe('explainEntry', () => {
  it.each([
    ['salt/minion/*/start', true, undefined],
    ['salt/minion/*/stop', false, "the glob expects 'stop' where the tag has 'start', at character 20"],
    ['salt/minion/*', true, undefined],
    ['salt/minion', false, "the tag goes on with '/web1' at character 12, where the glob ends"],
    ['salt/minion/*/start/now', false, "the tag ends where the glob expects '/now'"],
  ])('%s', (glob, matched, reason) => {
    const explained = explainEntry({ glob, files: ['a.sls'] }, event)
    expect(explained.matched).toBe(matched)
    expect(explained.reason).toBe(reason)
  })

  it('says that brine/ tags are hidden from other globs', () => {
    expect(explainEntry({ glob: '*', files: [] }, { tag: 'brine/reactor/error' })).toMatchObject({
      matched: false,
      reason: expect.stringContaining('brine/'),
    })
    expect(explainEntry({ glob: 'brine/*', files: [] }, { tag: 'brine/reactor/error' }).matched).toBe(true)
  })
})

describe('explain', () => {
  const reactors = createReactorSet({
    version: 'v2',
    entries: [
      { glob: 'salt/minion/*/start', files: ['a.sls'] },
      { glob: 'salt/minion/*/stop', files: ['b.sls'] },
    ],
    files: [],
  })
  const files: Plan['files'] = [
    { glob: '*', name: 'a.sls', hash: 'ab', text: 'one: …' },
    { glob: '*', name: 'empty.sls', hash: 'cd', text: '\n' },
    {
      glob: '*',
      name: 'bad.sls',
      hash: 'ef',
      text: '',
      error: { code: 'undefined', message: 'no x', place: 'bad.sls:1' },
    },
    { glob: '*', name: 'loop.sls', hash: 'gh', text: '', error: { code: 'loop-repeat', message: 'loop limit' } },
  ]

  it('says that nothing is planned, and why no entry matched', () => {
    const explained = explain({ event: { ...event, tag: 'salt/auth' }, reactors, stored: undefined, ledger: [] })
    expect(explained).toMatchObject({ event: 'E1', tag: 'salt/auth', version: 'v2', changed: false, files: [] })
    expect(explained.entries.map(({ matched }) => matched)).toEqual([false, false])
    expect(explained).not.toHaveProperty('plannedVersion')
  })

  it('joins plan and ledger: what ran, with which jid, what did not, and the reason', () => {
    const plan = planOf(
      event,
      [
        { id: 'done' },
        { id: 'interrupted', kind: 'runner' },
        { id: 'skipped', requisites: [{ kind: 'require', chunks: [1] }] },
        { id: 'waiting' },
        { id: 'untouched' },
      ],
      files,
    )
    const common = { generation: 1, failures: [] }
    const ledger: LedgerEntry[] = [
      {
        ...common,
        key: 'E1/0',
        state: 'done',
        jid: 'J0',
        claimedAt: 1,
        endedAt: 2,
        leaseUntil: 9,
        ending: { state: 'done', success: true, minions: ['web1'] },
      },
      { ...common, key: 'E1/1', state: 'interrupted', jid: 'J1', ending: { state: 'interrupted', reason: 'cut off' } },
      { ...common, key: 'E1/2', state: 'skipped', ending: { state: 'skipped', reason: 'require of …' } },
      { ...common, key: 'E1/3', state: 'running', jid: 'J3', leaseUntil: 99, failures: ['busy'] },
    ]
    const explained = explain({ event, reactors, stored: { plan, before: 0 }, ledger })
    expect(explained).toMatchObject({ version: 'v2', plannedVersion: 'v1', plannedAt: 0, changed: true })
    expect(explained.files.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['a.sls', 'reactions'],
      ['empty.sls', 'nothing'],
      ['bad.sls', 'error'],
      ['loop.sls', 'refused'],
    ])
    expect(explained.files[2]?.error?.place).toBe('bad.sls:1')
    const reactions = explained.files[0]?.reactions ?? []
    expect(reactions.map(({ id, state, jid, reason }) => [id, state, jid, reason])).toEqual([
      ['done', 'done', 'J0', undefined],
      ['interrupted', 'interrupted', 'J1', 'cut off'],
      ['skipped', 'skipped', undefined, 'require of …'],
      ['waiting', 'running', 'J3', undefined],
      ['untouched', 'planned', undefined, undefined],
    ])
    expect(reactions[0]).toMatchObject({
      what: 'local.test.ping',
      minions: ['web1'],
      success: true,
      claimedAt: 1,
      endedAt: 2,
    })
    expect(reactions[0]).not.toHaveProperty('leaseUntil')
    expect(reactions[2]?.requisites).toEqual(['require of interrupted'])
    expect(reactions[3]).toMatchObject({ leaseUntil: 99, failures: ['busy'] })
  })
})
