// The `ps` module on the machine the tests run on.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Float, isMapping, type Mapping } from '../../../core/value/index.ts'
import { type FakeMinion, fakeMinion } from '../../fake-minion.ts'

let minion: FakeMinion
beforeAll(async () => {
  minion = await fakeMinion()
})
afterAll(() => minion.close())

const told = async (fun: string, arg: (string | number)[] = [], kwarg: Mapping = {}): Promise<Mapping> => {
  const value = await minion.run(fun, arg, kwarg)
  if (!isMapping(value)) throw new Error(JSON.stringify(value))
  return value
}

/** A process of this test alone, to be found by a word of its command line. */
async function sleeper(word: string): Promise<ChildProcess & { pid: number }> {
  const child = spawn('sh', ['-c', 'echo on; read line', word], { stdio: ['pipe', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  if (child.pid === undefined) throw new Error('no process')
  return Object.assign(child, { pid: child.pid })
}

describe.runIf(process.platform === 'linux')('processes', () => {
  it('tells what it knows of one, and what is asked of it', async () => {
    const all = await told('ps.proc_info', [process.pid])
    expect(all).toMatchObject({
      pid: process.pid,
      ppid: process.ppid,
      cwd: process.cwd(),
      exe: process.execPath,
      environ: { PATH: process.env.PATH },
      uids: Array(3).fill(process.getuid?.()),
      num_threads: expect.any(Number),
    })
    expect(all.memory_info).toHaveLength(7)
    expect(await minion.run('ps.get_pid_list')).toContain(process.pid)
    expect(Object.keys(await told('ps.proc_info', [process.pid], { attrs: ['pid', 'name'] }))).toEqual(['pid', 'name'])
  })

  it('fails clearly for a process that is not there, and for what nobody knows', async () => {
    await expect(minion.run('ps.proc_info', [99_999_999])).rejects.toThrow('process PID not found (pid=99999999)')
    await expect(minion.run('ps.proc_info', [1], { attrs: ['nope'] })).rejects.toThrow("invalid attr name 'nope'")
    await expect(minion.run('ps.status', [''])).rejects.toThrow('Filter is required for ps.status')
  })

  it('finds by name, command line, pattern and user', async () => {
    const child = await sleeper('brine-ps-find')
    const by = { full: true }
    expect(await minion.run('ps.pgrep', ['brine-ps-find'], by)).toContain(child.pid)
    expect(await minion.run('ps.pgrep', ['brine-ps-f[i]nd'], by)).toBeNull()
    expect(await minion.run('ps.pgrep', ['brine-ps-f[i]nd'], { ...by, pattern_is_regex: true })).toEqual([child.pid])
    expect(await minion.run('ps.pgrep', ['brine-ps-find'], { ...by, user: 'nobody-at-all' })).toBeNull()
    expect(await minion.run('ps.status', ['sleeping'])).toContainEqual({ pid: child.pid, name: expect.any(String) })
    expect(await minion.run('ps.psaux', ['brine-ps-fin[d]'])).toEqual([
      'brine-ps-fin[d]',
      [expect.stringContaining('brine-ps-find')],
      '1 occurrence(s).',
    ])
    child.kill()
  })

  it('ends those that a pattern fits, and says when there are none', async () => {
    const child = await sleeper('brine-ps-kill')
    const ended = once(child, 'exit')
    const how = { full: true, signal: 9 }
    expect(await minion.run('ps.pkill', ['brine-ps-kill'], how)).toEqual({ killed: [child.pid] })
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(await minion.run('ps.pkill', ['brine-ps-kill'], how)).toBeNull()
    expect(await minion.run('ps.kill_pid', [child.pid])).toBe(false)
  })

  it.each([[-1], [0]])('sends nothing to a group of processes: %s', async (pid) => {
    const outcome = await minion.outcome('ps.kill_pid', [pid], { signal: 0 })
    expect(outcome.kind === 'returned' ? outcome.value : outcome.kind).toBe(pid === 0 ? false : 'failed')
  })

  it('tells which use the processors most', async () => {
    const [first] = (await minion.run('ps.top', [1, 0])) as Mapping[]
    expect(first).toMatchObject({
      pid: expect.any(Number),
      cpu: { user: expect.anything(), system: expect.anything() },
      mem: { rss: expect.any(Number), vms: expect.any(Number) },
    })
  })
})

describe.runIf(process.platform === 'linux')('the machine', () => {
  it('tells its memory', async () => {
    const memory = await told('ps.virtual_memory')
    expect(memory.total).toBe(await minion.run('ps.total_physical_memory'))
    expect(Number(memory.used) + Number(memory.available)).toBe(memory.total)
    expect(Object.keys(await told('ps.swap_memory'))).toEqual(['total', 'used', 'free', 'percent', 'sin', 'sout'])
  })

  it('tells its processors, each by itself where asked', async () => {
    const count = Number(await minion.run('ps.num_cpus'))
    expect(count).toBeGreaterThan(0)
    expect(Object.keys(await told('ps.cpu_times'))).toContain('iowait')
    const each = await minion.run('ps.cpu_percent', [0.05], { per_cpu: true })
    expect(each).toHaveLength(((await minion.run('ps.cpu_times', [], { per_cpu: true })) as unknown[]).length)
    for (const one of each as (number | Float)[])
      expect(typeof one === 'number' ? one : one.value).toBeLessThanOrEqual(100)
  })

  it('tells its disks', async () => {
    const root = await told('ps.disk_usage', ['/'])
    expect(Object.keys(root)).toEqual(['total', 'used', 'free', 'percent'])
    await expect(minion.run('ps.disk_usage', ['/no/such'])).rejects.toThrow("No such file or directory: '/no/such'")
    const all = (await minion.run('ps.disk_partitions', [], { all: true })) as Mapping[]
    expect(all).toContainEqual(expect.objectContaining({ mountpoint: '/proc', fstype: 'proc' }))
    const disks = (await minion.run('ps.disk_partition_usage')) as Mapping[]
    expect(disks.some(({ mountpoint }) => mountpoint === '/proc')).toBe(false)
    expect(await minion.run('ps.disk_io_counters', ['nosuch'])).toBe(false)
  })

  it('tells its network', async () => {
    const loopback = await told('ps.network_io_counters', ['lo'])
    expect(loopback.bytes_sent).toBe(loopback.bytes_recv)
    expect(Object.keys(await told('ps.network_io_counters'))).toEqual(Object.keys(loopback))
    expect(await minion.run('ps.network_io_counters', ['nosuch0'])).toBe(false)
  })

  it('tells when it started, in seconds or as it is asked to', async () => {
    const seconds = Number(await minion.run('ps.boot_time'))
    expect(Math.abs(seconds - (Date.now() / 1000 - (await import('node:os')).uptime()))).toBeLessThan(5)
    expect(await minion.run('ps.boot_time', [], { time_format: '%Y' })).toBe(
      String(new Date(seconds * 1000).getFullYear()),
    )
    expect(await minion.run('ps.boot_time', [], { time_format: '%j' })).toMatch(/^\d{3}$/)
    expect(Array.isArray(await minion.run('ps.get_users'))).toBe(true)
  })
})
