// Runs a program and collects what it prints. No shell is put in unless the caller names one.
import { type ChildProcess, type StdioNull, type StdioPipe, spawn } from 'node:child_process'
import { mkdir, open } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../core/error.ts'
import { isErrno } from '../filesystem/os-error.ts'
import { ownUmask } from '../filesystem/umask.ts'

/** What to run. */
export interface ProcessRequest {
  /** The program and its arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Standard error goes where standard output goes, in the order it was written. */
  readonly mergeStderr: boolean
  /** @default that of the work it is part of */
  readonly umask?: number
  /** Seconds. */
  readonly timeout?: number
  /** Do not wait: the program lives on by itself. */
  readonly background?: boolean
  readonly user?: { readonly uid: number; readonly gid: number; readonly setpriv?: string }
  /** Kills the program and its children; the reason may name the signal. */
  readonly signal: AbortSignal
  /** A directory of its own: the program goes on when this process dies, and leaves its output and code there. */
  readonly record?: string
}

/** Who runs programs for a function. */
export interface ProcessRunner {
  run(request: ProcessRequest): Promise<ProcessResult>
}

/** How it ended. */
export type ProcessResult =
  | {
      readonly kind: 'ended'
      readonly pid: number
      readonly retcode: number
      readonly stdout: string
      readonly stderr: string
    }
  | { readonly kind: 'timed-out'; readonly pid: number }
  | { readonly kind: 'not-started'; readonly message: string }

/** Runs it. Never rejects. A program ended by a signal has the negative signal number as its code, as in Python. */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const { record, user, background } = request
  // Without setpriv the shell that writes the record would run as the other user, who may not write there.
  const isRecorded =
    process.platform !== 'win32' && background !== true && (user === undefined || user.setpriv !== undefined)
  if (record === undefined || !isRecorded) return started(request, undefined)
  await mkdir(record, { recursive: true, mode: 0o700 })
  const files = await Promise.all(['out', 'err'].map((name) => open(join(record, name), 'w', 0o600)))
  try {
    return await started(
      request,
      files.map(({ fd }) => fd),
    )
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
}

/** Programs run as they come, with nothing left of them. */
export const plainProcesses: ProcessRunner = { run: runProcess }

/**
 * A script that was written just now cannot be run while a program begun meanwhile still holds it, as it does until it has
 * become another one: it is tried again for a second.
 */
async function started(request: ProcessRequest, files: readonly number[] | undefined): Promise<ProcessResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(request, files)
    } catch (error) {
      if (!isErrno(error, 'ETXTBSY') || tries === 50) return { kind: 'not-started', message: messageOf(error) }
      await sleep(20)
    }
  }
}

function start(request: ProcessRequest, files: readonly number[] | undefined): Promise<ProcessResult> {
  const { background = false, signal, timeout, record } = request
  const [file, ...args] = commandLine(request, files === undefined ? undefined : record)
  if (file === undefined) return Promise.resolve({ kind: 'not-started', message: 'the command is empty' })
  const user = request.user?.setpriv === undefined ? request.user : undefined
  const input: StdioNull | StdioPipe = request.stdin === undefined ? 'ignore' : 'pipe'
  const [out = 'pipe', errors = 'pipe']: readonly (StdioPipe | number)[] = files ?? []
  return new Promise((resolve) => {
    const child: ChildProcess = spawn(file, args, {
      cwd: request.cwd,
      env: request.env,
      detached: process.platform !== 'win32',
      stdio: background ? 'ignore' : [input, out, errors],
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    })
    const { pid = 0 } = child
    const stop = (name: NodeJS.Signals): void => {
      if (pid > 0) killGroup(pid, name)
    }
    const aborted = (): void => stop(signalOf(signal.reason))
    let late = false
    const timer =
      timeout === undefined
        ? undefined
        : setTimeout(() => {
            late = true
            stop('SIGKILL')
          }, timeout * 1000)
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    const end = (result: ProcessResult): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      resolve(result)
    }
    child.on('error', (error) => end({ kind: 'not-started', message: messageOf(error) }))
    if (background) {
      child.on('spawn', () => end({ kind: 'ended', pid, retcode: 0, stdout: '', stderr: '' }))
      child.unref()
      return
    }
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    // A program may close its input before it has read everything: that is its business.
    child.stdin?.on('error', () => child.stdin?.destroy())
    child.stdin?.end(request.stdin)
    child.on('close', (code, name) => {
      if (late) return end({ kind: 'timed-out', pid })
      const retcode = code ?? -(name === null ? 1 : signalNumber(name))
      if (record === undefined || files === undefined)
        return end({ kind: 'ended', pid, retcode, stdout: stdout(), stderr: stderr() })
      readOutput(record).then(
        (output) => end({ kind: 'ended', pid, retcode, ...output }),
        (error: unknown) => end({ kind: 'not-started', message: messageOf(error) }),
      )
    })
  })
}

function collect(stream: Readable | null): () => string {
  const chunks: Buffer[] = []
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

/** What a recorded program printed; at most 32 MiB of each. */
export async function readOutput(record: string): Promise<{ stdout: string; stderr: string }> {
  const [stdout = '', stderr = ''] = await Promise.all(['out', 'err'].map((name) => beginning(join(record, name))))
  return { stdout, stderr }
}

const longestOutput = 32 * 1024 * 1024

async function beginning(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size === 0) return ''
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.min(size, longestOutput)) })
    const rest = size > longestOutput ? `\n[${size - longestOutput} more bytes were left out]` : ''
    return buffer.toString('utf8', 0, bytesRead) + rest
  } finally {
    await file.close()
  }
}

/**
 * Fixed scripts, in which the words are arguments, never script: they redirect, set the umask and become the program; a
 * recorded one stays, to write the process id before it and the code after it.
 */
function commandLine(request: ProcessRequest, record: string | undefined): readonly string[] {
  const { argv, umask = ownUmask(), mergeStderr, user } = request
  const words =
    user?.setpriv === undefined
      ? argv
      : [user.setpriv, `--reuid=${user.uid}`, `--regid=${user.gid}`, '--init-groups', '--', ...argv]
  if (process.platform === 'win32' || (umask === undefined && !mergeStderr && record === undefined)) return words
  const mask = umask === undefined ? '' : `umask ${umask.toString(8)}; `
  const merge = mergeStderr ? ' 2>&1' : ''
  if (record === undefined) return ['/bin/sh', '-c', `${mask}exec "$@"${merge}`, 'sh', ...words]
  const script = `d=$1; shift; echo $$ >"$d/pid"; (${mask}exec "$@")${merge}; c=$?; echo $c >"$d/code"; exit $c`
  return ['/bin/sh', '-c', script, 'sh', record, ...words]
}

function killGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name)
  } catch (error) {
    // It is gone already, which is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function signalOf(reason: unknown): NodeJS.Signals {
  return reason === 'SIGTERM' || reason === 'SIGINT' || reason === 'SIGHUP' ? reason : 'SIGKILL'
}

function signalNumber(name: NodeJS.Signals): number {
  return constants.signals[name] ?? 1
}
