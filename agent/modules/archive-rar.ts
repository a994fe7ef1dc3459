// The functions of `archive` that call rar and unrar.
import { pythonStr } from '../../core/value/index.ts'
import { sourcesOf, trimmed } from './archive-lists.ts'
import { which } from './cmd-run.ts'
import { CommandNotFoundError } from './errors.ts'
import { define, type ExecutionFunction, examples } from './module.ts'
import { outputOf } from './program.ts'

async function found(...programs: readonly string[]): Promise<string> {
  for (const program of programs) if ((await which(program)) !== undefined) return program
  const words =
    programs.length === 1
      ? `The '${programs[0]}' binary was`
      : `None of provided binaries (${programs.join(', ')}) were`
  throw new CommandNotFoundError(`${words} not found in $PATH.`)
}

/** What they are called by. */
export const rarFunctions: Readonly<Record<string, ExecutionFunction>> = {
  rar: define(
    'rarfile, sources, template=None, cwd=None, runas=None',
    `Make a rar archive with the program rar. Returns what it prints.

sources
    A list, or names with commas between them; patterns are expanded.${examples("brine '*' archive.rar /tmp/rarfile.rar /tmp/sourcefile1,/tmp/sourcefile2")}`,
    async (args, call) => {
      const words = [await found('rar'), 'a', '-idp', args.text('rarfile'), ...(await sourcesOf(args.value('sources')))]
      const told = await call.salt('cmd.run', [words], { python_shell: false, ...args.given(['cwd', 'runas']) })
      return pythonStr(told).split('\n')
    },
  ),
  unrar: define(
    'rarfile, dest, excludes=None, template=None, runas=None, trim_output=False',
    `Unpack a rar archive with the program unrar, or rar. Returns what it prints.

excludes
    Names that are left out: a list, or names with commas between them.
trim_output
    A number: return at most so many lines.${examples("brine '*' archive.unrar /tmp/rarfile.rar /home/strongbad/ excludes=file_1,file_2")}`,
    async (args, call) => {
      const excludes = args.value('excludes') === null ? [] : args.texts('excludes')
      const words = ['x', '-idp', args.text('rarfile'), ...excludes.flatMap((one) => ['-x', one]), args.text('dest')]
      const options = { merge: true, runas: args.textIfAny('runas') }
      const output = await outputOf(call, [await found('unrar', 'rar'), ...words], options)
      return trimmed(output.split('\n'), args.value('trim_output'))
    },
  ),
}
