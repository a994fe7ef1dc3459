// Which pip is meant, how it is run, and its version.
import { basename, join, normalize } from 'node:path'
import { entries, isMap, isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { isDirectory } from '../../filesystem/paths.ts'
import { comparePep440 } from '../../packages/pep440.ts'
import type { Arguments } from '../arguments.ts'
import { type CommandResult, which } from '../cmd-run.ts'
import { CommandExecutionError, CommandNotFoundError } from '../errors.ts'
import type { Call } from '../module.ts'

/** Where pip is run, as whom, and with what. */
export interface Place {
  readonly binEnv: string | undefined
  readonly user: string | undefined
  readonly cwd: string | undefined
  /** More of the environment. */
  readonly env?: Mapping
  /** More arguments of `cmd.run_all`. */
  readonly more?: Mapping
}

/** How the arguments of a place are told of. */
export const placeDoc = `
bin_env
    The virtual environment, the pip or the Python that is meant. None is the machine's own Python.
user
    Who runs pip.
cwd
    Where it is run.`

/** The place that a function's arguments mean. */
export function placeOf(args: Arguments): Place {
  return {
    binEnv: args.textIfAny('bin_env'),
    user: args.textIfAny('user'),
    cwd: args.textIfAny('cwd'),
    env: environmentOf(args.value('env_vars')),
    more: args.cleanKeywords,
  }
}

function environmentOf(given: Value): Mapping {
  if (given === null || given === '' || given === false) return {}
  if (!isMap(given)) throw new CommandExecutionError(`env_vars ${pythonStr(given)} is not a dictionary`)
  return Object.fromEntries(entries(given).map(([key, value]) => [pythonStr(key), pythonStr(value)]))
}

/** The words that run pip: of a virtual environment, a pip, a Python; of the machine's own Python where none is named. */
async function pipOf(binEnv: string | undefined): Promise<string[]> {
  if (binEnv === undefined) return ownPip()
  if (await isDirectory(binEnv)) {
    for (const path of ['python', 'bin/python', 'Scripts/python']) {
      const python = await which(join(binEnv, path))
      if (python !== undefined) return [normalize(python), '-m', 'pip']
    }
    throw new CommandNotFoundError(`Could not find a pip binary in virtualenv ${binEnv}`)
  }
  // A name alone is looked for on the path, which Salt does not do.
  const program = await which(binEnv)
  if (program === undefined) throw new CommandNotFoundError(`Access denied to ${binEnv}, could not find a pip binary`)
  return basename(program).includes('python') ? [normalize(program), '-m', 'pip'] : [normalize(program)]
}

async function ownPip(): Promise<string[]> {
  if ((await which('python3')) !== undefined) return ['python3', '-m', 'pip']
  const pip = (await which('pip3')) ?? (await which('pip'))
  if (pip === undefined) throw new CommandNotFoundError('Could not find a `pip` binary')
  return [pip]
}

/** Runs pip and waits. @param mergesErrors puts its errors into its output */
export async function runPip(
  call: Call,
  place: Place,
  words: readonly string[],
  mergesErrors = false,
): Promise<CommandResult & Mapping> {
  const { binEnv, user, cwd, env = {}, more = {} } = place
  const isVirtual = binEnv !== undefined && (await isDirectory(binEnv))
  const told = await call.salt('cmd.run_all', [[...(await pipOf(binEnv)), ...words]], {
    ...more,
    python_shell: false,
    env: { ...(isMapping(more.env) ? more.env : {}), ...env, ...(isVirtual ? { VIRTUAL_ENV: binEnv } : {}) },
    ...(user === undefined ? {} : { runas: user }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(mergesErrors ? { redirect_stderr: true, output_loglevel: 'quiet' } : {}),
  })
  return told as unknown as CommandResult & Mapping
}

/** What it prints. Throws its errors where it fails. */
export async function outputOfPip(call: Call, place: Place, words: readonly string[]): Promise<string> {
  const { retcode, stdout, stderr } = await runPip(call, place, words)
  if (retcode !== 0) throw new CommandExecutionError(stderr)
  return stdout
}

/** Its version; null where it does not say it. */
export async function pipVersion(call: Call, place: Place): Promise<string | null> {
  const { retcode, stdout } = await runPip(call, { ...place, env: {}, more: {} }, ['--version'])
  if (retcode !== 0) throw new CommandNotFoundError('Could not find a `pip` binary')
  return /^pip (\S+)/.exec(stdout)?.[1] ?? null
}

/** Whether a version of pip is at least that one; one that is not known is new. */
export function isAtLeast(version: string | null, least: string): boolean {
  return version === null || (comparePep440(version, least) ?? 1) >= 0
}
