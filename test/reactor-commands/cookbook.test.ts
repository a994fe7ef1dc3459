// Every block of the cookbook is printed by one of these tests.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { shownNames } from './cookbook.ts'

it('each block of the cookbook stands there once, and a test prints it', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const tests = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  const text = tests.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('\n')
  const names = shownNames()
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(20)
  for (const name of names) expect(text, name).toMatch(new RegExp(`(?:expectShown|shows)\\(\\s*'${name}'`))
})
