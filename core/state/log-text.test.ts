// The log's words for results; each row is what 3007 logs.
import { describe, expect, it } from 'vitest'
import type { Value } from '../value/index.ts'
import { stateLogText } from './log-text.ts'

const rows: readonly (readonly [string, Value, string])[] = [
  ['no changes', { name: 'x', changes: {}, comment: 'Failure!' }, 'Failure!'],
  ['neither changes nor a comment', { name: 'x', changes: {}, comment: '' }, 'No changes made for x'],
  ['changes of any kind', { changes: { ret: { db1: '' } }, comment: 'c' }, "{'ret': {'db1': ''}}"],
  ['a diff', { changes: { diff: '--- a\n+++ b\n' } }, 'File changed:\n--- a\n+++ b\n'],
  [
    'versions',
    { changes: { nginx: { old: '', new: '1.2' }, vim: { old: '9', new: '' } } },
    "Made the following changes:\n'nginx' changed from 'absent' to '1.2'\n'vim' changed from '9' to 'absent'\n",
  ],
  ['no result at all', 'Rendering failed', 'Rendering failed'],
]

describe('stateLogText', () => {
  it.each(rows)('%s', (_, result, expected) => expect(stateLogText(result)).toBe(expected))
})
