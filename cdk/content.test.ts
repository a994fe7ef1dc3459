// What is packed of file_roots: the first root that has a file, and nothing that is ignored.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Content } from './content.ts'
import { ignoredOf } from './settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-content-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const reactors = join(import.meta.dirname, '../reactors')

it('leaves out what the settings ignore, of the files alone', () => {
  for (const name of ['one', 'two', 'one/.git', 'pillar', 'pillar/.git']) mkdirSync(join(folder, name))
  for (const path of ['one/a.sls', 'one/b.pyc', 'one/.git/config', 'two/a.sls', 'two/b.pyc', 'pillar/.git/config'])
    writeFileSync(join(folder, path), path)
  const settings = { file_ignore_glob: [`${folder}/one/*.pyc`], file_ignore_regex: '/[.]git($|/)' }
  const app = new App()
  const { asset } = new Content(new Stack(app, 'Test'), 'Content', {
    reactors,
    fileRoots: { base: [join(folder, 'one'), join(folder, 'two')] },
    pillarRoots: { base: [join(folder, 'pillar')] },
    ignoresFile: ignoredOf(settings),
    autosign: new Map([['grains/uuid', 'x']]),
  })
  const { files, modes } = JSON.parse(readFileSync(join(app.outdir, asset.assetPath), 'utf8'))
  const text = (packed: string): string => Buffer.from(packed, 'base64').toString()
  expect(Object.entries<string>(files.base).map(([path, packed]) => [path, text(packed)])).toEqual([
    ['a.sls', 'one/a.sls'],
    ['b.pyc', 'two/b.pyc'],
  ])
  expect(Object.keys(modes.base)).toEqual(['a.sls', 'b.pyc'])
  expect(files['autosign:base']).toEqual({ 'grains/uuid': Buffer.from('x').toString('base64') })
  expect(Object.keys(files['pillar:base'])).toEqual(['.git/config'])
}, 60_000)

it('refuses expressions that are none', () => {
  expect(() => ignoredOf({ file_ignore_regex: ['('] })).toThrow(
    "Allowed is a list of regular expressions in Python's syntax",
  )
})
