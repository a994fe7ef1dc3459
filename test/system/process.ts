// Runs programs for tests: to their end with their output, or in the background until they are stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'

/** How a program ended. A signal's exit is 128 and its number, as a shell has it; a time-out is 'timeout'. */
export interface Ended {
  readonly exit: number | 'timeout'
  readonly stdout: string
  readonly stderr: string
  readonly milliseconds: number
}

/** Where and with what a program runs. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdin?: string
  /** Milliseconds until it is killed; 120,000 where nothing is said. */
  readonly timeout?: number
}

/** Runs a program to its end. Never throws for what the program does; throws where it cannot be started. */
export function runProgram(file: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, options.timeout ?? 120_000)
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve({
        exit: late ? 'timeout' : exitOf(code, signal),
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
        milliseconds: performance.now() - begin,
      })
    })
    // A program that ends without reading its input closes the pipe.
    child.stdin?.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error)
    })
    child.stdin?.end(options.stdin)
  })
}

const SIGNALS: Readonly<Record<string, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

function exitOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (SIGNALS[signal ?? ''] ?? 0)
}

/** What runs in the background; a test run that is broken off takes it along. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A program in the background whose output goes to files. */
export interface Background {
  readonly pid: number
  /** What it has printed so far. */
  stdout(): string
  stderr(): string
  /** How it ended, or undefined while it runs. */
  exit(): number | undefined
  ended: Promise<number>
  /** Sends the signal and waits; kills it where it has not ended after `grace` milliseconds. */
  stop(signal?: NodeJS.Signals, grace?: number): Promise<number>
}

/** Starts a program in the background; its output goes to `<log>.out` and `<log>.err`, which are appended to. */
export function startProgram(
  file: string,
  args: readonly string[],
  log: string,
  options: Pick<RunOptions, 'env' | 'cwd'> = {},
): Background {
  const files = [openSync(`${log}.out`, 'a'), openSync(`${log}.err`, 'a')] as const
  const child: ChildProcess = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', ...files],
  })
  for (const descriptor of files) closeSync(descriptor)
  running.add(child)
  let exit: number | undefined
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      running.delete(child)
      exit = exitOf(code, signal)
      resolve(exit)
    })
  })
  if (child.pid === undefined) throw new Error(`${file} cannot be started`)
  return {
    pid: child.pid,
    stdout: () => readFileSync(`${log}.out`, 'utf8'),
    stderr: () => readFileSync(`${log}.err`, 'utf8'),
    exit: () => exit,
    ended,
    async stop(signal = 'SIGTERM', grace = 30_000) {
      if (exit !== undefined) return exit
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), grace)
      try {
        return await ended
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
