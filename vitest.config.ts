// What `npm test` runs; the suites left out have commands of their own in package.json.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**', 'test/aws/**', 'test/console/**', 'test/failure/**'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'threads',
    // Half of the time is spent waiting for other processes.
    maxWorkers: 3,
  },
})
