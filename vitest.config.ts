// What `npm test` runs; the suites left out have commands of their own in package.json.
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { recorded } from './test/recorded-suites.ts'

/** Suites that take long: begun first, so that none is left alone at the end. */
const long = [/test\/articles\//, /test\/system\//, /cdk\//]

/** Rooms whose tests begin no minion: they share what was loaded, which takes a third of the time. */
const units = ['bench', 'cli', 'client', 'console', 'core', 'master', 'platform', 'reaction'].map(
  (room) => `${room}/**/*.test.ts`,
)
const exclude = ['node_modules/**', 'dist/**', 'test/aws/**', 'test/console/**', 'test/failure/**', ...recorded]

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
    projects: [
      { extends: true, test: { name: 'units', include: units, exclude, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['**/*.test.ts'], exclude: [...exclude, ...units] } },
    ],
    // Longer than the waits within: what fails says what it waited for.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'threads',
    // Half of the time is spent waiting for other processes.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
  },
})
