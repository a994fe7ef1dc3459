// The counts and names that --summary prints.
import { describe, expect, it } from 'vitest'
import { noReturnNotice, returnsSummary } from './returns-summary.ts'

const returns = new Map([
  ['a', { value: true, retcode: 0 }],
  ['b', { value: 'x', retcode: { 'test.ping': 0, 'cmd.run': 3 } }],
  ['c', { value: noReturnNotice('20261121053147867459') }],
  ['d', { value: 'Minion did not return. [Not connected]' }],
])

describe('returnsSummary', () => {
  it('counts returns, minions that did not return, and failures', () => {
    expect(returnsSummary(returns, false).split('\n').slice(5, 9)).toEqual([
      '# of minions targeted: 4',
      '# of minions returned: 2',
      '# of minions that did not return: 2',
      '# of minions with errors: 1',
    ])
  })

  it('names the minions of each kind when verbose', () => {
    expect(returnsSummary(returns, true).split('\n').slice(9, -1)).toEqual([
      'Minions not connected: d',
      'Minions not responding: c',
      'Minions with failures: b',
    ])
  })
})
