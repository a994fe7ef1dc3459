// Tests that the page of the configuration keys is up to date.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PAGE, printPage } from './docs-configuration.ts'

it('docs/configuration.md has the keys as they are', () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(page, 'run: npx tsx scripts/docs-configuration.ts').toBe(printPage(page))
})
