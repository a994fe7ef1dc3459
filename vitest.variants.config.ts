// What `npm run test:variants` runs: commands, requests and states of real Salt's that were recorded in bulk, played again.
import { defineConfig } from 'vitest/config'
import { recorded } from './test/recorded-suites.ts'

export default defineConfig({
  test: {
    globalSetup: ['test/umask.ts'],
    include: recorded,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
