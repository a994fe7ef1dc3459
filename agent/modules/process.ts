// Runs a program and collects what it prints. No shell is put in unless the caller names one.
import { spawn } from 'node:child_process'
import { messageOf } from '../../core/error.ts'

/** What to run. */
export interface ProcessRequest {
  /** The program and its arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Standard error goes where standard output goes, in the order it was written. */
  readonly mergeStderr: boolean
  readonly umask?: number
  /** Seconds. */
  readonly timeout?: number
  /** Do not wait: the program lives on by itself. */
  readonly background?: boolean
  readonly user?: { readonly uid: number; readonly gid: number; readonly setpriv?: string }
  /** Kills the program and its children; the reason may name the signal. */
  readonly signal: AbortSignal
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
export function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const { background = false, signal, timeout } = request
  const [file, ...args] = commandLine(request)
  if (file === undefined) return Promise.resolve({ kind: 'not-started', message: 'the command is empty' })
  const user = request.user?.setpriv === undefined ? request.user : undefined
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: request.cwd,
      env: request.env,
      detached: process.platform !== 'win32',
      stdio: background ? 'ignore' : [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    })
    const { pid } = child
    const stop = (name: NodeJS.Signals): void => {
      if (pid !== undefined) killGroup(pid, name)
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
    const output: Buffer[] = []
    const errors: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk))
    const end = (result: ProcessResult): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      resolve(result)
    }
    child.on('error', (error) => end({ kind: 'not-started', message: messageOf(error) }))
    if (background) {
      child.on('spawn', () => end({ kind: 'ended', pid: pid ?? 0, retcode: 0, stdout: '', stderr: '' }))
      child.unref()
      return
    }
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    // A program may close its input before it has read everything: that is its business.
    child.stdin?.on('error', () => child.stdin?.destroy())
    child.stdin?.end(request.stdin)
    child.on('close', (code, name) => {
      if (late) return end({ kind: 'timed-out', pid: pid ?? 0 })
      const retcode = code ?? -(name === null ? 1 : signalNumber(name))
      end({ kind: 'ended', pid: pid ?? 0, retcode, stdout: textOf(output), stderr: textOf(errors) })
    })
  })
}

/** A fixed script redirects or sets the umask, then becomes the program: its words are arguments, never script. */
function commandLine(request: ProcessRequest): readonly string[] {
  const { argv, umask, mergeStderr, user } = request
  const words =
    user?.setpriv === undefined
      ? argv
      : [user.setpriv, `--reuid=${user.uid}`, `--regid=${user.gid}`, '--init-groups', '--', ...argv]
  if (process.platform === 'win32' || (umask === undefined && !mergeStderr)) return words
  const script = `${umask === undefined ? '' : `umask ${umask.toString(8)}; `}exec "$@"${mergeStderr ? ' 2>&1' : ''}`
  return ['/bin/sh', '-c', script, 'sh', ...words]
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

const numbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
}

function signalNumber(name: NodeJS.Signals): number {
  return numbers[name] ?? 1
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}
