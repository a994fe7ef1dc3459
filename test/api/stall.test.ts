// A reader that stalls with 50,000 events behind it, against a master that is a process of its own: it gets all of them, each
// once, and the master's own memory does not hold them meanwhile. The stall ends when the events are fired, not after a minute.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { waitFor } from '../system/wait.ts'
import { type ApiLab, startApiLab } from './api-lab.ts'

const events = 50_000
const batch = 1_000
/** Bytes of each event's data, so that holding them would show. */
const size = 400
const mib = 1024 * 1024

let stage: ApiLab
let folder: string
const collected = () => join(folder, 'collected')
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brine-stall-'))
  const hook = join(folder, 'collector.mjs')
  writeFileSync(hook, collector(collected()))
  vi.stubEnv('NODE_OPTIONS', `--import ${pathToFileURL(hook)}`)
  stage = await startApiLab([])
  vi.unstubAllEnvs()
}, 600_000)
afterAll(async () => {
  await stage.lab.close()
  rmSync(folder, { recursive: true })
})

async function token(): Promise<string> {
  const body = new URLSearchParams({ username: 'saltdev', password: 'brine-lab-secret', eauth: 'sharedsecret' })
  const answer = await fetch(`http://127.0.0.1:${stage.port}/login`, { method: 'POST', body })
  return answer.headers.get('x-auth-token') ?? ''
}

function stream(path: string, shown: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-auth-token': shown }
    get({ host: '127.0.0.1', port: stage.port, path, headers }, resolve).once('error', reject)
  })
}

/** Loaded into the master: on SIGUSR2 it collects garbage, thoroughly, and says so in a file. */
const collector = (done: string): string => `
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => {
  for (let round = 0; round < 3; round++) collect()
  setTimeout(() => { collect(); writeFileSync(${JSON.stringify(done)}, '') }, 500)
})
`

/** Memory of the master that no file backs and that is in use, bytes; the store's mapped file is not in it. */
async function anonymous(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  await waitFor('the collection', () => (existsSync(collected()) ? true : undefined))
  rmSync(collected())
  const kib = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) * 1024
}

/** Fires so many numbered events through the master's socket. */
async function fire(tag: string, count: number): Promise<void> {
  const text = 'x'.repeat(size)
  for (let from = 0; from < count; from += batch) {
    const some = Array.from({ length: Math.min(batch, count - from) }, (_, n) => ({ tag, data: { n: from + n, text } }))
    await post('/v1/fire', JSON.stringify({ events: some }))
  }
}

function post(path: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const sent = request({ socketPath: stage.lab.socket(), path, method: 'POST', headers }, (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** The numbers of the frames of a stream, as they come, up to so many. */
async function numbers(answer: IncomingMessage, tag: string, wanted: number): Promise<number[]> {
  const found: number[] = []
  let rest = ''
  for await (const chunk of answer) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines)
      if (line.startsWith('data: ') && line.includes(`"tag": "${tag}"`))
        found.push(Number(/"n": (\d+)/.exec(line)?.[1]))
    if (found.length >= wanted) break
  }
  return found
}

it('gets every event once, and costs the master less than 20 MB', async () => {
  const pid = Number(/\d+/.exec(readFileSync(join(stage.lab.root, 'run/master/data/brine.lock'), 'utf8'))?.[0])
  // What so many events cost anyhow (the newest are kept in memory, after every second such round more than after the one
  // before) is no cost of the reader's.
  const costs: number[] = []
  for (const round of [1, 2, 3]) {
    await fire(`warm/${round}`, events)
    costs.push(await anonymous(pid))
  }
  const before = Math.max(...costs.slice(1))
  const stalled = await stream('/events?tag=stall', await token())
  stalled.pause()
  await fire('stall', events)
  const held = (await anonymous(pid)) - before
  console.log(`stalled reader: the master's anonymous memory grew by ${(held / mib).toFixed(1)} MiB`)
  expect(held).toBeLessThan(20 * mib)
  const seen = await numbers(stalled, 'stall', events)
  expect(seen).toEqual(Array.from({ length: events }, (_, n) => n))
  stalled.destroy()
}, 600_000)
