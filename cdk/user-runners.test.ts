// Runners of the user's own: bundled, checked at synth, and loaded as the functions load them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Draft } from '../master/fire.ts'
import { createStartRun } from '../master/run.ts'
import { loadRunners } from '../master/user-runners.ts'
import { SystemClock } from '../reaction/system-clock.ts'
import { bundledRunners } from './user-runners.ts'

const root = mkdtempSync(join(tmpdir(), 'brine-runners-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(root, 'runners-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

const files = {
  'fleet.mjs': `import { double } from './lib/double.mjs'
export async function grow({ by, rest }) { return { by: double(by), rest } }
grow.params = { by: 1, '**': true }
grow.doc = 'Grow the fleet.'
export function shrink() { throw new Error('not while it rains') }
export async function count({ to }, { progress, print }) {
  print('from one')
  for (let n = 1; n <= to; n++) progress(n === to ? { message: 'done', n } : \`\${n}\`)
  return to
}
count.params = { to: 2 }
export const limit = 5
`,
  'lib/double.mjs': 'export const double = (n) => 2 * n\n',
  'notes.txt': 'no runner\n',
}

/** Both ways: a folder of the master's, and what the construct makes of it. */
describe.each([
  ['embedded', (path: string) => path],
  ['on AWS', (path: string) => bundledRunners([path])],
])('%s', (_, deployed) => {
  it('runs their functions by name', async () => {
    const warnings: string[] = []
    const table = await loadRunners([deployed(folder(files))], (message) => warnings.push(message))
    expect(warnings).toEqual([])
    expect([...table.keys()].sort()).toEqual(['fleet.count', 'fleet.grow', 'fleet.shrink'])
    const fired: string[] = []
    const fire = async (...drafts: readonly Draft[]) => {
      fired.push(...drafts.map(({ tag, data }) => `${tag.split('/').at(-1)} ${JSON.stringify(data)}`))
      return []
    }
    const start = createStartRun(
      { runner: () => table, wheel: () => new Map() },
      { fire, keep: async () => undefined },
      new SystemClock(),
    )
    const run = async (fun: string, kwarg = {}) =>
      (await start({ client: 'runner', fun, arg: [], kwarg, user: 'root' }).outcome).return
    expect(await run('fleet.grow', { by: 4, zone: 'a' })).toEqual({ by: 8, rest: { zone: 'a' } })
    expect(await run('fleet.grow')).toEqual({ by: 2, rest: {} })
    expect(await run('fleet.shrink')).toContain('Exception occurred in runner fleet.shrink: Error: not while it rains')
    expect(await run('fleet.limit')).toBe("'fleet.limit' is not available.")

    fired.length = 0
    const heard: string[] = []
    const { outcome } = start({ client: 'runner', fun: 'fleet.count', arg: [], kwarg: {}, user: 'root' }, (said) =>
      heard.push(said.kind === 'printed' ? said.text : `${said.suffix} ${said.event.message}`),
    )
    expect(await outcome).toMatchObject({ return: 2, printed: ['from one'], progress: [{}, { event: { n: 2 } }] })
    expect(heard).toEqual(['from one', 'progress 1', 'progress done'])
    expect(fired).toEqual([
      expect.stringMatching(/^new /),
      expect.stringMatching(/^progress {"message":"1"/),
      expect.stringMatching(/^progress {"message":"done","n":2/),
      expect.stringMatching(/^ret /),
    ])
  })
})

describe('at synth', () => {
  it.each([
    [{ 'old.py': 'def run(): pass\n' }, /old\.py is Python, .* Write it as old\.mjs/],
    [{ 'bad.mjs': 'export function x( {\n' }, /bad\.mjs: line \d+: /],
    [{ 'none.mjs': 'export const x = 1\n' }, /none\.mjs: it exports no function/],
    [
      { 'throws.mjs': 'throw new Error("at once")\nexport function x() {}\n' },
      /throws\.mjs: it does not load: at once/,
    ],
    [{ 'lost.mjs': "import x from 'no-such-package'\nexport function y() { return x }\n" }, /Could not resolve/],
  ])('%j is refused', (wrong, words) => {
    expect(() => bundledRunners([folder({ ...wrong, 'good.mjs': 'export function a() {}\n' })])).toThrow(words)
  })

  it('tells all that is wrong at once', () => {
    const wrong = folder({ 'a.py': '', 'b.py': '', 'c.mjs': 'export const x = 1\n' })
    expect(() => bundledRunners([wrong, join(root, 'nowhere')])).toThrow(/a\.py.*b\.py.*c\.mjs.*There is no folder/s)
  })
})
