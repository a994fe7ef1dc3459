// Shows that the Lambda functions stay small: what they read at their start, and that it is only what most invocations need.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../system/built.ts'

/** What `scripts/bundle-functions.mjs` tells of a function. */
interface Size {
  readonly bytes: number
  readonly all: number
  readonly parts: Readonly<Record<string, number>>
}

const most = 600 * 1024
let folder = ''
let sizes: Readonly<Record<string, Size>> = {}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-functions-'))
  const told = execFileSync(process.execPath, [join(ROOT, 'scripts/bundle-functions.mjs'), folder], {
    encoding: 'utf8',
  })
  sizes = JSON.parse(told)
}, 400_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the bundles of the functions', () => {
  it('read at most 600 KB at their start', () => {
    expect(Object.keys(sizes)).toEqual(expect.arrayContaining(['gateway', 'reactor', 'run', 'event-log', 'socket']))
    expect(Object.entries(sizes).filter(([, { bytes }]) => bytes > most)).toEqual([])
  })

  it.each(['core/render/jinja', 'core/sls/lint', 'core/pillar', 'jose', 'bcryptjs'])('read %s later', (part) => {
    const early = Object.entries(sizes).filter(([, { parts }]) =>
      Object.keys(parts).some((path) => path.startsWith(part)),
    )
    expect(early.map(([name]) => name)).toEqual([])
  })

  it('read one file at their start', () => {
    const started = Object.keys(sizes).filter((name) =>
      /(?:from|import)\s*"\.{1,2}\//.test(readFileSync(join(folder, name, 'index.mjs'), 'utf8')),
    )
    expect(started).toEqual([])
  })

  it.each(['gateway', 'reactor', 'turn'])(
    'have every file that %s reads later, with what it asks of the first',
    (name) => {
      const files = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).filter(
        (path) => path.endsWith('.mjs') && path !== 'index.mjs',
      )
      const urls = files.map((path) => pathToFileURL(join(folder, name, path)).href)
      // Linked, not run: a name that a file asks for and another has not fails before anything is evaluated.
      const program = `import vm from 'node:vm'
      import { readFileSync } from 'node:fs'
      const known = new Map()
      const here = (url) => known.get(url) ?? known.set(url, new vm.SourceTextModule(readFileSync(new URL(url), 'utf8'), { identifier: url })).get(url)
      const builtin = async (name) => { const all = await import(name); return new vm.SyntheticModule(Object.keys(all), () => {}) }
      for (const url of ${JSON.stringify(urls)})
        if (here(url).status === 'unlinked') await here(url).link((path, from) => path.startsWith('.') ? here(new URL(path, from.identifier).href) : builtin(path))
      console.log(known.size)`
      const told = execFileSync(process.execPath, [
        '--experimental-vm-modules',
        '--no-warnings',
        '--input-type=module',
        '-e',
        program,
      ])
      expect(Number(told)).toBeGreaterThan(files.length)
    },
  )
})
