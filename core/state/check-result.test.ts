// What Salt's check_result says of runs; each row was asked of 3007.
import { describe, expect, it } from 'vitest'
import type { Value } from '../value/index.ts'
import { checkResult } from './check-result.ts'

const rows: readonly (readonly [string, Value, boolean])[] = [
  ['no map', ['an error'], false],
  ['nothing', {}, false],
  ['all true', { a: { result: true }, b: { result: true } }, true],
  ['one false', { a: { result: true }, b: { result: false } }, false],
  ['undecided is no failure', { a: { result: null } }, true],
  ['by minion', { web1: { a: { result: true } } }, true],
  ['by minion, one false', { web1: { a: { result: true } }, web2: { a: { result: false } } }, false],
  ['a minion that failed to render', { web1: ['Rendering failed'] }, false],
  ['a minion without states', { web1: {} }, false],
  ['a text among results', { a: 'x' }, false],
]

describe('checkResult', () => {
  it.each(rows)('%s', (_, running, expected) => expect(checkResult(running)).toBe(expected))
})
