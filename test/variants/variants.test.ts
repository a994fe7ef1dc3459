// What Salt's programs printed and fired for the variants, asked of ours: equal, but for what is decided otherwise. The records
// are a choice of the variants; record.ts makes those of all, and run.ts plays them.
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SALT_LAB } from '../golden/judge.ts'
import type { Lab } from '../system/lab.ts'
import { decided } from './decided.ts'
import { play, startVariantLab } from './play.ts'
import { subjects } from './recorded.ts'

const isHere = existsSync(SALT_LAB)
if (!isHere)
  console.log(`variants: the lab's files are not beside the repository; ${Object.keys(subjects).length} tests skipped`)

// Each subject has a lab of its own, as it had when it was recorded: what one leaves behind another would see.
let lab: Lab
beforeEach(async () => {
  lab = await startVariantLab()
}, 120_000)
afterEach(() => lab.close())

describe.skipIf(!isHere)("as Salt's programs answer", () => {
  it.each(Object.keys(subjects))(
    '%s',
    async (subject) => {
      const different: unknown[] = []
      let equal = 0
      for await (const { name, differences } of play(lab, subject)) {
        const isEqual = differences.length === 0
        if (isEqual === (decided[name] === undefined)) equal += 1
        else different.push({ name, differences, decided: decided[name] })
      }
      expect(different).toEqual([])
      expect(equal).toBeGreaterThan(10)
    },
    1_800_000,
  )
})
