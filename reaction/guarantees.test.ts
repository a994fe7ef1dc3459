// docs/guarantees.md names tests that exist and limits that hold.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultLoopLimits } from './limits.ts'
import { defaultRetry } from './retry.ts'
import { defaultWorkerOptions } from './worker.ts'

const text = readFileSync(new URL('../docs/guarantees.md', import.meta.url), 'utf8')

describe('docs/guarantees.md', () => {
  it('names only tests that exist', () => {
    const named = [...text.matchAll(/`((?:reaction|test|platform|agent)\/[\w/.-]+\.ts)`/g)].map(
      ([, path]) => path ?? '',
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([])
  })

  it('names only titles that these tests have', () => {
    const named = [...text.matchAll(/`([\w/.-]+\.ts)`: "([^"]+)"/g)]
    expect(named.length).toBeGreaterThan(15)
    for (const [, path = '', title = ''] of named) {
      const source = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
      expect(source, path).toContain(`'${title.replace(/\s+/g, ' ')}'`)
    }
  })

  it('shows a test for every line that promises', () => {
    const promises = text.slice(text.indexOf('## Delivery'), text.indexOf('## Shown under faults'))
    const lines = promises.split(/^- /m).slice(1)
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.filter((line) => !/\*`[\w/.-]+\.ts`/.test(line) && !/there is no order/.test(line))).toEqual([])
  })

  it.each([
    ["reactions of one entry to one minion's events in a minute", defaultLoopLimits.perMinute],
    ['reactions between the event from outside and the last one', defaultLoopLimits.depth],
    ['the same entry and file on one causal path', defaultLoopLimits.repeats],
    ['reactions of one event from outside, all levels together', defaultLoopLimits.total],
    ['deliveries in work at once', defaultWorkerOptions.inFlight],
  ])('says the limit on %s', (what, value) => {
    expect(text).toContain(`| ${what} | ${value.toLocaleString('en')} |`)
  })

  it('says how often and how long it retries', () => {
    const [base, cap] = [defaultRetry.base / 1_000_000, defaultRetry.cap / 60_000_000]
    expect(text.replace(/\s+/g, ' ')).toContain(
      `\`reactor_retry\`: tries ${defaultRetry.tries}, base ${base} s, cap ${cap} min`,
    )
  })
})
