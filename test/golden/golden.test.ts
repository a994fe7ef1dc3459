// Holds our programs to the transcripts of real Salt: what must be equal is, and nine in ten of what is here are.
import { describe, expect, it } from 'vitest'
import { areGoldensHere, judge } from './judge.ts'

if (!areGoldensHere) console.log('golden: the transcripts are not beside the repository; 1 test skipped')

describe.skipIf(!areGoldensHere)('the transcripts of real Salt', () => {
  it('come out equal, but for the exceptions', async () => {
    const { verdicts, lines, summary, share } = await judge([], () => undefined)
    console.log([...lines.filter((line) => !line.startsWith('equal')), summary].join('\n'))
    const different = verdicts.filter(({ differences, exception }) => differences.length > 0 && exception === undefined)
    expect(different.map(({ transcript }) => transcript)).toEqual([])
    expect(share).toBeGreaterThanOrEqual(0.9)
  }, 900_000)
})
