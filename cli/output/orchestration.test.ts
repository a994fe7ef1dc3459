// What `orch.show` prints: a bar of what has ended, and each step with its mark.
import { expect, it } from 'vitest'
import { orchestration } from './orchestration.ts'

const record = {
  jid: '20261121052932933731',
  mods: 'orch.deploy',
  status: 'running',
  steps: [
    {
      id: 'remove_from_lb',
      fun: 'salt.function',
      name: 'cmd.run',
      state: 'done',
      seconds: 0.16,
      jids: ['20261121052933403914'],
      comment: 'Function ran successfully.',
    },
    {
      id: 'deploy_app',
      fun: 'salt.state',
      name: 'deploy_app',
      after: ['require remove_from_lb'],
      state: 'running',
      seconds: 12,
      jids: ['20261121052933553566'],
      minions: ['web01', 'web02'],
    },
    { id: 'add_to_lb', fun: 'salt.function', name: 'cmd.run', after: ['require deploy_app'], state: 'waiting' },
  ],
  ended: 1,
  failed: 0,
  user: 'root',
  started: '2026-11-21T05:29:32.933731',
}

it('shows each step, what it waits for and how it stands', () => {
  expect(orchestration(record, {})).toBe(`20261121052932933731 orch.deploy: running
started 2026-11-21T05:29:32.933731, by root
██████████░░░░░░░░░░░░░░░░░░░░ 1 of 3 steps
  ✓ remove_from_lb  salt.function cmd.run: done, 0.2 s
      jobs: 20261121052933403914
      Function ran successfully.
  ▸ deploy_app      salt.state: running, 12.0 s
      after: require remove_from_lb
      jobs: 20261121052933553566
      minions: web01, web02
  · add_to_lb       salt.function cmd.run: waiting
      after: require deploy_app`)
})

it('tells failures in the bar', () => {
  expect(orchestration({ ...record, ended: 3, failed: 2 }, {})).toContain('3 of 3 steps, 2 failed')
})
