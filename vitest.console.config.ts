// What `npm run test:console` runs: the console in a real browser, against a real master and minions.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/console/**/*.test.ts'],
    // Longer than a wait inside: on a busy machine that says what it waited for. Tests of many waits say their own.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000, interval: 100 } },
    pool: 'forks',
    maxWorkers: 1,
    // The tests of a file go through one session in order: what follows a failure would tell nothing.
    bail: 1,
  },
})
