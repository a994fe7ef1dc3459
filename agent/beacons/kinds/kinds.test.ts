// The kinds of beacons: what their options must be, and what they tell of a machine made up for them.
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping, Value } from '../../../core/value/index.ts'
import { silentLog } from '../../outside.ts'
import type { Beacon, BeaconKind, BeaconWorld } from '../beacon.ts'
import { builtInBeacons } from '../built-in.ts'
import { timeOfDay } from '../time-of-day.ts'
import { loadBeacon } from './load.ts'
import { logBeacon } from './log.ts'
import { btmpBeacon, wtmpBeacon } from './logins.ts'
import { networkInfoBeacon } from './network-info.ts'
import { pkgBeacon } from './pkg.ts'
import { psBeacon } from './ps.ts'
import { serviceBeacon } from './service.ts'
import { statusBeacon } from './status.ts'
import { diskUsageBeacon, memoryUsageBeacon, swapUsageBeacon } from './usage.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'brine-beacon-'))
})
afterEach(() => rm(directory, { recursive: true }))

const world = (more: Partial<BeaconWorld> = {}): BeaconWorld => ({
  now: () => Date.UTC(2026, 10, 21, 12, 0, 0, 250) * 1000,
  log: silentLog,
  run: async () => null,
  ...more,
})
const opened = (kind: BeaconKind, more: Partial<BeaconWorld> = {}): Beacon => kind.open(world(more))

describe('options', () => {
  const kinds = new Map(builtInBeacons().map((kind) => [kind.name, kind]))
  const pair = [0, 1]
  const cases: [kind: string, options: Mapping, problem: RegExp | undefined][] = [
    ['load', { averages: { '1m': pair } }, undefined],
    ['load', {}, /Averages configuration is required/],
    ['load', { averages: { '2m': pair } }, /must contain 1m, 5m or 15m/],
    ['load', { averages: { '1m': [1] } }, /a list of two items/],
    ['load', { averages: { '1m': pair }, onchangeonly: 'yes' }, /onchangeonly must be a boolean/],
    ['service', { services: { nginx: {} } }, undefined],
    ['service', {}, /requires services/],
    ['service', { services: ['nginx'] }, /must be a dictionary/],
    ['service', { services: { nginx: 1 } }, /a list of dictionaries/],
    ['memusage', { percent: '63%' }, undefined],
    ['memusage', {}, /requires percent/],
    ['swapusage', {}, /swapusage beacon requires percent/],
    ['network_info', { interfaces: { eth0: { errin: 1 } } }, undefined],
    ['network_info', { interfaces: { eth0: { colour: 1 } } }, /Invalid configuration item/],
    ['log', {}, /must contain file option/],
    ['pkg', { pkgs: 'zsh' }, /requires list of pkgs/],
    ['ps', {}, /requires processes/],
    ['wtmp', {}, undefined],
    ['wtmp', { users: ['a'] }, /User configuration for wtmp beacon must be a dictionary/],
    ['btmp', { defaults: { time_range: { start: '8am' } } }, /must contain start & end options/],
    ['inotify', { '/etc/f': { mask: ['modify'] } }, undefined],
    ['inotify', { files: { '/etc/f': { mask: ['modify', 'close_write'] } } }, undefined],
    ['inotify', {}, /must include files/],
    ['inotify', { files: ['/etc/f'] }, /files must be a dict/],
    ['inotify', { files: { '/etc/f': {} } }, /must contain mask, recurse or auto_add/],
    ['inotify', { files: { '/etc/f': { mask: ['change'] } } }, /invalid mask option change/],
    ['inotify', { files: { '/etc/f': { recurse: 1 } } }, /recurse must be boolean/],
    ['inotify', { files: { '/d': { recurse: true, exclude: [{ '(': { regex: true } }] } } }, /exclude: /],
  ]
  it.each(cases)('%s %j', async (name, options, problem) => {
    const found = await kinds.get(name)?.validate(options)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })
})

describe('load', () => {
  const options = { averages: { '1m': [0.5, 2], '5m': [0, 10], '15m': [0, 10] } }
  const looks = async (values: number[], more: Mapping): Promise<boolean[]> => {
    let at = 0
    const beacon = opened(loadBeacon(() => [values[at] ?? 0, 1, 1]))
    const told: boolean[] = []
    for (; at < values.length; at++) told.push((await beacon.look({ ...options, ...more })).length > 0)
    return told
  }
  it('tells beyond its bounds, or only when they are crossed', async () => {
    expect(await looks([1, 3, 3, 0.1], {})).toEqual([false, true, true, true])
    expect(await looks([1, 3, 3, 1, 0.1], { onchangeonly: true })).toEqual([false, true, false, false, true])
  })
})

describe('service', () => {
  const looks = async (states: boolean[], service: Mapping, seconds = 1): Promise<boolean[]> => {
    let at = 0
    const beacon = opened(serviceBeacon, { now: () => at * seconds * 1_000_000, run: async () => states[at] ?? false })
    const told: boolean[] = []
    for (; at < states.length; at++) told.push((await beacon.look({ services: { nginx: service } })).length > 0)
    return told
  }
  const [up, down] = [true, false]
  it('tells always, or what changed, after its delay', async () => {
    expect(await looks([up, up], {})).toEqual([true, true])
    expect(await looks([up, up, down, down], { onchangeonly: true })).toEqual([true, false, true, false])
    expect(await looks([up, down], { onchangeonly: true, emitatstartup: false })).toEqual([false, true])
    const delayed = { onchangeonly: true, emitatstartup: false, delay: 2 }
    expect(await looks([up, down, down, down, down, down], delayed)).toEqual([false, false, false, false, true, false])
    expect(await looks([up, down, up, up], delayed)).toEqual([false, false, false, false])
  })
  it('says how it went down', async () => {
    await writeFile(join(directory, 'pid'), '1')
    const events = await opened(serviceBeacon, { run: async () => false }).look({
      services: { nginx: { uncleanshutdown: join(directory, 'pid') } },
    })
    expect(events).toEqual([{ nginx: { running: false, uncleanshutdown: true }, service_name: 'nginx', tag: 'nginx' }])
  })
})

describe('pkg', () => {
  it('tells when the status of a package changes', async () => {
    const versions = [
      ['', ''],
      ['1', ''],
      ['1', '2'],
      ['1', '2'],
      ['2', ''],
    ]
    let at = 0
    const beacon = opened(pkgBeacon, {
      run: async (fun) => versions[at]?.[fun === 'pkg.version' ? 0 : 1] ?? '',
    })
    const told: Value[] = []
    for (; at < versions.length; at++) told.push(...((await beacon.look({ pkgs: ['zsh'] })) as Value[]))
    expect(told).toEqual([
      { pkg: 'zsh', version: '1', status: 'installed' },
      { pkg: 'zsh', version: '2', status: 'upgrade' },
      { pkg: 'zsh', version: '2', status: 'installed' },
    ])
  })
})

describe('usage', () => {
  const readers = {
    mounts: async () => ['/', '/home', '/mnt/a'],
    disk: async (mount: string) => ({ '/': 70, '/home': 95.5 })[mount],
    memory: async () => 63,
    swap: async () => 20.5,
  }
  it('tells disks past their threshold, by name or expression', async () => {
    const beacon = opened(diskUsageBeacon(readers))
    expect(await beacon.look({ '/': '63%' })).toMatchObject([{ mount: '/' }])
    expect(await beacon.look({ '/': '71%' })).toEqual([])
    expect(await beacon.look({ '^/(?!home).*$': 50 })).toMatchObject([{ mount: '/' }])
    expect(await beacon.look({ '/home': 95.5 })).toMatchObject([{ diskusage: 95.5, mount: '/home' }])
  })
  it('tells memory from its threshold on', async () => {
    const beacon = opened(memoryUsageBeacon(readers))
    expect(await beacon.look({ percent: '63%' })).toHaveLength(1)
    expect(await beacon.look({ percent: 64 })).toEqual([])
  })
  it('tells swap space from its threshold on', async () => {
    const beacon = opened(swapUsageBeacon(readers))
    expect(await beacon.look({ percent: '20%' })).toMatchObject([{ swapusage: 20.5 }])
    expect(await beacon.look({ percent: 21 })).toEqual([])
  })
  it('reads this machine', async () => {
    expect(await opened(swapUsageBeacon()).look({ percent: 0 })).toHaveLength(1)
    expect(await opened(memoryUsageBeacon()).look({ percent: 0 })).toHaveLength(1)
    expect(await opened(diskUsageBeacon()).look({ '/': 0 })).toMatchObject([{ mount: '/' }])
  })
})

describe('network_info', () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
  eth0: 1000      10    1    2    0     0          0         0     2000      20    3    4    0     0       0          0
`
  const beacon = () => opened(networkInfoBeacon(async () => text))
  const all = {
    bytes_sent: 2000,
    bytes_recv: 1000,
    packets_sent: 20,
    packets_recv: 10,
    errin: 1,
    errout: 3,
    dropin: 2,
    dropout: 4,
  }
  it('tells counters that equal or exceed a value', async () => {
    const look = (wanted: Mapping) => beacon().look({ interfaces: { eth0: wanted, eth9: wanted } })
    expect(await look({ type: 'equal', errin: 1 })).toEqual([{ interface: 'eth0', network_info: all }])
    expect(await look({ errout: 4 })).toEqual([])
    expect(await look({ type: 'greater', bytes_sent: 1999 })).toHaveLength(1)
    expect(await look({ type: 'greater', bytes_sent: 2000 })).toEqual([])
  })
})

describe('log', () => {
  it('tells new whole lines that match from their beginning, also after a rotation', async () => {
    const file = join(directory, 'log')
    const options: Mapping = {
      file,
      tags: { bye: { regex: '.*good-bye.*' }, start: { regex: 'good' }, bad: { regex: '(' } },
    }
    await writeFile(file, 'good-bye, old\n')
    const beacon = opened(logBeacon)
    const tags = async (): Promise<Value[]> => (await beacon.look(options)).map(({ tag, raw }) => `${tag}: ${raw}`)
    expect(await tags()).toEqual([])
    await appendFile(file, 'a good-bye\nnothing\ngood-b')
    expect(await tags()).toEqual(['bad: ', 'bye: a good-bye'])
    await appendFile(file, 'ye\n')
    expect((await tags()).slice(1)).toEqual(['bye: good-bye', 'start: good-bye'])
    await rename(file, `${file}.1`)
    await writeFile(file, 'good\n')
    expect((await tags()).slice(1)).toEqual(['start: good'])
  })
})

describe('wtmp and btmp', () => {
  const record = (type: number, line: string, user: string): Buffer => {
    const bytes = Buffer.alloc(384)
    bytes.writeInt16LE(type, 0)
    bytes.writeInt32LE(4711, 4)
    bytes.write(line, 8)
    bytes.write(user, 44)
    bytes.write('198.51.100.7', 76)
    bytes.writeInt32LE(1_790_000_000, 340)
    return bytes
  }
  const look = async (options: Mapping, kind = wtmpBeacon, groups = ''): Promise<Value[]> => {
    const records = join(directory, 'wtmp')
    await writeFile(records, record(7, 'tty9', 'old'))
    const beacon = opened(kind({ records, groups: async () => groups }))
    await beacon.look(options)
    await appendFile(
      records,
      Buffer.concat([record(7, 'tty1', 'ann'), record(7, 'tty2', 'bob'), record(8, 'tty1', '')]),
    )
    return (await beacon.look(options)).map(({ user, action, hostname }) => `${user} ${action} ${hostname}`)
  }
  const at = 'from 198.51.100.7'.slice(5)
  it('tells who logged in and out', async () => {
    expect(await look({})).toEqual([`ann login ${at}`, `bob login ${at}`, `ann logout ${at}`])
  })
  it('tells only users and groups asked for, in their hours', async () => {
    expect(await look({ users: { bob: {} } })).toEqual([`bob login ${at}`])
    expect(await look({ groups: { wheel: {} } }, wtmpBeacon, 'wheel:x:10:ann,eve\n')).toHaveLength(2)
    expect(await look({ users: { bob: { time_range: { start: '12:01am', end: '12:02am' } } } })).toEqual([])
    expect(await look({ defaults: { time_range: { start: '0:00', end: '23:59' } } })).toHaveLength(3)
  })
  it('tells failed log-ins without an action', async () => {
    expect(await look({}, btmpBeacon)).toContain(`bob undefined ${at}`)
  })
  it.each([
    ['8am', 28800],
    ['12am', 0],
    ['12:30 pm', 45000],
    ['16:05:01', 57901],
    ['25:00', undefined],
    ['soon', undefined],
  ])('reads %s', (text, seconds) => expect(timeOfDay(text)).toBe(seconds))
})

describe('ps and status', () => {
  it('tells processes that run or do not', async () => {
    const beacon = opened(psBeacon(async () => new Set(['sshd'])))
    expect(await beacon.look({ processes: { sshd: 'running', cron: 'running' } })).toEqual([{ sshd: 'Running' }])
    expect(await beacon.look({ processes: { sshd: 'stopped', cron: 'stopped', x: '?' } })).toEqual([
      { cron: 'Stopped' },
      { x: false },
    ])
  })
  it('finds itself', async () => {
    const name = process.title.split('/').at(-1)?.split(' ')[0] ?? ''
    const names = ['node', name, 'MainThread', 'vitest', 'bash', 'sh']
    const found = await opened(psBeacon()).look({
      processes: Object.fromEntries(names.map((one) => [one, 'running'])),
    })
    expect(found.length).toBeGreaterThan(0)
  })
  it('tells what functions return, in parts', async () => {
    const run = async (fun: string): Promise<Value> =>
      fun === 'status.loadavg' ? { '1-min': 1, '5-min': 2 } : fun === 'status.w' ? ['a', 'b'] : 'now'
    const [event] = await opened(statusBeacon, { run }).look({ loadavg: ['1-min'], w: [1], time: ['all'] })
    expect(event).toEqual({
      tag: '2026-11-21T12:00:00.250000',
      data: { loadavg: { '1-min': 1 }, w: { 1: 'b' }, time: 'now' },
    })
    const [wrong] = await opened(statusBeacon, { run }).look({ loadavg: ['2-min'] })
    expect(wrong).toMatchObject({ data: { loadavg: "Status beacon is incorrectly configured: '2-min'" } })
  })
})
