// What `npm run test:variants` runs: commands of real Salt's that were recorded, typed at the programs of `dist/`.
import { defineConfig } from 'vitest/config'
import { tries } from './test/second-tries.ts'

export default defineConfig({
  test: {
    ...tries,
    include: ['test/variants/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
