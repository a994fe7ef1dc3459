// What `onlyif`, `unless`, `creates` and `check_cmd` ask of this machine.
import { access } from 'node:fs/promises'
import type { Checks } from '../../core/state/index.ts'
import type { Call } from '../modules/module.ts'

/** Commands run by a shell, functions of the minion, files. What they set as exit code is theirs, not the run's. */
export function checksOf(call: Call): Checks {
  const apart = async <T>(work: () => Promise<T>): Promise<{ value: T; retcode: number }> => {
    const before = call.context.retcode
    call.context.retcode = 0
    try {
      return { value: await work(), retcode: call.context.retcode }
    } finally {
      call.context.retcode = before
    }
  }
  return {
    async retcode(command, options) {
      const given = { ...options, python_shell: true, ignore_retcode: true }
      const { value } = await apart(() => call.salt('cmd.retcode', [command], given))
      return typeof value === 'number' ? value : 1
    },
    call: (fun, args, kwargs) => apart(() => call.salt(fun, args, kwargs)),
    has: (fun) => call.agent.functions.get(fun) !== undefined,
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
  }
}
