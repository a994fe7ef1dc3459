// The functions of `file` that call sed; file.replace is the better one, and needs no program.
import { pythonStr } from '../../../core/value/index.ts'
import { exists, expandUser } from '../../filesystem/paths.ts'
import { define, type ExecutionFunction, examples } from '../module.ts'
import { runProgram } from '../program.ts'
import { shellWords } from '../shell-words.ts'

/** A text between sed's slashes; with `all`, none of its characters means more than itself. */
function escaped(text: string, all: boolean): string {
  const bare = text.replaceAll("'", "'\"'\"'").replaceAll('/', '\\/')
  return all ? bare.replaceAll(/[\^.[$()|*+?{]/g, '\\$&') : bare
}

const limited = (limit: string): string => (limit === '' ? '' : `/${limit}/ `)

/** The functions, by their names. */
export const sedding: Readonly<Record<string, ExecutionFunction>> = {
  sed: define(
    "path, before, after, limit='', backup='.bak', options='-r -e', flags='g', escape_all=False, negate_match=False",
    `Edit a file with sed; file.replace does the same without a program. False where there is no such file.

before, after
    What is looked for, and what is put there.
limit
    Only in lines in which this is found.
backup
    What the name of the copy ends with; empty for none.
escape_all
    Signs of patterns mean themselves.
negate_match
    Only in lines in which the limit is not found.${examples(`brine '*' file.sed /etc/httpd/httpd.conf 'LogLevel warn' 'LogLevel info'`)}`,
    async (args, call) => {
      const path = await expandUser(args.text('path'))
      if (!(await exists(path))) return false
      const all = args.is('escape_all')
      const [before, after, limit] = ['before', 'after', 'limit'].map((name) => escaped(args.text(name), all))
      const backup = args.textIfAny('backup') ?? ''
      const script = `${limited(limit ?? '')}${args.is('negate_match') ? '!' : ''}s/${before}/${after}/${args.text('flags')}`
      const { pid, retcode, stdout, stderr } = await runProgram(call, [
        'sed',
        `-i${backup}`,
        ...shellWords(args.text('options')),
        script,
        path,
      ])
      return { pid, retcode, stdout, stderr }
    },
  ),
  sed_contains: define(
    "path, text, limit='', flags='g'",
    `Return whether sed finds a pattern in a file; file.contains_regex does the same without a program.${examples("brine '*' file.sed_contains /etc/crontab 'mymaintenance.sh'")}`,
    async (args, call) => {
      const path = await expandUser(args.text('path'))
      if (!(await exists(path))) return false
      const script = `${limited(escaped(args.text('limit'), false))}s/${escaped(args.text('text'), false)}/$/p${args.text('flags')}`
      const { stdout } = await runProgram(call, ['sed', '-n', '-r', '-e', script, path], { merge: true })
      return pythonStr(stdout) !== ''
    },
    { readOnly: true },
  ),
}
