// Ending or restarting the machine; its clock and its name.
import { pythonTruth } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { clockText } from './clock.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { clockFunctions } from './system-clock.ts'

/** Runs a program by its arguments, never by a shell. */
const run = (call: Call, ...command: readonly string[]) => call.salt('cmd.run', [[...command]], { python_shell: false })

/** A machine that goes down takes the minion with it: the next one tells how it went. */
const alone = { resumable: true }

const when = (args: Arguments): string => (pythonTruth(args.value('at_time')) ? args.text('at_time') : 'now')

const offsetDoc = `utc_offset
    The time at this offset from UTC, \`\`+0600\`\` for one; the machine's own zone otherwise.`

/** A function that tells the time in a format. */
const clock = (name: string, what: string, format: string) =>
  define(
    'utc_offset=None',
    `Return the ${what}.

${offsetDoc}${examples(`brine '*' system.${name}`, `brine '*' system.${name} "'-0500'"`)}`,
    (args, call) => clockText(call.agent.outside.now() / 1000, args.value('utc_offset'), format),
    { readOnly: true },
  )

/** Salt's `system` module. */
export const system: ExecutionModule = {
  name: 'system',
  file: 'system',
  functions: {
    ...clockFunctions,
    reboot: define(
      'at_time=None',
      `Reboot the system.

at_time
    Minutes to wait before it.${examples("brine '*' system.reboot")}`,
      (args, call) => run(call, 'shutdown', '-r', when(args)),
      alone,
    ),
    shutdown: define(
      'at_time=None',
      `Shut the system down.

at_time
    Minutes to wait before it.${examples("brine '*' system.shutdown 5")}`,
      (args, call) => run(call, 'shutdown', '-h', when(args)),
      alone,
    ),
    halt: define('', `Halt the system${examples("brine '*' system.halt")}`, (_, call) => run(call, 'halt'), alone),
    poweroff: define(
      '',
      `Power the system off${examples("brine '*' system.poweroff")}`,
      (_, call) => run(call, 'poweroff'),
      alone,
    ),
    init: define(
      'runlevel',
      `Change the runlevel of a SysV system${examples("brine '*' system.init 3")}`,
      (args, call) => run(call, 'init', args.text('runlevel')),
      alone,
    ),
    get_system_time: clock('get_system_time', 'time of day', '%I:%M:%S %p'),
    get_system_date: clock('get_system_date', 'date', '%a %m/%d/%Y'),
    get_system_date_time: clock('get_system_date_time', 'date and time', '%Y-%m-%d %H:%M:%S'),
    get_computer_name: define(
      '',
      `Return the name of the machine.${examples("brine '*' system.get_computer_name")}`,
      (_, call) => call.salt('network.get_hostname'),
      { readOnly: true },
    ),
    set_computer_name: define(
      'hostname',
      `Give the machine another name, as network.mod_hostname does.${examples("brine '*' system.set_computer_name web1.example.com")}`,
      (args, call) => call.salt('network.mod_hostname', [args.value('hostname')]),
    ),
  },
}
