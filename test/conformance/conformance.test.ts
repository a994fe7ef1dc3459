// Every golden file a suite exists for, row by row, where the shared goldens are at hand.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { goldenFiles, judgeFile } from './suite.ts'
import { SUITES } from './suites/index.ts'

const directory = join(process.env.BRINE_SHARED ?? '../shared', 'conformance')
const files = existsSync(directory) ? goldenFiles(directory) : []

describe('conformance', () => {
  const missing = Object.keys(SUITES).filter((file) => !files.includes(file))
  afterAll(() => {
    if (missing.length > 0)
      process.stderr.write(`conformance: ${missing.length} suites skipped, no golden rows: ${missing.join(', ')}\n`)
  })

  for (const file of Object.keys(SUITES)) {
    it.skipIf(missing.includes(file))(file, async () => {
      const report = await judgeFile(directory, file, SUITES)
      expect(report.failures).toEqual([])
      expect(report.passed).toBeGreaterThan(0)
    })
  }
})
