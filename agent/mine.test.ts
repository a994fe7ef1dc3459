// What a minion gives to the mine and gets from it, with a master and without.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CallAgent, openCall } from './call.ts'
import { FakeMaster } from './fake-master.ts'
import { type FakeSetup, fakeSetup } from './fake-setup.ts'

let master: FakeMaster
let fake: FakeSetup
let agent: CallAgent

const functions = `mine_functions:
  test.ping: []
  said:
    - mine_function: test.echo
    - hello
  kept: {mine_function: test.echo, text: x, allow_tgt: 'web*', allow_tgt_type: glob}
  no.such: []`

async function opened(more: string): Promise<CallAgent> {
  fake = await fakeSetup(master.url, more)
  agent = await openCall(fake.setup, {}, fake.outside)
  return agent
}

beforeEach(async () => {
  master = await FakeMaster.start()
})

afterEach(async () => {
  await agent.close()
  await master.stop()
  await fake.remove()
})

describe('with a master', () => {
  it('gives what mine_functions says, of configuration and pillar', async () => {
    master.pillar = { mine_functions: { pillared: [{ mine_function: 'test.echo' }, 1], said: [] } }
    const { cmd } = bound(await opened(functions))
    expect(await cmd('mine.update')).toBe(true)
    const kept = { __data__: 'x', __saltmine_acl__: 1, allow_tgt: 'web*', allow_tgt_type: 'glob' }
    expect(master.mineRequests).toEqual([
      { do: 'give', data: { pillared: 1, said: 'hello', 'test.ping': true, kept }, clear: false },
    ])
    expect(fake.said).toContain('error Function no.such in mine_functions not available')
    expect(await cmd('mine.valid')).toMatchObject({ 'test.ping': [], said: { 'test.echo': ['hello'] } })
  })

  it('sends one, asks, and takes back', async () => {
    master.mine = { web1: 1, web2: 2 }
    const { cmd } = bound(await opened(''))
    expect(await cmd('mine.update')).toBeNull()
    expect(await cmd('mine.send', ['test.echo', 'hi'])).toBe(true)
    expect(await cmd('mine.send', ['test.exception'])).toBe(false)
    expect(await cmd('mine.get', ['*', 'test.echo'], { exclude_minion: true })).toEqual({ web2: 2 })
    await cmd('mine.delete', ['test.echo'])
    await cmd('mine.flush')
    expect(master.mineRequests).toEqual([
      { do: 'give', data: { 'test.echo': 'hi' }, clear: false },
      { do: 'get', tgt: '*', fun: 'test.echo', tgt_type: 'glob' },
      { do: 'take', name: 'test.echo' },
      { do: 'flush' },
    ])
  })

  it('answers templates of states', async () => {
    master.mine = { web2: '10.0.0.2' }
    master.files = {
      base: {
        'x.sls': "{% for id, ip in salt['mine.get']('*', 'ip').items() %}\n{{ id }}-{{ ip }}: test.nop\n{% endfor %}",
      },
    }
    const { cmd } = bound(await opened(''))
    expect(await cmd('state.apply', ['x'])).toHaveProperty(
      ['test_|-web2-10.0.0.2_|-web2-10.0.0.2_|-nop', 'result'],
      true,
    )
  })
})

describe('without one', () => {
  it('keeps its own', async () => {
    const { cmd } = bound(await opened(`file_client: local\n${functions}`))
    expect(await cmd('mine.update')).toBe(true)
    expect(await cmd('mine.get', ['web*', 'said'])).toEqual({ web1: 'hello' })
    expect(await cmd('mine.get', ['db*', 'said'])).toEqual({})
    expect(await cmd('mine.get', ['*', ['said', 'test.ping']])).toEqual({
      said: { web1: 'hello' },
      'test.ping': { web1: true },
    })
    await cmd('mine.flush')
    expect(await cmd('mine.get', ['*', 'said'])).toEqual({})
  })
})

function bound(call: CallAgent): { cmd: CallAgent['cmd'] } {
  return { cmd: call.cmd.bind(call) }
}
