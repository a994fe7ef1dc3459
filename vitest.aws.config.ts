// What `npm run test:aws` runs: everything that needs AWS's interfaces, on an emulator.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/aws/**/*.test.ts'],
    globalSetup: ['test/aws/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
