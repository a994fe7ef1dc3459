// The configuration's files: what they include is read after them, relative to them, and what is not there is said.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfigFiles } from '../../client/config-files.ts'
import { parseMasterConfig } from '../../core/config/index.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-config-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

it('reads what the files include, by name and by pattern, once on a way', async () => {
  write({
    master: 'include:\n  - more/*.conf\n  - one\n  - gone\ntimeout: 1\n',
    'master.d/a.conf': 'include: ../part\ntimeout: 2\n',
    part: 'gather_job_timeout: 3\n',
    one: 'include: master\ntimeout: 4\n',
    'more/b.conf': 'reactor:\n  - b: [b.sls]\n',
    'more/a.conf': 'reactor:\n  - a: [a.sls]\n',
  })
  const files = await readConfigFiles(folder, 'master')
  expect(files.map(({ name }) => name.slice(folder.length + 1))).toEqual([
    ...['master', 'more/a.conf', 'more/b.conf', 'one', 'master.d/a.conf', 'part'],
  ])
  const { config, reactor, problems } = parseMasterConfig(files)
  expect(config).toMatchObject({ timeout: 4, gather_job_timeout: 3 })
  expect(reactor.entries.map(({ glob }) => glob)).toEqual(['a', 'b'])
  expect(problems.map(({ message }) => message)).toContain('include: gone names no file. Write it, or take it out.')
})
