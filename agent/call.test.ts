// Running functions in the minion's place: the events around them, and every way it can end.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CallAgent, openCall } from './call.ts'
import { Caller } from './caller.ts'
import { FakeMaster } from './fake-master.ts'
import { type FakeSetup, fakeSetup } from './fake-setup.ts'
import { Journal } from './journal/journal.ts'
import { localBusAddress } from './local-bus/address.ts'
import { LocalBus } from './local-bus/server.ts'

let master: FakeMaster
let fake: FakeSetup
const agents: CallAgent[] = []

async function opened(options = {}): Promise<CallAgent> {
  const agent = await openCall(fake.setup, options, fake.outside)
  agents.push(agent)
  return agent
}

beforeEach(async () => {
  master = await FakeMaster.start()
  fake = await fakeSetup(master.url, 'grains: {role: web}')
})

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close()
  await master.stop()
  await fake.remove()
})

describe('a call', () => {
  it('proves the key, refreshes, sends its event, and returns, as salt-call does', async () => {
    const words = ['lab/custom', '{"a": 1}', 'b=2']
    const result = await (await opened()).run({
      fun: 'event.send',
      arg: ['lab/custom', { a: 1 }, { b: 2, __kwarg__: true }],
      words,
    })
    expect(result).toMatchObject({ kind: 'returned', return: true, retcode: 0 })
    expect(master.happenings.map(({ what }) => what)).toEqual(['token', 'refresh', 'event', 'return'])
    const { jid } = result as { jid: string }
    expect(master.events[0]).toMatchObject({
      tag: 'lab/custom',
      data: {
        id: 'web1',
        tag: 'lab/custom',
        cmd: '_minion_event',
        data: { b: 2, a: 1, __pub_fun: 'event.send', __pub_pid: process.pid, __pub_jid: jid, __pub_tgt: 'salt-call' },
      },
    })
    expect(master.events[0]?.data).not.toHaveProperty('pretag')
    const [ret] = master.returns
    expect(ret).toEqual({
      id: expect.any(String),
      jid: expect.stringMatching(/^\d{20}$/),
      fun: 'event.send',
      fun_args: words,
      return: true,
      retcode: 0,
      arg: words,
      tgt: 'web1',
      tgt_type: 'glob',
    })
    expect(ret?.jid).not.toBe(jid)
  })

  it.each([
    ['with_grains', ['role', 'nosuch'], { grains: { role: 'web' } }],
    ['with_pillar', true, { pillar: {} }],
    ['with_env', ['BRINE_NO_SUCH'], { environ: {} }],
    ['with_env_opts', true, { saltenv: null, pillarenv: null }],
  ])('sends %s along', async (name, value, expected) => {
    await (await opened()).run({ fun: 'event.send', arg: ['t', { [name]: value, __kwarg__: true }], words: ['t'] })
    expect(master.events[0]?.data).toMatchObject({ data: expected })
  })

  it('lets the data win over the keywords, and a preload change the load', async () => {
    await (await opened()).run({
      fun: 'event.send',
      arg: ['t', { k: 'data' }, { k: 'keyword', preload: { extra: 1 }, __kwarg__: true }],
      words: [],
    })
    expect(master.events[0]?.data).toMatchObject({ extra: 1, data: { k: 'data' } })
  })

  it('leaves nothing behind', async () => {
    const agent = await opened()
    await agent.run({ fun: 'test.ping', arg: [], words: [] })
    await agent.close()
    agents.length = 0
    expect(await readdir(join(fake.root, 'data/call'))).toEqual([])
  })

  it('waits for a master that cannot take it just now', async () => {
    const agent = await opened()
    master.failWith = 503
    const sending = agent.run({ fun: 'test.echo', arg: ['late'], words: ['late'] })
    await new Promise((resolve) => setTimeout(resolve, 100))
    master.failWith = 0
    await sending
    expect(master.returns.map((ret) => ret.return)).toEqual(['late'])
  })

  it('sends first what a call that died could not send', async () => {
    const left = await Journal.open(join(fake.root, 'data/call/4194305.journal'), fake.outside)
    await left.addEvent({ tag: 'left/behind', data: {} })
    await left.close()
    await (await opened()).run({ fun: 'event.send', arg: ['now'], words: ['now'] })
    expect(master.events.map(({ tag }) => tag)).toEqual(['left/behind', 'now'])
    expect(await readdir(join(fake.root, 'data/call'))).not.toContain('4194305.journal')
  })

  it('tells how it ended', async () => {
    const agent = await opened()
    const run = (fun: string, arg: string[] = []) => agent.run({ fun, arg, words: arg })
    expect(await run('no.such')).toEqual({ kind: 'unavailable', message: "'no.such' is not available." })
    expect(await run('test.pin')).toMatchObject({
      kind: 'alike',
      return: { 'test.pin': "'test.pin' is not available." },
    })
    expect(await run('test.echo')).toMatchObject({
      kind: 'misused',
      words: "echo() missing 1 required positional argument: 'text'",
      doc: expect.stringContaining('CLI Example'),
    })
    expect(await run('test.raise_exception', ['salt.exceptions.CommandExecutionError', 'bad'])).toEqual({
      kind: 'failed',
      message: "Error running 'test.raise_exception': bad",
    })
    expect(await run('test.exception', ['boom'])).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^Traceback[\s\S]*Exception: boom$/),
    })
    expect(await run('test.retcode', ['5'])).toMatchObject({ kind: 'returned', retcode: 5 })
    expect(master.returns).toHaveLength(1)
  })

  it.each(['pending', 'rejected', 'denied'] as const)('ends where the key is %s', async (state) => {
    master.keyState = state
    await expect(opened()).rejects.toMatchObject({
      code: 'no-master',
      message: expect.stringContaining('has the minion key been accepted?'),
    })
  })

  it('ends where the master is away', async () => {
    await master.away()
    await expect(opened({ timeout: 0.3 })).rejects.toMatchObject({ code: 'no-master' })
  })

  it('needs no master with local: events stay on the minion’s bus', async () => {
    await master.away()
    const agent = await opened({ local: true })
    expect(await agent.run({ fun: 'test.ping', arg: [], words: [] })).toMatchObject({ return: true })
    const send = () => agent.run({ fun: 'event.send', arg: ['t', { a: 1 }], words: [] })
    expect(await send()).toMatchObject({ return: false })
    const bus = await LocalBus.open(localBusAddress(join(fake.root, 'sock'), 'web1'), () => fake.outside.now())
    const seen: unknown[] = []
    bus.watch((event) => seen.push(event))
    expect(await send()).toMatchObject({ return: true })
    expect(seen).toMatchObject([{ tag: 't', data: { a: 1 } }])
    await bus.close()
  })
})

describe('the library’s Caller', () => {
  it('sends events, truthy when they arrived and falsy when they were refused', async () => {
    const caller = new Caller(fake.setup, {}, fake.outside)
    expect(await caller.cmd('event.send', 'myco/event/success', { success: true, message: 'It works!' })).toBe(true)
    expect(master.events[0]).toMatchObject({
      tag: 'myco/event/success',
      data: { data: { success: true, message: 'It works!' } },
    })
    master.refusals.set('salt/key', 'no')
    expect(await caller.cmd('event.send', 'salt/key', {})).toBe(false)
    expect(await caller.call('test.echo', [], { text: 'x' })).toBe('x')
    await expect(caller.cmd('no.such')).rejects.toThrow("'no.such' is not available.")
    expect(master.returns).toEqual([])
    await caller.close()
  })

  it('can be tried again when the master is back', async () => {
    const back = await master.away()
    const caller = new Caller(fake.setup, { timeout: 3 }, fake.outside)
    await expect(caller.cmd('test.ping')).rejects.toMatchObject({ code: 'no-master' })
    await back()
    expect(await caller.cmd('test.ping')).toBe(true)
    await caller.close()
  })
})
