// What the machine tells of itself: status, disk and network, on the machine the tests run on.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMapping, type Mapping } from '../../core/value/index.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'

let minion: FakeMinion
beforeAll(async () => {
  minion = await fakeMinion()
})
afterAll(() => minion.close())

const told = async (fun: string, arg: string[] = []): Promise<Mapping> => {
  const value = await minion.run(fun, arg)
  if (!isMapping(value)) throw new Error(JSON.stringify(value))
  return value
}

describe.runIf(process.platform === 'linux')('the machine', () => {
  it('tells its load, memory and time', async () => {
    expect(Object.keys(await told('status.loadavg'))).toEqual(['1-min', '5-min', '15-min'])
    expect(await told('status.meminfo')).toMatchObject({
      MemTotal: { value: expect.stringMatching(/^\d+$/), unit: 'kB' },
    })
    const up = await told('status.uptime')
    expect(Object.keys(up)).toEqual(['seconds', 'since_iso', 'since_t', 'days', 'time', 'users'])
    expect(Math.abs(Number(up.since_t) + Number(up.seconds) - Date.now() / 1000)).toBeLessThan(5)
    expect(await minion.run('status.version')).toMatch(/^Linux version/)
    expect(await told('status.cpustats')).toMatchObject({ cpu: { user: expect.any(Number), idle: expect.any(Number) } })
  })

  it('tells its processes', async () => {
    expect(await told('status.procs')).toMatchObject({
      [String(process.pid)]: { cmd: expect.stringContaining('node') },
    })
  })

  it('tells its disks', async () => {
    expect(await told('disk.usage')).toMatchObject({
      '/': { capacity: expect.stringMatching(/%$/), '1K-blocks': expect.stringMatching(/^\d+$/) },
    })
    expect(await minion.run('disk.percent', ['/'])).toMatch(/^\d+%$/)
    expect(await told('disk.inodeusage')).toHaveProperty('/')
    const usage = await told('status.diskusage', ['/'])
    expect(Object.keys(usage)).toEqual(['/'])
    expect(usage['/']).toMatchObject({ available: expect.any(Number), total: expect.any(Number) })
  })

  it('tells its network', async () => {
    expect(await told('network.interfaces')).toMatchObject({
      lo: { inet: [{ address: '127.0.0.1', netmask: '255.0.0.0' }] },
    })
    expect(await minion.run('network.ip_addrs')).not.toContain('127.0.0.1')
    expect(await minion.run('network.ip_addrs', [], { include_loopback: true })).toContain('127.0.0.1')
    // As in Salt, the words that say so are what is returned.
    expect(await minion.run('network.hw_addr', ['nosuch0'])).toMatch(
      /^Interface "nosuch0" not in available interfaces: "/,
    )
  })

  it('connects where something listens, and says so where nothing does', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const there = await told('network.connect', ['127.0.0.1', String(port)])
    expect(there).toEqual({
      result: true,
      comment: `Successfully connected to 127.0.0.1 (127.0.0.1) on tcp port ${port}`,
    })
    await new Promise((resolve) => server.close(resolve))
    // The port that was free again may be somebody else's by now; at the first one nobody listens.
    expect(await told('network.connect', ['127.0.0.1', '1'])).toMatchObject({ result: false })
    expect(await told('network.connect', ['', '1'])).toEqual({
      result: false,
      comment: 'Required argument, host, is missing.',
    })
  })

  it('connects by a family of addresses, and by UDP where something answers', async () => {
    const answering = createSocket('udp4').on('message', (_, { port }) => answering.send('well', port))
    await new Promise<void>((resolve) => answering.bind(0, '127.0.0.1', resolve))
    const { port } = answering.address()
    const connect = (port: number, more: Mapping) => minion.run('network.connect', ['127.0.0.1', port], more)
    expect(await connect(port, { proto: 'udp' })).toEqual({
      result: true,
      comment: `Successfully connected to 127.0.0.1 (127.0.0.1) on udp port ${port}`,
    })
    await new Promise<void>((resolve) => answering.close(resolve))
    expect(await connect(1, { proto: 'udp', timeout: 1 })).toMatchObject({ result: false })
    expect(await connect(1, { family: 'ipv6' })).toEqual({
      result: false,
      comment: 'Unable to resolve host 127.0.0.1 on tcp port 1',
    })
  })
})
