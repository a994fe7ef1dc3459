// The minion's own bus: who fires, who watches, and who may.
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localBusAddress } from './address.ts'
import { connectLocalBus, fireOnBus } from './client.ts'
import { LocalBus } from './server.ts'

let directory: string
let bus: LocalBus
const now = () => Date.UTC(2026, 10, 21, 5, 25, 55) * 1000 + 7

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'brine-bus-'))
  bus = await LocalBus.open(join(directory, 'bus'), now)
})

afterEach(async () => {
  await bus.close()
  await rm(directory, { recursive: true })
})

describe('the local bus', () => {
  it('gives every watcher every event in order, stamped', async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => connectLocalBus(bus.address)))
    const seen = await one?.subscribe()
    const first = seen?.next()
    const inside: string[] = []
    const end = bus.watch(({ tag }) => inside.push(tag))
    expect(await two?.fire('a', { n: 1 })).toBe(true)
    expect(await three?.fire('b', {})).toBe(true)
    bus.fire('c', {})
    end()
    bus.fire('d', {})
    expect((await first)?.value).toEqual({ tag: 'a', data: { n: 1, _stamp: '2026-11-21T05:25:55.000007' } })
    expect([(await seen?.next())?.value.tag, (await seen?.next())?.value.tag, (await seen?.next())?.value.tag]).toEqual(
      ['b', 'c', 'd'],
    )
    expect(inside).toEqual(['a', 'b', 'c'])
    for (const client of [one, two, three]) client?.close()
  })

  it('is for its owner alone', async () => {
    expect((await stat(bus.address)).mode & 0o777).toBe(0o600)
  })

  it('refuses events without a tag or whose data is no map', async () => {
    const client = await connectLocalBus(bus.address)
    expect(await client.fire('', {})).toBe(false)
    client.close()
  })

  it('ends its watchers when it closes, and they can end themselves', async () => {
    const client = await connectLocalBus(bus.address)
    const over = new AbortController()
    const aborted = client.events(over.signal).next()
    setTimeout(() => over.abort(), 20)
    expect((await aborted).done).toBe(true)
    const other = await connectLocalBus(bus.address)
    const next = (await other.subscribe()).next()
    await bus.close()
    expect((await next).done).toBe(true)
    expect(await other.fire('x', {})).toBe(false)
    bus = await LocalBus.open(join(directory, 'bus'), now)
  })

  it('survives rubbish', async () => {
    const socket = connect(bus.address)
    socket.on('error', () => socket.destroy())
    socket.write('rubbish\n[1]\n{"fire": 1}\n{"fire": {"tag": "t", "data": 5}}\n')
    await new Promise((resolve) => setTimeout(resolve, 30))
    socket.destroy()
    expect(await fireOnBus(bus.address, 'still', {})).toBe(true)
  })

  it('is opened once, and again where its owner died', async () => {
    await expect(LocalBus.open(bus.address, now)).rejects.toMatchObject({ code: 'running' })
    const stale = join(directory, 'stale')
    await writeFile(stale, '')
    const second = await LocalBus.open(stale, now)
    await second.close()
  })

  it('is told apart from one that is not there', async () => {
    await expect(connectLocalBus(join(directory, 'none'))).rejects.toMatchObject({
      code: 'local-bus',
      message: expect.stringContaining('is a minion running?'),
    })
    expect(await fireOnBus(join(directory, 'none'), 't', {})).toBe(false)
    await chmod(directory, 0o700)
  })
})

describe('its address', () => {
  it('is named for the id, and a pipe on Windows', () => {
    expect(localBusAddress('/run/brine/minion', 'web1', 'linux')).toMatch(
      /^\/run\/brine\/minion\/minion_event_[0-9a-f]{10}\.ipc$/,
    )
    expect(localBusAddress('/run/brine/minion', 'web1', 'win32')).toMatch(
      /^\\\\\.\\pipe\\brine_minion_event_[0-9a-f]{10}$/,
    )
    expect(localBusAddress('/a', 'web1', 'linux')).not.toBe(localBusAddress('/a', 'web2', 'linux'))
    expect(() => localBusAddress(`/${'x'.repeat(100)}`, 'web1', 'linux')).toThrow(/too long for a socket/)
  })
})
