// The functions of `saltutil` that in Salt act as the master they stand beside, and what is kept of the user's code.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'

/** Only the master and its users may run commands on others; a minion has no key for it, wherever it stands. */
function refuse(call: Call, instead: string): never {
  throw new CommandExecutionError(
    `${call.fun}: this can only be done by the master: a minion has no rights on others. ${instead}`,
  )
}

const refused = (name: string, params: string, what: string, instead: string, example: string): ExecutionFunction =>
  define(
    params,
    `${what} Refused on a minion, which has no rights on others. ${instead}${examples(`brine '*' saltutil.${name} ${example}`)}`,
    (_, call) => refuse(call, instead),
  )

/** The user's code that was copied here, by kind. */
function extmods({ agent }: Call): Mapping {
  const directory = join(pythonStr(agent.opts.cachedir ?? ''), 'extmods')
  const list = (path: string): string[] => {
    try {
      return readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() === (path === directory))
        .map(({ name }) => name)
        .sort()
    } catch {
      return []
    }
  }
  const kinds = list(directory).map((kind) => [
    kind,
    [...new Set(list(join(directory, kind)).map((name) => name.split('.')[0] ?? ''))],
  ])
  return Object.fromEntries(kinds) as Mapping
}

const targeted = "tgt, fun, arg=[], timeout=None, tgt_type='glob', ret='', kwarg=None, ssh=False, **kwargs"

/** What they are called by. */
export const masterFunctions: Readonly<Record<string, ExecutionFunction>> = {
  list_extmods: define(
    '',
    `List the user's code that was synchronized, by kind.${examples("brine '*' saltutil.list_extmods")}`,
    (_, call) => extmods(call),
    { readOnly: true },
  ),
  clear_job_cache: define(
    'hours=24',
    `Forget jobs that are older than so many hours. The minion keeps none, so there is nothing to forget.${examples("brine '*' saltutil.clear_job_cache hours=12")}`,
    () => true,
  ),
  mmodule: define(
    'saltenv, fun, *args, **kwargs',
    `Run a function of this minion.${examples("brine '*' saltutil.mmodule base test.ping")}`,
    (args, call) => call.salt(args.text('fun'), args.positional, args.cleanKeywords),
  ),
  cmd: refused(
    'cmd',
    targeted,
    'Run a function on other minions.',
    'Use brine on the master, or salt.function in an orchestration.',
    "'*' test.ping",
  ),
  cmd_iter: refused(
    'cmd_iter',
    targeted,
    'Run a function on other minions, one return after the other.',
    'Use brine on the master, or salt.function in an orchestration.',
    "'*' test.ping",
  ),
  runner: refused(
    'runner',
    "name, arg=None, kwarg=None, full_return=False, saltenv='base', jid=None, **kwargs",
    'Run a runner.',
    'Use brine-run on the master, or salt.runner in an orchestration.',
    'jobs.list_jobs',
  ),
  wheel: refused(
    'wheel',
    'name, *args, **kwargs',
    'Run a wheel function.',
    'Use the API of the master, or salt.wheel in an orchestration.',
    'key.list_all',
  ),
}
