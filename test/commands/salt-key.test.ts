// brine-key beside what salt-key 3007.15 printed for the same keys and the same words, and what it left of the keys.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Io } from '../../cli/commands/io.ts'
import { runKey } from '../../cli/commands/key-main.ts'
import { toFile } from '../../cli/commands/to-file.ts'
import { readBrineKey } from '../../cli/options/index.ts'
import { connectOver } from '../../client/connection.ts'
import { parseJson, stringifyJson } from '../../core/value/index.ts'
import { buildApp } from '../../master/api/app.ts'
import { keyRoutes } from '../../master/api/key-routes.ts'
import type { KeyRecord } from '../../master/ports.ts'
import { type TestMaster, testMaster } from '../master/harness.ts'

/** A recorded run; `@DIR@` stands for a folder of its own. */
interface Recorded {
  readonly name: string
  readonly args: readonly string[]
  readonly input: string
  readonly empty: boolean
  readonly exit: number
  readonly out: string
  readonly err: string
  /** The lists afterwards. */
  readonly state: Readonly<Record<string, readonly string[]>>
  /** What stands in the two files that `--out-file` names. */
  readonly files: Readonly<Record<string, string>>
  /** What `--gen-keys` left. */
  readonly made: readonly string[]
}

const [first = '', ...lines] = readFileSync(new URL('salt-key.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
const recordedKeys = JSON.parse(first) as Readonly<Record<string, Readonly<Record<string, string>>>>
const recorded = lines.map((line) => JSON.parse(line) as Recorded)

/** What we do otherwise on purpose. */
const otherwise = new Map([
  ['q_list', 'quiet prints nothing'],
  ['q_accept', 'quiet prints nothing'],
  ['q_none', 'quiet prints nothing'],
  ['gen_quiet', 'quiet prints nothing'],
  ['version', 'the version'],
  ['gen_slash', 'salt-key ends with 0 where it could not write; brine-key with 2'],
  ['R_incl', 'salt-key tells a key twice that has been denied too'],
  ['r_den', 'salt-key tells a key twice that has been denied too'],
  ['F_none', 'our master always has its key'],
])

let started: TestMaster
let root: string
beforeAll(async () => {
  started = await testMaster()
  root = mkdtempSync(join(tmpdir(), 'brine-key-'))
})
afterAll(async () => {
  await started.close()
  rmSync(root, { recursive: true, force: true })
})

/** Puts the keys back as they were when the recording began. */
async function reset(empty: boolean): Promise<void> {
  const ring = started.store.keys
  for (const { revision, id, epoch } of await ring.list())
    await ring.update({ id, epoch: epoch + 1, denied: [] }, revision)
  if (empty) return
  const states = { minions: 'accepted', minions_pre: 'pending', minions_rejected: 'rejected' } as const
  const records = new Map<string, Omit<KeyRecord, 'revision'>>()
  for (const [list, state] of Object.entries(states))
    for (const [id, pub] of Object.entries(recordedKeys[list] ?? {}))
      records.set(id, { id, epoch: 1, current: { state, pub, since: 1 }, denied: [] })
  for (const [id, pub] of Object.entries(recordedKeys.minions_denied ?? {})) {
    const record = records.get(id)
    if (record !== undefined) records.set(id, { ...record, denied: [{ pub, at: 1 }] })
  }
  for (const [id, record] of records) await ring.update(record, (await ring.get(id))?.revision)
}

async function run(args: readonly string[], input: string): Promise<{ exit: number; out: string; err: string }> {
  const { master, store } = started
  const { fetch } = buildApp(keyRoutes(master, store), {
    tokens: store.tokens,
    keys: store.keys,
    clock: store.clock,
    report: () => undefined,
  })
  const connection = connectOver({
    async post(path, body) {
      const request = new Request(`http://master${path}`, { method: 'POST', body: stringifyJson(body) })
      return parseJson(await (await fetch(request, { transport: 'socket', localUser: 'root' })).text())
    },
    get: () => Promise.reject(new Error('brine-key only posts')),
    lines: () => Promise.reject(new Error('brine-key only posts')),
    close: () => undefined,
  })
  const answers = input.split('\n').slice(0, -1)
  const said = { out: '', err: '' }
  const io: Io = {
    async out(text) {
      said.out += text
    },
    err(text) {
      said.err += text
    },
    async ask(question) {
      said.out += question
      return answers.shift()
    },
    input: async () => input,
    isTty: false,
    environment: {},
    interrupted: new AbortController().signal,
  }
  const invocation = await readBrineKey(args, { version: '0' })
  if (invocation.kind === 'end') return { exit: invocation.exit, out: invocation.stdout, err: invocation.stderr }
  const settings = { connection, output: {}, timeout: 5, gatherJobTimeout: 5 }
  const exit = await runKey(invocation, settings, toFile(io, invocation.options))
  return { exit, ...said }
}

/** A new pair has another fingerprint each time. */
const mask = (text: string): string => text.replace(/(return"?:\s+"?)(?:[0-9a-f]{2}:){31}[0-9a-f]{2}/, '$1<finger>')

describe('brine-key', () => {
  // Only root gives a file to a user.
  const left = process.getuid?.() === 0 ? [] : ['gen_user']
  it.each(
    recorded.filter(({ name }) => !otherwise.has(name) && !left.includes(name)).map((one) => [one.name, one] as const),
  )('%s', async (_, one) => {
    await reset(one.empty)
    const folder = mkdtempSync(join(root, 'run-'))
    mkdirSync(join(folder, 'gen', 'again'), { recursive: true })
    for (const file of ['out', 'outa']) writeFileSync(join(folder, file), 'before\n')
    if (one.name === 'gen_twice')
      for (const file of ['foo.pem', 'foo.pub'])
        writeFileSync(join(folder, 'gen', 'again', file), 'old', { mode: 0o400 })
    const ended = await run(
      one.args.map((word) => word.replace('@DIR@', folder)),
      one.input,
    )
    expect(mask(ended.out)).toBe(mask(one.out))
    expect(ended.exit).toBe(one.exit)
    if (one.exit !== 0) expect(ended.err.replaceAll('brine-key', 'salt-key')).toBe(one.err.replace(/\n+$/, '\n'))
    const { minions, minions_pre, minions_rejected, minions_denied } = await started.master.keys.lists()
    expect({ minions, minions_pre, minions_rejected, minions_denied }).toEqual(one.state)
    for (const [file, text] of Object.entries(one.files)) expect(readFileSync(join(folder, file), 'utf8')).toBe(text)
    const made = readdirSync(join(folder, 'gen'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(made.map(({ name }) => name).sort()).toEqual(one.made.map((path) => path.split('/').at(-1)).sort())
    for (const { parentPath, name } of made) {
      const mode = statSync(join(parentPath, name)).mode & 0o777
      expect(mode).toBe(name.endsWith('.pem') ? 0o400 : 0o644)
    }
  })

  it('says that the answer did not come', async () => {
    await reset(false)
    const err = 'Error: EOF when reading a line\n'
    expect(await run(['-a', 'pre1'], '')).toMatchObject({ exit: 0, err })
    expect(await run(['-d', 'acc1'], '')).toMatchObject({ exit: 0, err })
  })

  it('prints nothing with -q, and does it all the same', async () => {
    await reset(false)
    expect(await run(['-q', '-y', '-a', 'pre1'], '')).toEqual({ exit: 0, out: '', err: '' })
    expect((await started.master.keys.lists()).minions).toContain('pre1')
  })
})
