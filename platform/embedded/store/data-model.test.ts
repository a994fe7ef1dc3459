// docs/data-model.md lists the tables there are, and no other.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEmbeddedStore } from './embedded-store.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'brine-model-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

it('docs/data-model.md lists every table of the store', async () => {
  const store = await openEmbeddedStore({ dataDir: join(directory, 'data'), pkiDir: join(directory, 'pki') })
  await store.close()
  const root = open({ path: join(directory, 'data', 'store'), noSubdir: false, encoding: 'string' })
  const tables = [...root.getKeys()].map(String).sort()
  await root.close()
  const page = readFileSync(new URL('../../../docs/data-model.md', import.meta.url), 'utf8')
  const listed = [...page.slice(page.indexOf('## Tables')).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name).sort()
  expect(listed).toEqual(tables)
  expect(tables.length).toBeGreaterThan(20)
})
