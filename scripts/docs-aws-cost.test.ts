// Tests that the cost tables of docs/aws.md are what the model says.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dollarsOf, PAGE, printPage, sum } from './docs-aws-cost.ts'

it('docs/aws.md has the tables as they are computed', () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(page, 'run: npx tsx scripts/docs-aws-cost.ts').toBe(printPage(page))
})

it('adds up counts and prices them', () => {
  const counts = sum([2, { putEvents: 3 }], [1, { putEvents: 1, secrets: 2 }])
  expect(counts).toEqual({ putEvents: 7, secrets: 2 })
  expect(dollarsOf(counts)).toBeCloseTo(7e-6 + 0.8, 10)
})
