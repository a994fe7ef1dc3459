// What `npm run test:failure` runs: every fault, many times over, judged by what jobs did.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/failure/**/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
    // The counts are what these tests are for: they are printed whatever comes of them.
    reporters: ['verbose'],
    disableConsoleIntercept: true,
  },
})
