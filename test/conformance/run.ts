// Judges golden files: `npm run -s conformance -- DIR [FILE] [--failures]`. Ends with one line: `N passed, N failed`.
import { existsSync } from 'node:fs'
import { goldenFiles, judgeFile } from './suite.ts'
import { SUITES } from './suites/index.ts'

const words = process.argv.slice(2)
const [directory, only] = words.filter((word) => !word.startsWith('--'))
const unknown = words.find((word) => word.startsWith('--') && word !== '--failures')

if (directory === undefined || unknown !== undefined) {
  process.stderr.write(`${unknown === undefined ? 'No directory given' : `Unknown option ${unknown}`}. `)
  process.stderr.write('Usage: npm run -s conformance -- DIR [FILE.jsonl] [--failures]\n')
  process.exitCode = 64
} else {
  const files = existsSync(directory) ? goldenFiles(directory, only) : []
  if (files.length === 0) {
    process.stderr.write(`No golden rows: there is no ${only ?? '*.jsonl'} in ${directory}.\n`)
    process.exitCode = 66
  } else {
    process.exitCode = (await run(directory, files, words.includes('--failures'))) > 0 ? 1 : 0
  }
}

async function run(directory: string, files: readonly string[], showFailures: boolean): Promise<number> {
  let passed = 0
  let failed = 0
  for (const file of files) {
    const report = await judgeFile(directory, file, SUITES)
    passed += report.passed
    failed += report.failures.length
    const counts =
      report.unjudged > 0 ? `${report.unjudged} rows, no suite` : countsOf(report.passed, report.failures.length)
    process.stdout.write(`${file}: ${counts}\n`)
    if (showFailures) for (const { row, got } of report.failures) process.stdout.write(`  ${row}\n    got ${got}\n`)
  }
  process.stdout.write(`${countsOf(passed, failed)}\n`)
  return failed
}

function countsOf(passed: number, failed: number): string {
  return `${passed} passed, ${failed} failed`
}
