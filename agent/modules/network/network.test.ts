// The network module against what Salt 3007.15 returned beside the same programs, and without any.
import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayTreeCases } from '../../../test/system/tree-replay.ts'
import { type FakeMinion, fakeMinion } from '../../fake-minion.ts'

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url))

describe('a machine without programs', () => {
  let minion: FakeMinion
  const path = process.env.PATH
  beforeAll(async () => {
    minion = await fakeMinion()
    process.env.PATH = '/nowhere'
  })
  afterAll(async () => {
    process.env.PATH = path
    await minion.close()
  })

  it.each(['arp', 'dig', 'traceroute'])('says that %s is missing', async (program) => {
    expect(await minion.outcome(`network.${program}`, program === 'arp' ? [] : ['web1'])).toMatchObject({
      by: 'command-not-found',
      words: `The '${program}' binary was not found in $PATH.`,
    })
  })

  it('knows its interfaces all the same', async () => {
    expect(await minion.run('network.interface_ip', ['lo'])).toBe('127.0.0.1')
    expect(await minion.run('network.ip_networks', ['lo'], { include_loopback: true })).toEqual(['127.0.0.0/8'])
    expect(await minion.run('network.subnets', ['lo'])).toEqual([])
  })

  it('knows nothing of buffers', async () => {
    expect(await minion.run('network.get_bufsize', ['lo'])).toEqual({})
    expect(await minion.run('network.mod_bufsize', ['lo'], { rx: 1 })).toBe(false)
  })
})

describe('names', () => {
  it('has one of its own, and those of its addresses', async () => {
    const minion = await fakeMinion()
    expect(await minion.run('network.get_fqdn')).toMatch(/^[\w.-]+$/)
    expect(await minion.run('network.fqdns')).toEqual({ fqdns: expect.any(Array) })
    await minion.close()
  })
})

describe('network.wol', () => {
  it('sends the six bytes sixteen times', async () => {
    const socket = createSocket('udp4')
    const came = new Promise<Buffer>((resolve) => socket.once('message', resolve))
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const minion = await fakeMinion()
    await minion.run('network.wol', ['08:00:27:13:69:77', '127.0.0.1', socket.address().port])
    expect((await came).toString('hex')).toBe(`${'ff'.repeat(6)}${'080027136977'.repeat(16)}`)
    socket.close()
    await minion.close()
  })
})
