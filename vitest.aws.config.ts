// What `npm run test:aws` runs: everything that needs AWS's interfaces, on an emulator.
import { defineConfig } from 'vitest/config'
import { tries } from './test/second-tries.ts'

export default defineConfig({
  test: {
    ...tries,
    include: ['test/aws/**/*.test.ts'],
    globalSetup: ['test/aws/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
