// How this machine is: load, memory, processors, disks, processes.
import { statfs } from 'node:fs/promises'
import { availableParallelism, loadavg as loads, uptime as secondsUp } from 'node:os'
import { matchTag } from '../../core/event/tag-glob.ts'
import { float, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { clockText } from './clock.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { memoryTable, mounts, numberOr, procLines, procTable } from './proc.ts'
import { outputOf } from './program.ts'

function loadavg(): Mapping {
  const [one = 0, five = 0, fifteen = 0] = loads().map((load) => Math.round(load * 100) / 100)
  return { '1-min': float(one), '5-min': float(five), '15-min': float(fifteen) }
}

async function uptime(call: Call): Promise<Mapping> {
  const seconds = Math.floor(secondsUp())
  const now = Math.floor(call.agent.outside.now() / 1_000_000)
  const since = now - seconds
  const days = Math.floor(seconds / 86_400)
  const time = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 16).replace(/^0/, '')
  return {
    seconds,
    since_iso: new Date(since * 1000).toISOString().slice(0, 19),
    since_t: since,
    days,
    time,
    users: (await loggedIn(call)).length,
  }
}

async function loggedIn(call: Call): Promise<string[]> {
  const lines = (await outputOf(call, ['who', '-s'])).split('\n')
  return lines.filter((line) => line !== '')
}

async function cpuinfo(): Promise<Mapping> {
  const told: Mapping = {}
  for (const [key, value] of await procTable('cpuinfo', /:/)) told[key] = key === 'flags' ? value.split(/\s+/) : value
  return told
}

async function cpustats(): Promise<Mapping> {
  const names = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal']
  const told: Mapping = {}
  for (const line of await procLines('stat')) {
    const [key = '', ...values] = line.split(/\s+/)
    if (key.startsWith('cpu')) {
      told[key] = Object.fromEntries(
        names.flatMap((name, at) => (values[at] === undefined ? [] : [[name, Number(values[at])]])),
      )
    } else told[key] = values.length === 1 ? Number(values[0]) : values.map(Number)
  }
  return told
}

async function diskstats(): Promise<Mapping> {
  const names = [
    'reads_issued',
    'reads_merged',
    'sectors_read',
    'ms_spent_reading',
    'writes_completed',
    'writes_merged',
    'sectors_written',
    'ms_spent_writing',
    'io_in_progress',
    'ms_spent_in_io',
    'weighted_ms_spent_in_io',
  ]
  const told: Mapping = {}
  for (const line of await procLines('diskstats')) {
    const [major = '', minor = '', device = '', ...values] = line.trim().split(/\s+/)
    const numbers = names.map((name, at) => [name, Number(values[at] ?? 0)])
    told[device] = { major: Number(major), minor: Number(minor), device, ...Object.fromEntries(numbers) }
  }
  return told
}

/** Bytes to be had and in all, by where the disk is mounted; of paths, or of kinds of file systems. */
async function diskusage(wanted: readonly string[]): Promise<Mapping> {
  const paths = new Set(wanted.filter((one) => one.startsWith('/')))
  const kinds = wanted.length === 0 ? ['*'] : wanted.filter((one) => !one.startsWith('/'))
  for (const { path, kind } of await mounts()) if (kinds.some((glob) => matchTag(glob, kind))) paths.add(path)
  const told: Mapping = {}
  for (const path of paths) {
    const found = await statfs(path).catch(() => undefined)
    if (found !== undefined) told[path] = { available: found.bavail * found.bsize, total: found.blocks * found.bsize }
  }
  return told
}

async function netdev(): Promise<Mapping> {
  const names = ['bytes', 'packets', 'errs', 'drop', 'fifo', 'frame', 'compressed', 'multicast']
  const sent = ['bytes', 'packets', 'errs', 'drop', 'fifo', 'colls', 'carrier', 'compressed']
  const told: Mapping = {}
  for (const [iface, rest] of (await procTable('net/dev', /:/)).slice(2)) {
    const values = rest.split(/\s+/).map(Number)
    const pairs = [...names.map((name) => `Rx_${name}`), ...sent.map((name) => `Tx_${name}`)]
    told[iface] = { iface, ...Object.fromEntries(pairs.map((name, at) => [name, values[at] ?? 0])) }
  }
  return told
}

async function netstats(): Promise<Mapping> {
  const told: Mapping = {}
  for (const file of ['net/snmp', 'net/netstat']) {
    const lines = await procLines(file)
    for (let at = 0; at + 1 < lines.length; at += 2) {
      const [key = '', ...names] = (lines[at] ?? '').split(/\s+/)
      const values = (lines[at + 1] ?? '').split(/\s+/).slice(1)
      told[key.replace(':', '')] = Object.fromEntries(names.map((name, index) => [name, numberOr(values[index] ?? '')]))
    }
  }
  return told
}

async function procs(call: Call): Promise<Mapping> {
  const lines = (await outputOf(call, ['ps', '-eo', 'user:32,pid,args', '--no-headers'])).split('\n')
  const told: Mapping = {}
  for (const line of lines) {
    const [, user, pid, cmd] = /^(\S+)\s+(\d+)\s+(.*)$/.exec(line.trim()) ?? []
    if (user !== undefined && pid !== undefined) told[pid] = { user, cmd: cmd ?? '' }
  }
  return told
}

/** Process ids whose command line matches a regular expression, this minion's own left out. */
async function pid(args: Arguments, call: Call): Promise<string> {
  const pattern = new RegExp(args.text('sig'))
  const found = Object.entries(await procs(call)).filter(
    ([id, one]) => id !== String(process.pid) && isMapping(one) && pattern.test(pythonStr(one.cmd ?? '')),
  )
  return found.map(([id]) => id).join('\n')
}

async function w(call: Call): Promise<Value> {
  const lines = (await outputOf(call, ['w', '-fh'])).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [user = '', tty = '', login = '', idle = '', jcpu = '', pcpu = '', ...what] = line.trim().split(/\s+/)
    return { idle, jcpu, login, pcpu, tty, user, what: what.join(' ') }
  })
}

async function vmstats(): Promise<Mapping> {
  return Object.fromEntries((await procTable('vmstat', /\s+/)).map(([key, value]) => [key, numberOr(value)]))
}

/** `status.loadavg.custom: [1-min]` and such. */
async function custom(_: Arguments, call: Call): Promise<Mapping> {
  const told: Mapping = {}
  const wanted = await call.salt('config.dot_vals', ['status'])
  for (const [key, names] of Object.entries(isMapping(wanted) ? wanted : {})) {
    const fun = key.slice(0, key.lastIndexOf('.'))
    if (fun === 'status.custom' || call.agent.functions.get(fun) === undefined) continue
    const values = await call.salt(fun)
    for (const name of Array.isArray(names) ? names.map(pythonStr) : [])
      told[name] = isMapping(values) ? (values[name] ?? 'UNKNOWN') : 'UNKNOWN'
  }
  return told
}

const readOnly = { readOnly: true }

/** Salt's `status` module. */
export const status: ExecutionModule = {
  name: 'status',
  file: 'status',
  functions: {
    loadavg: define('', `Return the load averages.${examples("brine '*' status.loadavg")}`, loadavg, readOnly),
    uptime: define(
      '',
      `Return for how long the machine has been up.${examples("brine '*' status.uptime")}`,
      (_, call) => uptime(call),
      readOnly,
    ),
    cpuinfo: define(
      '',
      `Return what kind of processor it is.${examples("brine '*' status.cpuinfo")}`,
      cpuinfo,
      readOnly,
    ),
    cpustats: define(
      '',
      `Return what the processors have done.${examples("brine '*' status.cpustats")}`,
      cpustats,
      readOnly,
    ),
    meminfo: define('', `Return how the memory is used.${examples("brine '*' status.meminfo")}`, memoryTable, readOnly),
    diskstats: define(
      '',
      `Return what the disks have done.${examples("brine '*' status.diskstats")}`,
      diskstats,
      readOnly,
    ),
    diskusage: define(
      '*args',
      `Return the bytes to be had and in all of disks: of all, of paths, or of kinds of file systems.${examples("brine '*' status.diskusage", "brine '*' status.diskusage / /usr", "brine '*' status.diskusage 'ext?'")}`,
      (args) => diskusage(args.positional.map(pythonStr)),
      readOnly,
    ),
    vmstats: define(
      '',
      `Return what the virtual memory has done.${examples("brine '*' status.vmstats")}`,
      vmstats,
      readOnly,
    ),
    netdev: define(
      '',
      `Return what the network devices have done.${examples("brine '*' status.netdev")}`,
      netdev,
      readOnly,
    ),
    netstats: define(
      '',
      `Return what the network protocols have done.${examples("brine '*' status.netstats")}`,
      netstats,
      readOnly,
    ),
    nproc: define(
      '',
      `Return the number of processors.${examples("brine '*' status.nproc")}`,
      () => availableParallelism(),
      readOnly,
    ),
    procs: define(
      '',
      `Return the processes, by id.${examples("brine '*' status.procs")}`,
      (_, call) => procs(call),
      readOnly,
    ),
    pid: define(
      'sig',
      `Return the ids of the processes whose command line a regular expression is found in, one a line.${examples("brine '*' status.pid '/usr/sbin/cron'")}`,
      pid,
      readOnly,
    ),
    version: define(
      '',
      `Return the version of the kernel.${examples("brine '*' status.version")}`,
      async () => (await procLines('version'))[0] ?? '',
      readOnly,
    ),
    w: define('', `Return who is logged in.${examples("brine '*' status.w")}`, (_, call) => w(call), readOnly),
    all_status: define(
      '',
      `Return everything this module tells of the machine.${examples("brine '*' status.all_status")}`,
      async (_, call) => ({
        cpuinfo: await cpuinfo(),
        cpustats: await cpustats(),
        diskstats: await diskstats(),
        diskusage: await diskusage([]),
        loadavg: loadavg(),
        meminfo: await memoryTable(),
        netdev: await netdev(),
        netstats: await netstats(),
        uptime: await uptime(call),
        vmstats: await vmstats(),
        w: await w(call),
      }),
      readOnly,
    ),
    // The signature is written out: its default has a comma in it.
    time: {
      ...define(
        'format=None',
        `Return the time of this machine in a format.${examples("brine '*' status.time", "brine '*' status.time '%s'")}`,
        (args, call) => clockText(call.agent.outside.now() / 1000, null, args.text('format')),
        readOnly,
      ),
      signature: { params: [{ name: 'format', default: '%A, %d. %B %Y %I:%M%p' }] },
    },
    custom: define(
      '',
      `Return what the options \`\`status.FUNCTION.custom\`\` name of what those functions of this module tell: lists of names.${examples("brine '*' status.custom")}`,
      custom,
      readOnly,
    ),
  },
}
