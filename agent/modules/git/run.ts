// Runs git: as which user, with which key, and what is said where it fails.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { changeOwner } from '../../filesystem/owners.ts'
import { exists, expandUser, joinPath } from '../../filesystem/paths.ts'
import { copyWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../arguments.ts'
import { which } from '../cmd-run.ts'
import { CommandExecutionError, CommandNotFoundError, SaltInvocationError } from '../errors.ts'
import type { Call } from '../module.ts'
import { shellWords } from '../shell-words.ts'

/** What a finished git left. */
export interface GitResult {
  readonly retcode: number
  readonly stdout: string
  readonly stderr: string
}

/** How git is run. */
export interface GitOptions {
  readonly cwd?: string
  readonly user?: Value
  /** Private keys to try, one after the other. */
  readonly identity?: Value
  readonly ignoreRetcode?: boolean
  /** False: answer whatever the return code. @default true */
  readonly failHard?: boolean
  /** Errors go where the output goes. */
  readonly redirectStderr?: boolean
  readonly saltenv?: string
}

/** What every function of the module takes. */
export function optionsOf(args: Arguments): GitOptions {
  return {
    user: args.value('user'),
    identity: args.value('identity'),
    ignoreRetcode: args.is('ignore_retcode'),
    saltenv: args.textIfAny('saltenv') ?? 'base',
  }
}

/** Runs `git …`. Throws CommandExecutionError where it fails, in Salt's words and without passwords. */
export async function git(words: readonly string[], options: GitOptions, call: Call): Promise<GitResult> {
  if ((await which('git')) === undefined) throw new CommandNotFoundError('git')
  const { identity = null } = options
  const keys =
    identity === null || identity === '' ? [] : (Array.isArray(identity) ? identity : [identity]).map(pythonStr)
  return keys.length === 0 ? runOnce(words, options, call) : runWithKeys(words, keys, options, call)
}

async function runOnce(words: readonly string[], options: GitOptions, call: Call): Promise<GitResult> {
  const result = await spawned(words, options, {}, call)
  if (result.retcode === 0 || options.failHard === false) return result
  const said = redacted(options.redirectStderr === true ? result.stdout : result.stderr)
  const command = redacted(['git', ...words].join(' '))
  throw new CommandExecutionError(`Command '${command}' failed${said === '' ? '' : `: ${said}`}`)
}

async function runWithKeys(
  words: readonly string[],
  keys: readonly string[],
  options: GitOptions,
  call: Call,
): Promise<GitResult> {
  const errors: string[] = []
  const missing: string[] = []
  let last: GitResult = { retcode: 1, stdout: '', stderr: '' }
  for (const key of keys) {
    const held = await keyFile(key, options, call)
    if (held === undefined) {
      missing.push(key)
      continue
    }
    try {
      const ssh = `ssh -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=accept-new -i ${quoted(held.path)}`
      last = await spawned(words, options, { GIT_SSH_COMMAND: ssh }, call)
    } finally {
      await held.release()
    }
    if (last.retcode === 0) return last
    const said = options.redirectStderr === true ? last.stdout : last.stderr
    if (said !== '') errors.push(redacted(said))
  }
  if (options.failHard === false) return last
  const notFound = missing.length === 0 ? '' : `The following identity file(s) were not found: ${missing.join(', ')}`
  const middle = errors.length > 0 && missing.length > 0 ? '\n\n' : ''
  throw new CommandExecutionError(
    `Unable to authenticate using identity file:\n\n${errors.join('\n')}${middle}${notFound}`,
  )
}

/** A key as a file that the user may read: one of the master's is copied for the time being. */
async function keyFile(
  key: string,
  { user = null, saltenv = 'base' }: GitOptions,
  call: Call,
): Promise<{ readonly path: string; release(): Promise<void> } | undefined> {
  if (!key.startsWith('salt://')) return (await exists(key)) ? { path: key, release: async () => undefined } : undefined
  const cached = await call.agent.files.cache(key, saltenv)
  if (cached === undefined) return undefined
  const directory = await mkdtemp(joinPath(tmpdir(), 'brine-key-'))
  const path = joinPath(directory, 'key')
  await copyWhole(cached, path, { mode: '0600' })
  if (user !== null) for (const each of [path, directory]) await changeOwner(each, user, '')
  return { path, release: () => rm(directory, { recursive: true, force: true }) }
}

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`

async function spawned(words: readonly string[], options: GitOptions, env: Mapping, call: Call): Promise<GitResult> {
  const { cwd, user = null, ignoreRetcode = false, redirectStderr = false } = options
  const done = await call.salt('cmd.run_all', [['git', ...words]], {
    env: { GIT_TERMINAL_PROMPT: '0', ...env },
    python_shell: false,
    ignore_retcode: ignoreRetcode,
    redirect_stderr: redirectStderr,
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === null ? {} : { runas: user }),
  })
  const { retcode = 1, stdout = '', stderr = '' } = isMapping(done) ? done : {}
  return { retcode: Number(retcode), stdout: pythonStr(stdout), stderr: pythonStr(stderr) }
}

/** A text without the passwords of the URLs in it. */
export const redacted = (text: string): string => text.replace(/(https?):\/\/[^\s/]*@/g, '$1://<redacted>@')

/** A path from the user's home on. */
export async function placeOf(args: Arguments, name = 'cwd'): Promise<string> {
  const user = args.value('user')
  const home = await expandUser(user === null ? '~' : `~${pythonStr(user)}`)
  return joinPath(home, args.text(name))
}

/** Options as words: a text as a shell splits it, or a list. */
export function wordsOf(value: Value): string[] {
  if (value === null) return []
  const words = Array.isArray(value) ? value.map(pythonStr) : shellWords(pythonStr(value))
  return !Array.isArray(value) && words.at(-1) === '--' ? words.slice(0, -1) : words
}

/** A list of texts, or a text with commas. */
export const listOf = (value: Value): string[] =>
  value === null ? [] : Array.isArray(value) ? value.map(pythonStr) : pythonStr(value).split(',')

/** `name:password@` in an HTTPS URL. Throws SaltInvocationError where they cannot go there. */
export function withLogin(url: string, user: Value, password: Value): string {
  if (user === null && password === null) return url
  const [, scheme, rest = ''] = /^(https?):\/\/(?:[^/@]*@)?(.*)$/is.exec(url) ?? []
  if (scheme?.toLowerCase() !== 'https') {
    throw new SaltInvocationError('Basic Auth only supported for HTTPS')
  }
  if (user === null) throw new SaltInvocationError('https_user is required where https_pass is given')
  const login = [user, ...(password === null ? [] : [password])].map((part) => encodeURIComponent(pythonStr(part)))
  return `${scheme}://${login.join(':')}@${rest}`
}
