// Ending or restarting the machine.
import { pythonTruth } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

/** Runs a program by its arguments, never by a shell. */
const run = (call: Call, ...command: readonly string[]) => call.salt('cmd.run', [[...command]], { python_shell: false })

/** A machine that goes down takes the minion with it: the next one tells how it went. */
const alone = { resumable: true }

const when = (args: Arguments): string => (pythonTruth(args.value('at_time')) ? args.text('at_time') : 'now')

/** Salt's `system` module. */
export const system: ExecutionModule = {
  name: 'system',
  file: 'system',
  functions: {
    reboot: define(
      'at_time=None',
      `Reboot the system.

at_time
    Minutes to wait before it.${examples("brine '*' system.reboot")}`,
      (args, call) => (args.is('at_time') ? run(call, 'shutdown', '-r', when(args)) : run(call, 'reboot')),
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
  },
}
