// What `npm run test:aws` runs: everything that needs AWS's interfaces, on an emulator.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/aws/**/*.test.ts'],
    globalSetup: ['test/aws/setup.ts'],
    // Longer than a wait inside: on a busy machine that says what it waited for. Tests of many waits say their own.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 90_000, interval: 100 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
