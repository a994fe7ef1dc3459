// The outputters of Brine's own functions: no text for data of another form, no escape from data, spans as people say them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Value } from '../../../core/value/index.ts'
import { hasOutputter, outputter } from '../choose.ts'
import { printout } from '../printout.ts'
import { after, argumentsOf, inline } from './field.ts'

const NAMES = ['event_list', 'event_trace', 'reactor_explain', 'reactor_failed', 'reactor_lint', 'reactor_test']

describe('the outputters', () => {
  it.each(NAMES)('%s falls back to nested for a text, such as an error', async (name) => {
    expect(hasOutputter(name)).toBe(true)
    expect(await printout('Exception occurred in runner x: y', name, {})).toBe('Exception occurred in runner x: y')
  })

  it.each(NAMES)('%s prints anything without throwing', async (name) => {
    const fields = fc.constantFrom(
      ...'tree entries files reactions minions events problems tag at cause error state dead run data mismatch'.split(
        ' ',
      ),
    )
    const { value } = fc.letrec<{ value: Value }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<Value>(null, true, 5, 'text', '2026-01-01T00:00:00.000000'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fields, tie('value'), { maxKeys: 5 }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(value, async (data) => {
        expect(typeof (await printout(data, name, {}))).toBe('string')
      }),
      { numRuns: 500 },
    )
  })

  it('lets no escape of the data through', async () => {
    const print = await outputter('reactor_explain')
    const hostile = '\u001b[2J'
    const text = print(
      {
        event: 'E',
        tag: hostile,
        summary: 's',
        entries: [],
        files: [
          {
            sls: hostile,
            glob: 'g',
            text: hostile,
            reactions: [{ id: hostile, call: 'c', state: 'done', arg: [hostile] }],
          },
        ],
      },
      {},
    )
    expect(text).not.toContain('\u001b')
    expect(text).toContain('?[2J')
  })

  it('tells the nearest of many entries that did not match', async () => {
    const print = await outputter('reactor_explain')
    const entries = Array.from({ length: 10 }, (_, index) => ({
      glob: `glob${index}`,
      files: [],
      matched: false,
      reason: 'differs',
      mismatch: { position: index, expected: '', seen: '' },
    }))
    const lines = print({ entries, summary: 'None.' }, {}).split('\n')
    expect(lines.filter((line) => line.startsWith('  - '))).toHaveLength(4)
    expect(lines).toContain('  - glob9: differs')
    expect(lines).toContain('  … 6 more that do not match')
  })
})

describe('fields', () => {
  const from = '2026-01-31T09:00:00.000000'
  it.each([
    ['2026-01-31T09:00:00.000400', '+0.4 ms'],
    ['2026-01-31T09:00:00.047000', '+47 ms'],
    ['2026-01-31T09:00:01.200000', '+1.20 s'],
    ['2026-01-31T09:12:03.000000', '+12 min 3 s'],
    ['2026-01-31T08:59:59.990000', '-10 ms'],
    ['never', 'never'],
  ])('%s is %s', (stamp, span) => {
    expect(after(stamp, from)).toBe(span)
  })

  it('writes arguments as one types them', () => {
    expect(argumentsOf({ arg: ['a b', 1, [2]], kwarg: { timeout: 5, name: 'x' } })).toBe(
      'a b, 1, [2], timeout=5, name=x',
    )
    expect(inline('a\n  b')).toBe('a ⏎ b')
  })
})
