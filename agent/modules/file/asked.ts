// The arguments that most functions of the file module share.
import { pythonStr, type Value } from '../../../core/value/index.ts'
import type { Attributes } from '../../filesystem/attributes.ts'
import { expandUser } from '../../filesystem/paths.ts'
import type { Arguments } from '../arguments.ts'
import { which } from '../cmd-run.ts'
import { SaltInvocationError } from '../errors.ts'
import type { Call } from '../module.ts'

/** A path with `~` expanded. */
export const pathOf = (args: Arguments, name = 'path'): Promise<string> => expandUser(args.text(name))

/** A path that has to be absolute; `what` is the sentence for one that is not. */
export async function absolutePath(args: Arguments, name: string, what: string): Promise<string> {
  const path = await pathOf(args, name)
  if (!path.startsWith('/')) throw new SaltInvocationError(what)
  return path
}

/** The lines a function was given: as `*args`, or as the keyword `args`, a text or a list. */
export function linesOf(args: Arguments): string[] {
  const { args: given } = args.keywords
  if (given === undefined) return args.positional.map(pythonStr)
  return (Array.isArray(given) ? given : [given]).map(pythonStr)
}

/** A text that None and the empty text are not. */
export const some = (value: Value): string | undefined =>
  value === null || value === '' || value === false ? undefined : pythonStr(value)

/** Whether the minion runs with `test: True`. */
export const inTest = (call: Call): boolean => call.agent.opts.test === true

/** chattr and lsattr where they are installed. */
export function attributesOf(call: Call): Attributes {
  return {
    async read(path) {
      if ((await which('lsattr')) === undefined) return undefined
      const out = pythonStr(
        await call.salt('cmd.run', [['lsattr', '-d', path]], { ignore_retcode: true, python_shell: false }),
      )
      const [letters, at] = out.split(/\s+/, 2)
      if (letters === undefined || at === undefined || out.startsWith('lsattr: ')) return undefined
      return letters.match(/[aAcCdDeijPsStTu]/g) ?? []
    },
    async change(path, operator, letters) {
      await call.salt('cmd.run', [['chattr', `${operator}${letters}`, path]], { python_shell: false })
    },
  }
}
