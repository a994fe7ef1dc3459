// Programs that outlive the agent: what they leave, and how the next agent reads it.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../fake-setup.ts'
import { type ProcessRequest, plainProcesses } from '../modules/process.ts'
import { ProcessRecords } from './recorded-process.ts'

let directory: string
let records: ProcessRecords
const over = new AbortController()
const { signal } = over

const request = (script: string, more: Partial<ProcessRequest> = {}): ProcessRequest => ({
  argv: ['/bin/sh', '-c', script],
  cwd: '/',
  env: { PATH: process.env.PATH ?? '' },
  mergeStderr: false,
  signal,
  ...more,
})

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'brine-records-'))
  records = new ProcessRecords(directory)
})

afterEach(async () => {
  await rm(directory, { recursive: true })
})

describe('a recorded program', () => {
  it.each([
    ['echo out; echo err >&2; exit 3', {}],
    ['echo out; echo err >&2', { mergeStderr: true }],
    ['cat', { stdin: 'in' }],
    ['umask', { umask: 0o027 }],
    ['printf "%s" "$0 $*"', { argv: ['/bin/sh', '-c', 'printf "%s|" "$@"', 'x', '$(id)', '; echo', "it's"] }],
    ['', { argv: ['/no/such/program'] }],
  ] as const)('ends as it does without a record: %j', async (script, more) => {
    const plain = await plainProcesses.run(request(script, more))
    const recorded = await records.recorder('1').run(request(script, more))
    if (plain.kind === 'not-started') expect(recorded).toMatchObject({ kind: 'ended', retcode: 127 })
    else expect({ ...recorded, pid: 0 }).toEqual({ ...plain, pid: 0 })
  })

  it('is not waited for when it leaves others behind', async () => {
    const began = Date.now()
    expect(await records.recorder('1').run(request('sleep 30 >/dev/null & echo started'))).toMatchObject({
      stdout: 'started\n',
    })
    expect(Date.now() - began).toBeLessThan(25_000)
  })

  it('is killed with its children when its time is over', async () => {
    expect(await records.recorder('1').run(request('sleep 30; echo never', { timeout: 0.2 }))).toMatchObject({
      kind: 'timed-out',
    })
  })
})

describe('the next agent', () => {
  it('finds what a program left that has ended', async () => {
    await records.recorder('1').run(request('echo out; echo err >&2; exit 3'))
    const left = await new ProcessRecords(directory).resume('1', signal)
    expect(await left?.run(request('echo again'))).toMatchObject({
      kind: 'ended',
      retcode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    })
    expect(await left?.run(request('echo again'))).toMatchObject({ kind: 'not-started' })
  })

  it('waits for a program that still runs', async () => {
    const running = records.recorder('1').run(request('sleep 0.5; echo late'))
    await until(() => existsSync(join(directory, '1/0/pid')))
    const left = await new ProcessRecords(directory).resume('1', signal)
    expect(await left?.run(request(''))).toMatchObject({ retcode: 0, stdout: 'late\n' })
    await running
  })

  it('knows nothing of a program that was never started, or that died without a word', async () => {
    expect(await records.resume('none', signal)).toBeUndefined()
    await mkdir(join(directory, '2/0'), { recursive: true })
    expect(await records.resume('2', signal)).toBeUndefined()
    await writeFile(join(directory, '2/0/pid'), `${process.pid}\n`)
    expect(await records.resume('2', signal)).toBeUndefined()
  })

  it('forgets what nobody asks for', async () => {
    for (const jid of ['1', '2']) await records.recorder(jid).run(request('true'))
    await records.keepOnly(['2'])
    expect(await readdir(directory)).toEqual(['2'])
    await records.forget('2')
    await until(() => true)
    expect(await readdir(directory)).toEqual([])
  })
})
