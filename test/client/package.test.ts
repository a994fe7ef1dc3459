// The package as another program sees it: what it exports, and the types that come with it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../system/built.ts'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brine-package-'))
  const { buildTypes } = (await import(pathToFileURL(join(ROOT, 'scripts/build-types.mjs')).href)) as {
    buildTypes: (root: string, say: (line: string) => void) => readonly (readonly [string, string])[]
  }
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: unknown; type: string }
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  write('node_modules/brine/package.json', JSON.stringify({ name: 'brine', ...manifest }))
  // What the package depends on stands beside it.
  symlinkSync(join(ROOT, 'node_modules/zod'), join(folder, 'node_modules/zod'))
  for (const [name, text] of buildTypes(ROOT, () => undefined)) write(`node_modules/brine/dist/${name}`, text)
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** What the compiler says of a program that uses the package. */
function compile(text: string): string {
  writeFileSync(join(folder, 'program.mts'), text)
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2023'
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  const { stdout } = spawnSync(process.execPath, [compiler, 'program.mts', ...options.split(' '), ...types], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout
}

it('has types for all that the articles do', () => {
  const program = `
import { Caller, connectLocal, fnmatch, iterEvents, LocalClient, MasterEvent, MinionEvent, RunnerClient } from 'brine'
const master = await connectLocal('/etc/brine')
const returned: Record<string, unknown> = await new LocalClient(master).cmd('*', 'test.ping')
const events = new MasterEvent(master)
const ret = await events.getEvent({ full: true })
if (ret !== null && fnmatch(ret.tag, 'salt/job/*/ret/*')) console.log(ret.data, returned)
for await (const { tag } of iterEvents(master, { tag: 'salt/auth', matchType: 'startswith' })) tag.toUpperCase()
for await (const { tag } of new MinionEvent().iterEvents({ matchType: 'regex', tag: 'custom/.*' })) tag.toUpperCase()
await new Caller().cmd('event.send', 'a/b', { success: true })
await new RunnerClient(master).cmd('manage.up')
`
  expect(compile(program)).toBe('')
}, 180_000)

it('and they are not just anything', () => {
  const said = compile("import { LocalClient } from 'brine'\nnew LocalClient(5)\n")
  expect(said).toContain('TS2345')
}, 180_000)
