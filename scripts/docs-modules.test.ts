// Tests that the page of the functions, states and beacons is up to date, and that each of them has its doc.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtInBeacons } from '../agent/beacons/built-in.ts'
import { builtInStates } from '../agent/states/built-in.ts'
import { MODULES_PAGE, modulesPage } from './docs-modules.ts'

it('docs/modules.md has the docs as they are', () => {
  expect(readFileSync(MODULES_PAGE, 'utf8'), 'run: npx tsx scripts/docs-modules.ts').toBe(modulesPage())
})

describe('every state and beacon', () => {
  const states = builtInStates.flatMap(({ name, functions }) =>
    Object.entries(functions).map(([short, { doc }]) => [`${name}.${short}`, doc] as const),
  )
  it.each([...states, ...builtInBeacons().map(({ name, doc }) => [name, doc] as const)])('%s has a doc', (_, doc) => {
    expect(doc.length).toBeGreaterThan(20)
  })
})
