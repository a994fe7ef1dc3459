// The functions of `service` about a system that is not booted yet.
import { lstat } from 'node:fs/promises'
import { which } from './cmd-run.ts'
import { CommandExecutionError } from './errors.ts'
import { define, type ExecutionFunction, examples } from './module.ts'
import { requirePrograms, runProgram } from './program.ts'

/** The arguments, as systemd-firstboot calls them. */
const options = ['locale', 'locale_message', 'keymap', 'timezone', 'hostname', 'machine_id', 'root']

const isBooted = (): Promise<boolean> =>
  lstat('/run/systemd/system').then(
    (found) => found.isDirectory(),
    () => false,
  )

/** What they are called by. */
export const bootFunctions: Readonly<Record<string, ExecutionFunction>> = {
  offline: define(
    '',
    `Return whether there is systemctl but no systemd running, as in a root directory that is being made.${examples('brine myminion service.offline')}`,
    async () => !(await isBooted()) && (await which('systemctl')) !== undefined,
    { readOnly: true },
  ),
  firstboot: define(
    'locale=None, locale_message=None, keymap=None, timezone=None, hostname=None, machine_id=None, root=None',
    `Set the basics of a system that was not booted yet, by systemd-firstboot.

root
    The directory it is in.${examples('brine myminion service.firstboot keymap=jp locale=en_US.UTF-8 root=/mnt')}`,
    async (args, call) => {
      await requirePrograms('systemd-firstboot')
      const words = options.flatMap((name) => {
        const value = args.textIfAny(name)
        return value === undefined ? [] : [`--${name.replace('_', '-')}`, value]
      })
      const { retcode, stderr } = await runProgram(call, ['systemd-firstboot', ...words])
      if (retcode !== 0) throw new CommandExecutionError(`systemd-firstboot error: ${stderr}`)
      return true
    },
  ),
}
