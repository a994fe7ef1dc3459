// Verdicts over reactions with requisites, and what a run's standings settle to.
import { describe, expect, it } from 'vitest'
import type { Reaction } from './plan.ts'
import { type Standing, settlementOf, verdictOn } from './standing.ts'

const reaction = (ordinal: number, requisites: Reaction['requisites'] = []): Reaction => ({
  ordinal,
  file: 0,
  id: `id${ordinal}`,
  name: `id${ordinal}`,
  type: 'runner',
  fun: 'test.arg',
  call: { kind: 'runner', fun: 'test.arg', arg: [], kwarg: {} },
  requisites,
  warnings: [],
})

const done: Standing = { kind: 'ended', ending: { state: 'done' } }
const unsuccessful: Standing = { kind: 'ended', ending: { state: 'done', success: false } }
const failed: Standing = { kind: 'ended', ending: { state: 'failed', reason: 'no', redrivable: true } }
const retry = (at: number): Standing => ({ kind: 'retry', at })
const held = (at: number): Standing => ({ kind: 'held', at })

describe('verdictOn', () => {
  const two = [0, 1]
  const cases: [string, Reaction['requisites'], (Standing | undefined)[], unknown][] = [
    ['nothing required', [], [], { kind: 'go' }],
    ['all well', [{ kind: 'require', chunks: two }], [done, done], { kind: 'go' }],
    ['one unknown', [{ kind: 'require', chunks: two }], [done, undefined], { kind: 'wait' }],
    ['one put off', [{ kind: 'require', chunks: two }], [done, retry(9)], { kind: 'put-off', standing: retry(9) }],
    ['put off and unknown', [{ kind: 'require', chunks: two }], [retry(9), undefined], { kind: 'wait' }],
    ['one of any', [{ kind: 'require_any', chunks: two }], [undefined, done], { kind: 'go' }],
    ['onfail of a failure', [{ kind: 'onfail', chunks: [0] }], [unsuccessful], { kind: 'go' }],
    [
      'no success',
      [{ kind: 'require', chunks: two }],
      [unsuccessful, undefined],
      { kind: 'skip', ending: { state: 'skipped', reason: 'require of id0 (runner.test.arg), which did not succeed' } },
    ],
    [
      'a failure that a person may redrive',
      [{ kind: 'require', chunks: two }],
      [done, failed],
      {
        kind: 'skip',
        ending: { state: 'skipped', reason: 'require of id1 (runner.test.arg), which is failed', redrivable: true },
      },
    ],
    [
      'onfail of a success',
      [{ kind: 'onfail', chunks: [0] }],
      [done],
      { kind: 'skip', ending: { state: 'skipped', reason: 'onfail of id0 (runner.test.arg), which succeeded' } },
    ],
  ]
  it.each(cases)('%s', (_name, requisites, standings, verdict) => {
    const reactions = [reaction(0), reaction(1), reaction(2, requisites)]
    expect(verdictOn(reaction(2, requisites), reactions, standings)).toEqual(verdict)
  })
})

describe('settlementOf', () => {
  const reactions = [reaction(0), reaction(1), reaction(2)]
  const cases: [string, Standing[], unknown][] = [
    ['nothing planned', [], { kind: 'done' }],
    ['all ended', [done, unsuccessful], { kind: 'done' }],
    ['the last retry', [done, retry(5), retry(7)], { kind: 'later', at: 7 }],
    ['a retry before a lease', [held(100), retry(5)], { kind: 'later', at: 5 }],
    ['the first lease to end', [held(9), held(8), done], { kind: 'later', at: 8 }],
    ['used up tries wait for the others', [failed, retry(5)], { kind: 'later', at: 5 }],
    ['used up tries', [done, failed, done], { kind: 'dead', reason: 'id1: no' }],
    ['a failure for good', [{ kind: 'ended', ending: { state: 'failed', reason: 'no' } }], { kind: 'done' }],
  ]
  it.each(cases)('%s', (_name, standings, settlement) => {
    expect(settlementOf(standings, reactions)).toEqual(settlement)
  })
})
