// What `npm test` runs; the suites left out have commands of their own in package.json.
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { recorded } from './test/recorded-suites.ts'

/** Suites that take long: begun first, so that none is left alone at the end. */
const long = [/test\/articles\//, /test\/system\//, /cdk\//]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = long.findIndex((pattern) => pattern.test(moduleId))
      return found < 0 ? long.length : found
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/umask.ts'],
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**', 'test/aws/**', 'test/console/**', 'test/failure/**', ...recorded],
    // Longer than the waits within: what fails says what it waited for.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'threads',
    // Half of the time is spent waiting for other processes.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
  },
})
