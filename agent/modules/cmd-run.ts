// What all functions of the cmd module do: read the options, run the program, set the return code.
import { constants } from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { tagGlob } from '../../core/event/tag-glob.ts'
import { isMap, type Mapping, pythonRepr, pythonStr, type Value } from '../../core/value/index.ts'
import { isDirectory, isRegularFile, mayAccess, ownHome } from '../filesystem/paths.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError, CommandNotFoundError, SaltInvocationError } from './errors.ts'
import type { Call } from './module.ts'
import type { ProcessRequest } from './process.ts'
import { shellWords } from './shell-words.ts'
import { accountById, accountByName, groupId } from './users.ts'

/** A finished program, as `cmd.run_all` returns it. */
export interface CommandResult {
  readonly pid: number | null
  readonly retcode: number
  readonly stdout: string
  readonly stderr: string
}

/** What differs between the functions. */
export interface CommandStyle {
  readonly mergeStderr: boolean
  /** Absent: a shell where a person typed the command, none where another function runs it. */
  readonly shell?: boolean
  readonly background?: boolean
}

const locale = [
  'LC_CTYPE',
  'LC_NUMERIC',
  'LC_TIME',
  'LC_COLLATE',
  'LC_MONETARY',
  'LC_MESSAGES',
  'LC_PAPER',
  'LC_NAME',
  'LC_ADDRESS',
  'LC_TELEPHONE',
  'LC_MEASUREMENT',
  'LC_IDENTIFICATION',
  'LANGUAGE',
]

/** Runs `cmd` with Salt's options and sets the call's return code. Throws CommandExecutionError where it cannot start. */
export async function runCommand(args: Arguments, call: Call, style: CommandStyle): Promise<CommandResult> {
  const command = args.value('cmd')
  refuseUnlisted(command, call)
  if (args.is('template')) {
    throw new CommandExecutionError(
      `template=${args.text('template')} is not available in commands: render the command in a state instead.`,
    )
  }
  const user = await userOf(args)
  const request = await requestOf(args, call, style, user)
  const result = await call.processes.run(request)
  if (result.kind === 'not-started') {
    throw new CommandExecutionError(
      `Unable to run command '${shown(command)}' in '${request.cwd}', reason: ${result.message}`,
    )
  }
  // As in Salt, a command that was killed for its time leaves the job's return code alone.
  if (result.kind === 'timed-out') return timedOut(command, request, result.pid)
  const finished = judged(args, result)
  call.context.retcode = args.is('ignore_retcode') || style.background === true ? 0 : finished.retcode
  const { retcode, stdout, stderr } = finished
  if (isLogged(args, finished)) {
    const { log } = call.agent.outside
    logFailure(args, call, finished)
    if (stdout !== '') log.error(`stdout: ${stdout}`)
    if (stderr !== '') log.error(`stderr: ${stderr}`)
    log.error(`retcode: ${retcode}`)
  }
  return finished
}

/** Whether a command's failure is told to the log: not where it counts as none, nor where its output is kept quiet. */
export function isLogged(args: Arguments, { retcode }: CommandResult): boolean {
  if (retcode === 0 || args.is('ignore_retcode') || args.is('hide_output')) return false
  return args.textIfAny('output_loglevel') !== 'quiet'
}

/** Says in the log that a command failed: its first word and its code. */
export function logFailure(args: Arguments, call: Call, { retcode }: CommandResult): void {
  const command = args.value('cmd')
  const first = Array.isArray(command) ? pythonStr(command[0] ?? '') : (pythonStr(command).trim().split(/\s+/)[0] ?? '')
  call.agent.outside.log.error(`Command '${first}' failed with return code: ${retcode}`)
}

function judged(args: Arguments, result: CommandResult & { kind: string }): CommandResult {
  const strip = args.value('rstrip') !== false
  const stdout = strip ? result.stdout.trimEnd() : result.stdout
  const stderr = strip ? result.stderr.trimEnd() : result.stderr
  const codes = args.texts('success_retcodes').map((text) => {
    if (!/^-?\d+$/.test(text)) throw new SaltInvocationError('success_retcodes must be a list of integers')
    return Number(text)
  })
  const fine =
    codes.includes(result.retcode) ||
    args.texts('success_stdout').some((text) => stdout.includes(text)) ||
    args.texts('success_stderr').some((text) => stderr.includes(text))
  return { pid: result.pid, retcode: fine ? 0 : result.retcode, stdout, stderr }
}

function timedOut(command: Value, request: ProcessRequest & { readonly inShell: boolean }, pid: number): CommandResult {
  const words = request.inShell || Array.isArray(command) ? command : shellWords(pythonStr(command))
  return { pid, retcode: 1, stdout: `${shown(words)} : Timed out after ${request.timeout} seconds`, stderr: '' }
}

async function requestOf(
  args: Arguments,
  call: Call,
  style: CommandStyle,
  user: User | undefined,
): Promise<ProcessRequest & { readonly inShell: boolean }> {
  const cwd = await directoryOf(args, user)
  const env = environmentOf(args, user)
  const shell = args.textIfAny('shell') ?? (process.env.SHELL || '/bin/sh')
  const inShell =
    style.shell ??
    (args.value('python_shell') === null
      ? call.pub.__pub_jid !== undefined || call.agent.opts.cmd_safe === false
      : args.value('python_shell') === true)
  const timeout = args.numberIfAny('timeout')
  const stdin = args.value('stdin')
  const umask = umaskOf(args)
  return {
    argv: await argvOf(args.value('cmd'), inShell, stdin === null ? [shell] : readingShell(shell), env),
    cwd,
    env,
    inShell,
    mergeStderr: style.mergeStderr,
    signal: call.signal,
    ...(timeout === undefined ? {} : { timeout }),
    ...(umask === undefined ? {} : { umask }),
    ...(stdin === null
      ? {}
      : {
          stdin:
            args.keywords.stdin_raw_newlines === true ? pythonStr(stdin) : pythonStr(stdin).replaceAll('\\n', '\n'),
        }),
    ...(user === undefined ? {} : { user }),
    ...(style.background === true || args.value('bg') === true ? { background: true } : {}),
  }
}

/** Node's pipes are sockets: a bash that reads from one takes itself for a remote log-in's and would run ~/.bashrc first. */
const readingShell = (shell: string): [string, ...string[]] =>
  basename(shell) === 'bash' ? [shell, '--norc'] : [shell]

async function argvOf(
  command: Value,
  inShell: boolean,
  [shell, ...options]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  if (inShell) {
    if (!(await isExecutable(shell))) throw new CommandExecutionError(`The shell ${shell} is not available`)
    const text = Array.isArray(command) ? (command[0] ?? null) : command
    const rest = Array.isArray(command) ? command.slice(1).map(pythonStr) : []
    return process.platform === 'win32'
      ? [shell, '/c', pythonStr(text)]
      : [shell, ...options, '-c', pythonStr(text), ...rest]
  }
  const words = Array.isArray(command) ? command.map(pythonStr) : shellWords(pythonStr(command))
  const [program = ''] = words
  const found = await which(program, env.PATH)
  if (found === undefined) {
    throw new CommandExecutionError(
      `Unable to run command '${pythonRepr(words)}', reason: [Errno 2] No such file or directory: ${pythonRepr(program)}`,
    )
  }
  // Programs name themselves in what they say as they were called; the system looks for them on the same PATH.
  return env.PATH === undefined || process.platform === 'win32' ? [found, ...words.slice(1)] : words
}

/** The path of a program on a PATH; undefined where there is none. */
export async function which(
  program: string,
  path = process.env.PATH ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
): Promise<string | undefined> {
  if (program === '') return undefined
  if (program.includes('/')) return (await isExecutable(program)) ? program : undefined
  for (const directory of path.split(delimiter)) {
    const candidate = join(directory, program)
    if (directory !== '' && (await isExecutable(candidate))) return candidate
  }
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  return (await mayAccess(path, constants.X_OK)) && (await isRegularFile(path))
}

type User = NonNullable<ProcessRequest['user']> & {
  readonly name: string
  readonly home: string
  readonly shell: string
}

async function userOf(args: Arguments): Promise<User | undefined> {
  const name = args.textIfAny('runas')
  const group = args.textIfAny('group')
  if (name === undefined && group === undefined) return undefined
  const wanted = name ?? (process.env.USER || (await accountById(process.getuid?.() ?? 0))?.name || 'root')
  const account = await accountByName(wanted)
  if (account === undefined) throw new CommandExecutionError(`User '${wanted}' is not available`)
  const gid = group === undefined ? account.gid : await groupId(group)
  if (gid === undefined) throw new CommandExecutionError(`Group '${group}' is not available`)
  const self = process.getuid?.() ?? -1
  if (self !== 0 && self !== account.uid)
    throw new CommandExecutionError(`Only root may run a command as another user (${wanted}).`)
  const setpriv = self === 0 ? await which('setpriv') : undefined
  return {
    name: wanted,
    uid: account.uid,
    gid,
    home: account.home,
    shell: account.shell,
    ...(setpriv === undefined ? {} : { setpriv }),
  }
}

async function directoryOf(args: Arguments, user: User | undefined): Promise<string> {
  const given = args.textIfAny('cwd')
  if (given === undefined) {
    const home = user?.home ?? ownHome()
    return home !== undefined && (await isReadableDirectory(home)) ? home : '/'
  }
  if (!isAbsolute(given) || !(await isReadableDirectory(given))) {
    throw new CommandExecutionError(`Specified cwd '${given}' either not absolute or does not exist`)
  }
  return given
}

async function isReadableDirectory(path: string): Promise<boolean> {
  return (await mayAccess(path, constants.R_OK)) && (await isDirectory(path))
}

function environmentOf(args: Arguments, user: User | undefined): Record<string, string> {
  const given = Object.fromEntries(
    pairsOf(args.value('env')).map(([key, value]) => [key, value === null ? '' : pythonStr(value)]),
  )
  const login = user === undefined ? {} : { HOME: user.home, USER: user.name, LOGNAME: user.name, SHELL: user.shell }
  const plain = args.value('reset_system_locale') === false ? {} : Object.fromEntries(locale.map((name) => [name, 'C']))
  const own: Record<string, string> = {}
  if (!args.is('clean_env')) {
    for (const [key, value] of Object.entries(process.env))
      if (value !== undefined && key !== 'NOTIFY_SOCKET') own[key] = value
  }
  const env: Record<string, string> = { ...own, ...plain, ...login, ...given }
  const prepend = args.textIfAny('prepend_path')
  return prepend === undefined ? env : { ...env, PATH: `${prepend}:${env.PATH ?? ''}` }
}

function pairsOf(env: Value): [string, Value][] {
  if (Array.isArray(env)) return env.flatMap(pairsOf)
  if (env === null || !isMap(env)) return []
  return env instanceof Map ? [...env].map(([key, value]) => [pythonStr(key), value]) : Object.entries(env as Mapping)
}

function umaskOf(args: Arguments): number | undefined {
  const value = args.value('umask')
  if (value === null) return undefined
  const text = pythonStr(value).replace(/^0+/, '')
  if (text === '') throw new CommandExecutionError('Zero umask is not allowed.')
  if (!/^[0-7]+$/.test(text)) throw new CommandExecutionError(`Invalid umask: '${pythonStr(value)}'`)
  return Number.parseInt(text, 8)
}

/** `cmd_blacklist_glob` and `cmd_whitelist_glob` bind what is asked from outside. */
function refuseUnlisted(command: Value, call: Call): void {
  if (call.pub.__pub_jid === undefined) return
  const text = Array.isArray(command) ? command.map(pythonStr).join(' ') : pythonStr(command)
  const globs = (name: string): string[] =>
    Array.isArray(call.agent.opts[name]) ? call.agent.opts[name].map(pythonStr) : []
  const white = globs('cmd_whitelist_glob')
  const listed = white.length === 0 || white.some((glob) => tagGlob(glob)(text))
  if (!listed || globs('cmd_blacklist_glob').some((glob) => tagGlob(glob)(text))) {
    throw new CommandExecutionError(`The shell command "${text}" is not permitted`)
  }
}

function shown(command: Value): string {
  return Array.isArray(command) ? pythonRepr(command) : pythonStr(command)
}

/** Throws CommandNotFoundError where a program is not on the PATH. */
export async function needProgram(program: string): Promise<string> {
  const found = await which(program)
  if (found === undefined) throw new CommandNotFoundError(`Command '${program}' not found`)
  return found
}
