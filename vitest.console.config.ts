// What `npm run test:console` runs: the console in a real browser, against a real master and minions.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/console/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
    // The tests of a file go through one session in order: what follows a failure would tell nothing.
    bail: 1,
  },
})
