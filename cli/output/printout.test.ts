// Every outputter against what real Salt printed (printed-by-salt.jsonl), and against any JSON at all.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Mapping, parseJson, type Value } from '../../core/value/index.ts'
import { OUTPUTTERS } from './choose.ts'
import type { OutputOptions } from './outputter.ts'
import { printout } from './printout.ts'

interface Row {
  readonly data: string
  readonly out: string
  readonly options: OutputOptions
  readonly text: string
}

const lines = readFileSync(new URL('./printed-by-salt.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
const values = new Map<string, Value>()
const rows: Row[] = []
for (const line of lines) {
  const row = parseJson(line) as Mapping
  if (typeof row.name === 'string') values.set(row.name, row.value ?? null)
  else rows.push(JSON.parse(line) as Row)
}

describe('printout', () => {
  it.each(OUTPUTTERS)('%s prints what Salt 3007.15 prints', async (name) => {
    const mine = rows.filter((row) => row.out === name)
    expect(mine.length).toBeGreaterThan(1)
    for (const row of mine) {
      const text = await printout(values.get(row.data) ?? null, row.out, row.options)
      expect(text, `${row.data} ${JSON.stringify(row.options)}`).toBe(row.text)
    }
  })

  it('falls back to nested for data the outputter cannot print', async () => {
    expect(await printout(['a', { b: 1 }], 'highstate', {})).toBe('- a\n|_\n  ----------\n  b:\n      1')
    expect(await printout({ strange: ['x'] }, 'key', {})).toBe('strange:\n    - x')
  })

  it('never throws, whatever is returned and however it is to be printed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(...OUTPUTTERS), async (data, name) => {
        expect(typeof (await printout(data as Value, name, { color: true }))).toBe('string')
      }),
      { numRuns: 500 },
    )
  })
})
