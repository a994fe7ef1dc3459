// Scripts from the master or from elsewhere, run on the minion and removed again.
import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { posix } from 'node:path'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { saltPath } from '../files/index.ts'
import { changeOwner, userNumber } from '../filesystem/owners.ts'
import { joinPath } from '../filesystem/paths.ts'
import { decode } from '../filesystem/text.ts'
import { copyWhole, writeWhole } from '../filesystem/write.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { renderFile, TEMPLATES } from './file/template.ts'
import type { Call } from './module.ts'
import { shellWords } from './shell-words.ts'

const notCached: Mapping = { pid: 0, retcode: 1, stdout: '', stderr: '', cache_error: true }

/** `cmd.script`: everything of it, or `cache_error` where the script cannot be got. */
export async function runScript(args: Arguments, call: Call): Promise<Mapping> {
  const source = args.text('source')
  const own = call.agent.opts.saltenv
  const env = args.textIfAny('saltenv') ?? (typeof own === 'string' && own !== '' ? own : 'base')
  const cached = await call.agent.files.cache(source, env)
  if (cached === undefined) return { ...notCached }
  const name = `brine-script-${randomBytes(6).toString('hex')}${posix.extname(saltPath(source, env).path)}`
  const path = joinPath(args.textIfAny('cwd') ?? tmpdir(), name)
  try {
    await place(cached, path, env, args, call)
    const given = args.value('args')
    const words =
      given === null || given === '' ? [] : Array.isArray(given) ? given.map(pythonStr) : shellWords(pythonStr(given))
    const shell = words.length > 0 ? { python_shell: false } : args.given(['python_shell'])
    const more = [
      'cwd',
      'stdin',
      'runas',
      'group',
      'shell',
      'env',
      'umask',
      'timeout',
      'reset_system_locale',
      'success_retcodes',
      'success_stdout',
      'success_stderr',
      'hide_output',
    ]
    const done = await call.salt('cmd.run_all', [[path, ...words]], { ...known(args), ...args.given(more), ...shell })
    return isMapping(done) ? done : {}
  } finally {
    await rm(path, { force: true })
  }
}

/** What else `cmd.run_all` understands. */
function known(args: Arguments): Mapping {
  const names = ['clean_env', 'rstrip', 'ignore_retcode', 'prepend_path']
  return Object.fromEntries(Object.entries(args.cleanKeywords).filter(([name]) => names.includes(name)))
}

/** Only its user can read and run it. */
async function place(cached: string, path: string, env: string, args: Arguments, call: Call): Promise<void> {
  const template = args.textIfAny('template')
  if (template === undefined) await copyWhole(cached, path, { mode: '0500' })
  else {
    if (!TEMPLATES.includes(template)) {
      throw new CommandExecutionError(`Specified template format ${template} is not supported`)
    }
    const { context = null, defaults = null } = args.keywords
    const facts = { source: args.text('source') }
    const rendered = await renderFile(decode(await readFile(cached)), { facts, context, defaults, env }, call)
    if (rendered.kind === 'failed') throw new CommandExecutionError(rendered.words)
    await writeWhole(path, rendered.text, { mode: '0500' })
  }
  const runas: Value = args.value('runas')
  if (runas !== null && (await userNumber(runas)) !== '') await changeOwner(path, runas, '')
}
