// Trying reactors before they are live: reactor.test, reactor.lint and brine test, as typed, as the cookbook shows them.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMapping, parseJson } from '../../core/value/index.ts'
import { ensureBuilt, programPath, ROOT } from '../system/built.ts'
import { type Ended, runProgram } from '../system/process.ts'
import { expectShown, pageFile } from './cookbook.ts'
import { type EmbeddedStage, embeddedStage } from './embedded.ts'

const CONFIG = `reactor:
  - 'salt/auth':
    - /srv/reactor/auth.sls
  - 'shop/clean':
    - /srv/reactor/clean.sls
  - 'salt/minon/*/start':
    - /srv/reactor/start.sls
`
const CLEAN = `clean_up:
  local.cmd.run:
    - tgt: {{ data['id'] }}
    - arg:
      - rm -r /srv/cache/{{ data['data']['folder'] }}

tell:
  runner.event.sned:
    - args:
      - shop/cleaned
`

let stage: EmbeddedStage
/** A folder with the sample reactors, to work in. */
let folder: string

beforeAll(async () => {
  await ensureBuilt()
  const auth = readFileSync(join(ROOT, 'reactors/auth.sls'), 'utf8')
  stage = await embeddedStage(CONFIG, { 'srv/reactor/auth.sls': auth, 'srv/reactor/clean.sls': CLEAN })
  folder = mkdtempSync(join(tmpdir(), 'brine-'))
  cpSync(join(ROOT, 'reactors'), join(folder, 'reactors'), { recursive: true })
}, 180_000)
afterAll(async () => {
  await stage.close()
  rmSync(folder, { recursive: true })
})

function brine(...args: string[]): Promise<Ended> {
  return runProgram(process.execPath, [programPath('brine'), ...args], { cwd: folder })
}

describe('reactor.test', () => {
  it('renders, compiles and binds what would run, and runs nothing', async () => {
    const before = (await stage.embedded.store.log.read('oldest', 1000)).events.length
    const data = '{"id": "web-asg-7", "act": "pend"}'
    const { stdout, exit } = await stage.run('reactor.test', 'salt/auth', data)
    expect(exit).toBe(0)
    expectShown('test', `brine-run reactor.test salt/auth '${data}'`, stdout, stage.root)
    const after = (await stage.embedded.store.log.read('oldest', 1000)).events.map(({ event }) => event.tag)
    expect(after.slice(before).every((tag) => tag.startsWith('salt/run/'))).toBe(true)
  })

  it('reads the data from standard input, as JSON over several lines or as YAML', async () => {
    for (const stdin of ['{\n  "id": "web-asg-7",\n  "act": "pend"\n}\n', 'id: web-asg-7\nact: pend\n']) {
      const { stdout } = await runProgram(
        process.execPath,
        [
          programPath('brine-run'),
          '--sock',
          stage.embedded.socketPath,
          'reactor.test',
          'salt/auth',
          '-',
          '--out',
          'json',
        ],
        { stdin },
      )
      const told = parseJson(stdout)
      expect(told).toMatchObject({ tag: 'salt/auth', files: [{ reactions: [{ call: { fun: 'key.accept' } }, {}] }] })
    }
  })

  it('tells an error with its place, and what would not match', async () => {
    const broken = await stage.run('reactor.test', 'salt/auth')
    expectShown('test-error', 'brine-run reactor.test salt/auth', broken.stdout, stage.root)
    const missed = await stage.run('reactor.test', 'shop/cleaned')
    expect(missed.stdout).toContain(
      "  - shop/clean: the tag goes on with 'cleaned' at character 11, where the glob ends",
    )
    expect((await stage.run('reactor.test', 'salt/auth', '[1]')).exit).toBe(1)
  })

  it('takes an event of the log', async () => {
    const [event] = await stage.embedded.master.fire({
      tag: 'shop/clean',
      data: { id: 'web1', data: { folder: 'x; y' } },
    })
    const { stdout } = await stage.run('reactor.test', event?.id ?? '')
    expect(stdout).toContain('clean_up: local.cmd.run(rm -r /srv/cache/x; y) on web1')
    expect(stdout).toContain("note: 'shop/cleaned' in `args` is the keyword argument shop/cleaned=None")
  })
})

describe('reactor.lint', () => {
  it('finds what would surprise, and fails for errors', async () => {
    const { stdout, exit } = await stage.run('reactor.lint')
    expect(exit).toBe(1)
    expectShown('lint', 'brine-run reactor.lint', stdout, stage.root)
    const told = parseJson((await stage.run('reactor.lint', '--out', 'json')).stdout)
    const problems = isMapping(told) && Array.isArray(told.problems) ? told.problems.filter(isMapping) : []
    expect(problems.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['unreachable', 'no-file', 'unquoted', 'unknown-function', 'args-item']),
    )
  })

  it('looks at the files that are named', async () => {
    const { stdout, exit } = await stage.run('reactor.lint', 'auth.sls')
    expect([exit, stdout]).toEqual([0, '0 errors, 0 warnings in 1 file and 3 entries\n'])
    expect((await stage.run('reactor.lint', 'auth.sl')).stdout).toContain('No entry of the reactor leads to auth.sl.')
  })
})

describe('brine test', () => {
  it('passes for the sample reactors, without a master', async () => {
    const { stdout, stderr, exit } = await brine('test')
    expect([exit, stderr]).toEqual([0, ''])
    expectShown('brine-test', 'brine test', stdout, folder)
    const linted = await brine('test', '--lint', '-v', 'reactors')
    expect([linted.exit, linted.stdout]).toEqual([0, expect.stringContaining('0 errors, 0 warnings in 4 files')])
  })

  it('shows what differs, ends with 1, and writes what is so where it is told to', async () => {
    const file = join(folder, 'reactors/hello.test.yml')
    const written = readFileSync(file, 'utf8')
    writeFileSync(file, written.replace('[hello you]', '[hello YOU]'))
    const failed = await brine('test', 'reactors/hello.sls')
    expect(failed.exit).toBe(1)
    expectShown('brine-test-failed', 'brine test reactors/hello.sls', failed.stdout, folder)
    const told = parseJson((await brine('test', 'reactors/hello.test.yml', '--out', 'json')).stdout)
    expect(told).toMatchObject({ passed: 3, failed: 1, files: [{ cases: [{ outcome: 'failed' }, {}, {}, {}] }] })
    expect((await brine('test', '-k', 'without a name')).exit).toBe(0)

    const updated = await brine('test', '--update')
    expect([updated.exit, updated.stdout]).toEqual([0, expect.stringContaining('12 passed, 0 failed, 1 updated')])
    expect((await brine('test')).exit).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(
      written.replace('[hello you]', '\n          - hello you').replace(': \n', ':\n'),
    )
    writeFileSync(file, written)
  })

  it('passes for the cases that the cookbook shows', async () => {
    const shop = join(folder, 'shop')
    mkdirSync(shop)
    for (const name of ['ship.sls', 'ship.test.yml']) writeFileSync(join(shop, name), pageFile(`srv/reactor/${name}`))
    writeFileSync(join(shop, 'reactor.conf'), pageFile('reactor.conf'))
    const { stdout, exit } = await brine('test', 'shop')
    expect([exit, stdout]).toEqual([0, 'shop/ship.test.yml: 3 of 3 passed\n\n3 passed, 0 failed\n'])
  })

  it('says what is wrong with the tests themselves', async () => {
    const broken = join(folder, 'broken')
    cpSync(join(folder, 'reactors'), broken, { recursive: true })
    writeFileSync(join(broken, 'auth.test.yml'), '- tga: salt/auth\n')
    const { stdout, exit } = await brine('test', 'broken')
    expect([exit, stdout]).toEqual([1, expect.stringContaining('there is no key tga. It may have tag.')])
    expect((await brine('test', 'nothing.test.yml')).exit).toBe(1)
    expect((await brine('test', '--nonsense')).exit).toBe(64)
    writeFileSync(join(broken, 'auth.test.yml'), '- tag: salt/auht\n  sls: auth.sls\n  expect: {}\n')
    expect((await brine('test', 'broken/auth.test.yml')).stdout).toContain(
      'no entry of the reactor leads salt/auht to auth.sls',
    )
  })
})
