// In CI a test has a second try, and each that needed it is told of, with what failed: a busy machine stops nothing, and hides nothing.
import type { Reporter, TestCase } from 'vitest/node'

/** For the `test` of a Vitest configuration. Outside CI a test has one try; the tests of `test/failure` have one everywhere. */
export const tries = { retry: process.env.CI === undefined ? 0 : 1, reporters: ['default', secondTries()] }

function secondTries(): Reporter {
  const needed: string[] = []
  return {
    onTestCaseResult(test: TestCase) {
      const result = test.result()
      if (result.state !== 'passed' || (test.diagnostic()?.retryCount ?? 0) === 0) return
      const reasons = (result.errors ?? []).map(({ message, stack }) => stack ?? message)
      needed.push(`${test.module.relativeModuleId} > ${test.fullName}: ${reasons.join('\n')}`)
    },
    onTestRunEnd() {
      for (const test of needed) console.log(`passed at the second try: ${test}`)
    },
  }
}
