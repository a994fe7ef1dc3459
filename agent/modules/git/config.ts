// git's configuration, of a repository or of a user.
import { type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { tail } from './local.ts'
import { type GitOptions, git, listOf, optionsOf, placeOf } from './run.ts'

const keyword = (args: Arguments, name: string): boolean => args.keywords[name] === true

/** The flag and the place of the configuration that is meant. */
async function scopeOf(args: Arguments): Promise<{ readonly flag: string; readonly options: GitOptions }> {
  const isGlobal = keyword(args, 'global')
  if (args.value('cwd') === null) {
    if (!isGlobal) throw new SaltInvocationError("'cwd' argument required unless global=True")
    return { flag: '--global', options: optionsOf(args) }
  }
  return { flag: isGlobal ? '--global' : '--local', options: { ...optionsOf(args), cwd: await placeOf(args) } }
}

async function get(args: Arguments, call: Call): Promise<Value> {
  const { flag, options } = await scopeOf(args)
  const done = await git(['config', flag, '--get-all', args.text('key')], { ...options, failHard: false }, call)
  if (done.retcode === 1) return null
  const values = done.stdout === '' ? [] : done.stdout.split('\n')
  return keyword(args, 'all') ? values : (values.at(-1) ?? '')
}

async function getMatching(args: Arguments, call: Call): Promise<Mapping> {
  const { flag, options } = await scopeOf(args)
  const value = args.value('value_regex')
  const words = ['config', flag, '--get-regexp', args.text('key'), ...(value === null ? [] : [pythonStr(value)])]
  const done = await git(words, { ...options, failHard: false }, call)
  const found: Record<string, string[]> = {}
  for (const line of done.retcode === 1 ? [] : done.stdout.split('\n')) {
    const [, name, text] = /^(\S+)\s+(.+)$/.exec(line) ?? []
    if (name !== undefined && text !== undefined) found[name] = [...(found[name] ?? []), text]
  }
  return found
}

async function set(args: Arguments, call: Call): Promise<Value> {
  const { options } = await scopeOf(args)
  const value = args.value('value')
  const many = args.value('multivar')
  if (value !== null && many !== null) throw new SaltInvocationError("Only one of 'value' and 'multivar' is permitted")
  const prefix = ['config', ...(keyword(args, 'global') ? ['--global'] : [])]
  const values = value === null ? listOf(many) : [pythonStr(value)]
  const adds = value !== null && keyword(args, 'add')
  for (const [index, item] of values.entries()) {
    await git([...prefix, index === 0 && !adds ? '--replace-all' : '--add', args.text('key'), item], options, call)
  }
  const { flag } = await scopeOf(args)
  const done = await git(['config', flag, '--get-all', args.text('key')], { ...options, failHard: false }, call)
  return done.retcode === 1 ? null : done.stdout.split('\n')
}

async function unset(args: Arguments, call: Call): Promise<boolean> {
  const { flag, options } = await scopeOf(args)
  const key = args.text('key')
  const value = args.value('value_regex')
  const how = keyword(args, 'all') ? '--unset-all' : '--unset'
  const words = ['config', how, flag, key, ...(value === null ? [] : [pythonStr(value)])]
  const done = await git(words, { ...options, failHard: false }, call)
  if (done.retcode === 0) return true
  if (done.retcode === 1) throw new CommandExecutionError('Section or key is invalid')
  if (done.retcode === 6) throw new CommandExecutionError('The value_regex is invalid')
  if (done.retcode === 5) {
    const there = await git(['config', flag, '--get-all', key], { ...options, failHard: false }, call)
    if (there.retcode === 1) throw new CommandExecutionError(`Key '${key}' does not exist`)
    const also = value === null ? '' : ' and value_regex matches multiple values'
    throw new CommandExecutionError(`Multiple values exist for key '${key}'${also}`)
  }
  const said = done.stderr === '' ? '' : `; ${done.stderr}`
  throw new CommandExecutionError(`Failed to unset key '${key}', git config returned exit code ${done.retcode}${said}`)
}

const where = `

cwd
    The repository.
global
    True: the user's configuration.`

const matching = (name: string): ExecutionFunction =>
  define(
    `key, value_regex=None, cwd=None, ${tail}, **kwargs`,
    `Return the values of all keys that an expression matches, a list each.${where}${examples(`brine myminion git.${name} '^foo' cwd=/path/to/repo`)}`,
    getMatching,
    { readOnly: true },
  )

/** The functions, by their names. */
export const config: Readonly<Record<string, ExecutionFunction>> = {
  config_get: define(
    `key, cwd=None, ${tail}, **kwargs`,
    `Return the value of a key; nothing where it is not set.${where}
all
    True: a list of all its values.${examples('brine myminion git.config_get user.email global=True', 'brine myminion git.config_get core.gitproxy cwd=/path/to/repo all=True')}`,
    get,
    { readOnly: true },
  ),
  config_get_regexp: matching('config_get_regexp'),
  config_get_regex: matching('config_get_regex'),
  config_set: define(
    `key, value=None, multivar=None, cwd=None, ${tail}, **kwargs`,
    `Set a key; returns its values.${where}
multivar
    Several values.
add
    True: beside those it has.${examples('brine myminion git.config_set user.email me@example.com cwd=/path/to/repo', 'brine myminion git.config_set user.email foo@bar.com global=True')}`,
    set,
  ),
  config_unset: define(
    `key, value_regex=None, cwd=None, ${tail}, **kwargs`,
    `Unset a key.${where}
all
    True: all its values.${examples('brine myminion git.config_unset /path/to/repo foo.bar')}`,
    unset,
  ),
}
