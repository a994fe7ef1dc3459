// Programs that functions run: by their arguments, never by a shell.
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { type CommandResult, which } from './cmd-run.ts'
import { CommandNotFoundError } from './errors.ts'
import type { Call } from './module.ts'

/** How a program is run. */
export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Standard error into standard output. @default false */
  readonly merge?: boolean
  /** The program's return code becomes the job's. @default false */
  readonly tellsJob?: boolean
  readonly runas?: string | undefined
  /** Keep what it prints as it is, white space at its end too. @default false */
  readonly raw?: boolean
}

/** Throws CommandNotFoundError for the first of the programs that is not on the path. */
export async function requirePrograms(...programs: readonly string[]): Promise<void> {
  for (const program of programs) {
    if ((await which(program)) === undefined)
      throw new CommandNotFoundError(`The '${program}' binary was not found in $PATH.`)
  }
}

/** Runs it and waits. Throws CommandExecutionError where it cannot be started. */
export async function runProgram(
  call: Call,
  argv: readonly Value[],
  options: ProgramOptions = {},
): Promise<CommandResult> {
  const { env, stdin, merge = false, tellsJob = false, runas, raw = false } = options
  const before = call.context.retcode
  const answer = await call.salt('cmd.run_all', [argv.map(pythonStr)], {
    python_shell: false,
    ignore_retcode: !tellsJob,
    redirect_stderr: merge,
    rstrip: !raw,
    ...(env === undefined ? {} : { env: { ...env } }),
    ...(stdin === undefined ? {} : { stdin, stdin_raw_newlines: true }),
    ...(runas === undefined ? {} : { runas }),
  })
  if (!tellsJob) call.context.retcode = before
  const result: Mapping = isMapping(answer) ? answer : {}
  return {
    pid: typeof result.pid === 'number' ? result.pid : null,
    retcode: typeof result.retcode === 'number' ? result.retcode : 1,
    stdout: pythonStr(result.stdout ?? ''),
    stderr: pythonStr(result.stderr ?? ''),
  }
}

/** Its standard output. */
export async function outputOf(call: Call, argv: readonly Value[], options: ProgramOptions = {}): Promise<string> {
  return (await runProgram(call, argv, options)).stdout
}

/** Whether it ended with 0. */
export async function succeeds(call: Call, argv: readonly Value[], options: ProgramOptions = {}): Promise<boolean> {
  return (await runProgram(call, argv, options)).retcode === 0
}
