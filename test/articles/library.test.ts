// ARTICLES.md, 7 and 20–28: the event stream by curl, and programs that use the library.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  Caller,
  type Connection,
  connectLocal,
  fnmatch,
  getEvent,
  iterEvents,
  MasterEvent,
  MinionEvent,
} from '../../client/index.ts'
import { ROOT } from '../system/built.ts'
import { runProgram, startProgram } from '../system/process.ts'
import { waitFor } from '../system/wait.ts'
import { type Stage, setStage } from './stage.ts'

let stage: Stage
let master: Connection
const users =
  "sharedsecret: s3cret\nexternal_auth: {sharedsecret: {me: ['.*', '@runner']}}\nnetapi_enable_clients: [local]\n"

beforeAll(async () => {
  stage = await setStage({ master: `auto_accept: True\n${users}` })
  await stage.join('ubuntuAsus')
  master = await connectLocal(stage.etc)
}, 180_000)
afterAll(async () => {
  master?.close()
  await stage.close()
})

const fire = (tag: string, data = {}) => stage.connection().fire(tag, data)
const ping = () => stage.shell('brine ubuntuAsus test.ping')

it('7: curl -SsNk https://…/events?token=$TOKEN', async () => {
  const port = new URL((await stage.shell('sed -n "s/^  port: /http:\\/\\/x:/p" etc/brine/master')).stdout.trim()).port
  const login = `curl -sk https://127.0.0.1:${port}/login -d username=me -d password=s3cret -d eauth=sharedsecret`
  const token = /"token": "(\w+)"/.exec((await stage.shell(login)).stdout)?.[1]
  const curl = stage.shellStart('curl', `curl -SsNk -D - 'https://127.0.0.1:${port}/events?token=${token}'`)
  await waitFor('the stream', () => (curl.stdout().includes('retry: 400') ? true : undefined))
  await ping()
  const text = await waitFor('a return', () =>
    /ret\/ubuntuAsus\ndata: /.test(curl.stdout()) ? curl.stdout() : undefined,
  )
  await curl.stop()
  expect(text).toMatch(/^HTTP\/1.1 200/)
  expect(text).toMatch(/content-type: text\/event-stream/i)
  expect(text).toMatch(
    /^tag: salt\/job\/\d{20}\/new\ndata: \{"data": \{.*\}, "tag": "salt\/job\/\d{20}\/new"\}\nid: \S+\n$/m,
  )
})

it('20: getEvent gives one event, whatever its tag, and null where nothing comes', async () => {
  const events = new MasterEvent(master)
  await events.subscribe()
  await fire('any/thing', { a: 1 })
  expect(await events.getEvent({ wait: 60 })).toMatchObject({ a: 1 })
  expect(await events.getEvent({ wait: 0.2 })).toBeNull()
  events.close()
})

it('21: getEvent waits for a tag that begins so, and passes over others', async () => {
  let found: unknown
  const waiting = getEvent(master, { wait: 60, tag: 'salt/auth' }).then((event) => {
    found = event
  })
  const waits = new MasterEvent(master)
  await waits.subscribe()
  await fire('other/tag')
  // When the first begins to listen nothing tells: what it waits for comes until it came.
  await waitFor('both to see it', async () => {
    await stage.shell('brine-call test.ping', { at: 'ubuntuAsus' })
    return found === undefined ? undefined : true
  })
  await waiting
  expect(await waits.getEvent({ wait: 60, tag: 'salt/auth' })).toMatchObject({ act: 'accept', id: 'ubuntuAsus' })
  expect(found).toMatchObject({ act: 'accept', id: 'ubuntuAsus' })
  waits.close()
})

it('22: full gives the tag, too', async () => {
  const events = new MasterEvent(master)
  await events.subscribe()
  await ping()
  const event = await events.getEvent({ wait: 60, tag: 'salt/job', full: true })
  expect(event).toMatchObject({ tag: expect.stringMatching(/^salt\/job\/\d{20}\/new$/), data: { fun: 'test.ping' } })
  events.close()
})

it('23: iterEvents goes on', async () => {
  const seen: string[] = []
  const stop = new AbortController()
  const loop = (async () => {
    for await (const { tag } of iterEvents(master, { tag: 'mine/', signal: stop.signal })) seen.push(tag)
  })()
  await waitFor('three events', async () => {
    await fire('mine/1')
    await fire('theirs/2')
    return seen.length >= 3 ? true : undefined
  })
  stop.abort()
  await loop
  expect(new Set(seen)).toEqual(new Set(['mine/1']))
})

it('24: a loop of getEvent and fnmatch sees each return and nothing else', async () => {
  const events = new MasterEvent(master)
  await events.subscribe()
  await ping()
  await ping()
  await fire('end')
  const returned: string[] = []
  for (;;) {
    const ret = await events.getEvent({ full: true, wait: 60 })
    if (ret === null || ret.tag === 'end') break
    if (fnmatch(ret.tag, 'salt/job/*/ret/*')) returned.push(ret.tag)
  }
  expect(returned).toHaveLength(2)
  expect(new Set(returned).size).toBe(2)
  for (const tag of returned) expect(tag).toMatch(/\/ret\/ubuntuAsus$/)
  events.close()
})

it("25: MinionEvent reads the minion's own bus, by regex", async () => {
  const { BRINE_CONFIG_DIR: configDir } = stage.minionEnv('ubuntuAsus')
  const events = new MinionEvent({ configDir })
  await events.subscribe()
  await stage.shell(`brine-call event.fire '{"data": "x"}' 'customtag/african/unladen'`, { at: 'ubuntuAsus' })
  await stage.shell(`brine-call event.fire '{"a": 1}' 'custom/x'`, { at: 'ubuntuAsus' })
  for await (const { tag, data } of events.iterEvents({ matchType: 'regex', tag: 'custom/.*' })) {
    expect([tag, data]).toMatchObject(['custom/x', { a: 1 }])
    break
  }
  events.close()
})

it('27: Caller().cmd sends an event', async () => {
  const { BRINE_CONFIG_DIR: configDir } = stage.minionEnv('ubuntuAsus')
  const from = stage.mark()
  const caller = new Caller(configDir === undefined ? {} : { configDir })
  expect(await caller.cmd('event.send', 'myco/event/success', { success: true, message: 'It works!' })).toBe(true)
  const { data } = await stage.waitForEvent({ tag: 'myco/event/success', from })
  expect(data).toMatchObject({ id: 'ubuntuAsus', data: { success: true, message: 'It works!' } })
  await caller.close()
})

const isRoot = process.getuid?.() === 0
if (!isRoot) console.log('articles: only root can become another user; 1 test skipped')

it.skipIf(!isRoot)('28: another user is refused, with the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'brine-other-'))
  chmodSync(folder, 0o755)
  const program = join(folder, 'program.mjs')
  writeFileSync(
    program,
    `import { connect, getEvent } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/client.mjs')).href)}
try {
  console.log(await getEvent(connect({ kind: 'socket', path: ${JSON.stringify(stage.socket())} })))
} catch (error) {
  console.log(error.code + ': ' + error.message)
}
`,
  )
  const { stdout } = await runProgram('setpriv', ['--reuid=65534', '--clear-groups', process.execPath, program])
  rmSync(folder, { recursive: true })
  expect(stdout).toContain('unreachable: The socket at')
  expect(stdout).toContain('belongs to another user')
})

it('the examples run', async () => {
  const start = (name: string, env: Record<string, string>) =>
    startProgram(process.execPath, [join(ROOT, 'examples', `${name}.mjs`)], join(stage.root, 'logs', name), { env })
  const returns = start('on-return', { BRINE_CONFIG_DIR: stage.etc })
  const listener = start('local-listener', stage.minionEnv('ubuntuAsus'))
  const from = stage.mark()
  await waitFor(
    () => `a return to be printed; ${returns.stderr()}`,
    async () => {
      await ping()
      return returns.stdout().includes('/ret/ubuntuAsus: test.ping returned true') ? true : undefined
    },
  )
  await waitFor(
    () => `the listener; ${listener.stderr()}`,
    () => (listener.stdout().includes('listening') ? true : undefined),
  )
  await stage.shell(`brine-call event.fire '{"disk": "sda"}' 'custom/disk/failing'`, { at: 'ubuntuAsus' })
  const { data } = await stage.waitForEvent({ tag: 'seen/custom/disk/failing', from })
  expect(data).toMatchObject({ id: 'ubuntuAsus', data: { disk: 'sda' } })
  await Promise.all([returns.stop(), listener.stop()])
}, 180_000)

it('the webhook example posts what failed', async () => {
  const { createServer } = await import('node:http')
  const posted: string[] = []
  const server = createServer((request, response) => {
    request.on('data', (part) => posted.push(String(part)))
    request.on('end', () => response.end('ok'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const env = { BRINE_CONFIG_DIR: stage.etc, WEBHOOK: `http://127.0.0.1:${port}/hook` }
  const program = join(ROOT, 'examples/webhook.mjs')
  const example = startProgram(process.execPath, [program], join(stage.root, 'logs/webhook'), { env })
  await waitFor(
    () => `a post; ${example.stderr()}`,
    async () => {
      await stage.shell('brine ubuntuAsus nothing.there')
      return posted.length > 0 ? true : undefined
    },
  )
  await example.stop()
  server.close()
  expect(JSON.parse(posted[0] ?? '')).toEqual({
    text: expect.stringMatching(/^nothing.there failed on ubuntuAsus \(job \d{20}\)$/),
  })
}, 180_000)
