// Processes, and what the machine does: Salt's `ps` module without psutil.
import { availableParallelism } from 'node:os'
import { isList, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { formatDate } from '../../date-format.ts'
import type { Arguments } from '../arguments.ts'
import { CommandNotFoundError } from '../errors.ts'
import { type Call, define, type ExecutionModule, examples } from '../module.ts'
import { outputOf, succeeds } from '../program.ts'
import { processInfo } from './attributes.ts'
import { inState, killMatching, matching, psaux, send, top } from './choosing.ts'
import { cpuPercent, cpuTimes, diskCounters, diskUsage, loggedIn, networkCounters, partitions } from './counters.ts'
import { physicalMemory, swapMemory, virtualMemory } from './memory.ts'
import { bootTime, processIds } from './processes.ts'

const readOnly = { readOnly: true }

async function partitionUsage(args: Arguments): Promise<Mapping[]> {
  const told: Mapping[] = []
  for (const partition of await partitions(args.is('all')))
    told.push({ ...partition, ...(await diskUsage(partition.mountpoint)) })
  return told
}

async function boot(args: Arguments): Promise<Value> {
  const seconds = await bootTime()
  const format = args.textIfAny('time_format')
  return format === undefined ? seconds : formatDate(seconds * 1000, format)
}

/** The name, and the lines of a program's output that it is in. */
async function linesWith(args: Arguments, call: Call, program: readonly [string, string]): Promise<Value> {
  const name = args.text('name')
  if (!(await succeeds(call, ['sh', '-c', `command -v ${program[0]}`])))
    throw new CommandNotFoundError(`The program ${program[0]} is not on this machine.`)
  const lines = (await outputOf(call, program)).split('\n')
  return [name, lines.filter((line) => line.includes(name))]
}

const patternDoc = `pattern
    Text that is in the name of the program.
user
    Only processes of this user.
full
    Look at the whole command line.`

const signalDoc = `signal
    The signal's number; 15 asks a process to end, 9 ends it.`

/** Salt's `ps` module. */
export const ps: ExecutionModule = {
  name: 'ps',
  file: 'ps',
  functions: {
    get_pid_list: define(
      '',
      `Return the ids of all processes.${examples("brine '*' ps.get_pid_list")}`,
      () => processIds(),
      readOnly,
    ),
    proc_info: define(
      'pid, attrs=None',
      `Return what is known of a process. What only its owner may read is \`\`None\`\`.

attrs
    Names of what to return; everything otherwise.${examples("brine '*' ps.proc_info 2322", `brine '*' ps.proc_info 2322 attrs='["pid", "name"]'`)}`,
      (args) => {
        const attrs = args.value('attrs')
        return processInfo(args.integer('pid'), isList(attrs) ? attrs.map(pythonStr) : undefined)
      },
      readOnly,
    ),
    top: define(
      'num_processes=5, interval=3',
      `Return the processes that use the processors most.

interval
    Seconds to watch them for.${examples("brine '*' ps.top", "brine '*' ps.top 5 10")}`,
      top,
      readOnly,
    ),
    pgrep: define(
      'pattern, user=None, full=False, pattern_is_regex=False',
      `Return the ids of the processes a pattern fits, \`\`None\`\` where there are none.

${patternDoc}
pattern_is_regex
    The pattern is a regular expression.${examples("brine '*' ps.pgrep httpd", "brine '*' ps.pgrep bash user=tom")}`,
      async (args) => {
        const found = await matching(args)
        return found.length === 0 ? null : found
      },
      readOnly,
    ),
    pkill: define(
      'pattern, user=None, signal=15, full=False',
      `Send a signal to the processes a pattern fits, and return their ids.

${patternDoc}
${signalDoc}${examples("brine 'www.*' ps.pkill httpd signal=1", "brine '*' ps.pkill bash signal=9 user=tom")}`,
      killMatching,
    ),
    kill_pid: define(
      'pid, signal=15',
      `Send a signal to a process. \`\`False\`\` where there is none.

${signalDoc}${examples("brine 'minion' ps.kill_pid 2000 signal=9")}`,
      (args) => send(args.integer('pid'), args.integer('signal')),
    ),
    psaux: define(
      'name',
      `Return the lines of \`\`ps aux\`\` that a regular expression is found in.${examples("brine '*' ps.psaux www-data.+apache2")}`,
      psaux,
      readOnly,
    ),
    status: define(
      'status',
      `Return the processes in a state: running, sleeping, disk_sleep, stopped, tracing_stop, zombie, dead, idle, parked.${examples("brine '*' ps.status zombie")}`,
      inState,
      readOnly,
    ),
    lsof: define(
      'name',
      `Return the files that the processes of a name have open, as lsof tells them.${examples("brine '*' ps.lsof apache2")}`,
      async (args, call) => [args.text('name'), await outputOf(call, ['lsof', '-c', args.text('name')])],
      readOnly,
    ),
    netstat: define(
      'name',
      `Return the lines of netstat that a name is in.${examples("brine '*' ps.netstat apache2")}`,
      (args, call) => linesWith(args, call, ['netstat', '-nap']),
      readOnly,
    ),
    ss: define(
      'name',
      `Return the lines of ss that a name is in.${examples("brine '*' ps.ss apache2")}`,
      (args, call) => linesWith(args, call, ['ss', '-neap']),
      readOnly,
    ),
    cpu_percent: define(
      'interval=0.1, per_cpu=False',
      `Return how busy the processors are, in hundredths.

interval
    Seconds to watch them for.
per_cpu
    Each by itself, in a list.${examples("brine '*' ps.cpu_percent")}`,
      (args, call) => cpuPercent(args.numberIfAny('interval') ?? 0, args.is('per_cpu'), call.signal),
      readOnly,
    ),
    cpu_times: define(
      'per_cpu=False',
      `Return the seconds the processors spent on user, system, idle and the like.

per_cpu
    Each by itself, in a list.${examples("brine '*' ps.cpu_times")}`,
      (args) => cpuTimes(args.is('per_cpu')),
      readOnly,
    ),
    num_cpus: define(
      '',
      `Return the number of processors.${examples("brine '*' ps.num_cpus")}`,
      () => availableParallelism(),
      readOnly,
    ),
    virtual_memory: define(
      '',
      `Return how the memory is used, in bytes.${examples("brine '*' ps.virtual_memory")}`,
      virtualMemory,
      readOnly,
    ),
    swap_memory: define(
      '',
      `Return how the swap space is used, in bytes.${examples("brine '*' ps.swap_memory")}`,
      swapMemory,
      readOnly,
    ),
    total_physical_memory: define(
      '',
      `Return the bytes of memory.${examples("brine '*' ps.total_physical_memory")}`,
      physicalMemory,
      readOnly,
    ),
    disk_partitions: define(
      'all=False',
      `Return the file systems that are mounted from disks.

all
    The others too, such as tmpfs.${examples("brine '*' ps.disk_partitions")}`,
      (args) => partitions(args.is('all')),
      readOnly,
    ),
    disk_usage: define(
      'path',
      `Return the bytes of the disk a path is on.${examples("brine '*' ps.disk_usage /home")}`,
      (args) => diskUsage(args.text('path')),
      readOnly,
    ),
    disk_partition_usage: define(
      'all=False',
      `Return the file systems that are mounted from disks, with how full they are.

all
    The others too, such as tmpfs.${examples("brine '*' ps.disk_partition_usage")}`,
      partitionUsage,
      readOnly,
    ),
    boot_time: define(
      'time_format=None',
      `Return when the machine started, in seconds since 1970.

time_format
    How to write it instead, as strftime(3) has it.${examples("brine '*' ps.boot_time", "brine '*' ps.boot_time time_format='%c'")}`,
      boot,
      readOnly,
    ),
    network_io_counters: define(
      'interface=None',
      `Return what went over the network, or over one device; \`\`False\`\` where there is no such device.${examples("brine '*' ps.network_io_counters", "brine '*' ps.network_io_counters interface=eth0")}`,
      (args) => networkCounters(args.textIfAny('interface')),
      readOnly,
    ),
    disk_io_counters: define(
      'device=None',
      `Return what the disks have read and written, or one of them; \`\`False\`\` where there is no such disk.${examples("brine '*' ps.disk_io_counters", "brine '*' ps.disk_io_counters device=sda1")}`,
      (args) => diskCounters(args.textIfAny('device')),
      readOnly,
    ),
    get_users: define('', `Return who is logged in.${examples("brine '*' ps.get_users")}`, loggedIn, readOnly),
  },
}
