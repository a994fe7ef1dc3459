// A LocalStack-compatible endpoint for tests: one that answers already, or MiniStack, installed and started here.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A running endpoint. `stop` ends it only where {@link startEmulator} started it. */
export interface Emulator {
  /** `http://127.0.0.1:4566` */
  readonly endpoint: string
  /** What IAM refused, a line each: who, what, on which resource. Nothing where IAM is not asked. */
  denied(): string[]
  stop(): Promise<void>
}

const version = '1.5.33'
const port = 4566
const root = join(import.meta.dirname, '..', '..')
const environment = join(root, '.venv-emulator')
const binary = join(environment, 'bin', 'ministack')
const python = join(environment, 'bin', 'python')
const withIam = join(import.meta.dirname, 'emulator-with-iam.py')
/** Milliseconds until an emulator that was started has to answer, and between two looks. */
const patience = 120_000
const look = 100

/**
 * The endpoint that AWS_ENDPOINT_URL names or that answers on port 4566; otherwise MiniStack is installed into
 * `.venv-emulator` (once) and started on 4566, or on a free port. Throws where Python or the package cannot be had. With
 * BRINE_EMULATOR_IAM one is started that asks IAM, whatever answers already.
 */
export async function startEmulator(): Promise<Emulator> {
  const asksIam = (process.env.BRINE_EMULATOR_IAM ?? '') !== ''
  for (const endpoint of asksIam ? [] : [process.env.AWS_ENDPOINT_URL, `http://127.0.0.1:${port}`])
    if (endpoint !== undefined && (await isHealthy(endpoint)))
      return { endpoint, denied: () => [], stop: async () => undefined }
  if (!existsSync(binary)) install()
  const own = await freePort()
  const notes = mkdtempSync(join(tmpdir(), 'brine-iam-'))
  const file = join(notes, 'denied')
  const env = { ...process.env, LAMBDA_EXECUTOR: 'local', GATEWAY_PORT: String(own), BIND_HOST: '127.0.0.1' }
  const child = asksIam
    ? spawn(python, [withIam], { env: { ...env, AUTH: 'true', BRINE_DENIED: file }, stdio: 'ignore' })
    : spawn(binary, [], { env, stdio: 'ignore' })
  const endpoint = `http://127.0.0.1:${own}`
  for (let waited = 0; !(await isHealthy(endpoint)); waited += look) {
    if (child.exitCode !== null || waited > patience) {
      child.kill('SIGKILL')
      throw new Error(`the emulator ${binary} does not answer on port ${own} (exit code ${child.exitCode})`)
    }
    await sleep(look)
  }
  return {
    endpoint,
    denied: () => (existsSync(file) ? [...new Set(readFileSync(file, 'utf8').split('\n'))].filter(Boolean) : []),
    async stop() {
      await end(child)
      rmSync(notes, { recursive: true, force: true })
    },
  }
}

/** Everybody's credentials there: signatures are not checked. Set before an SDK client is made. */
export const emulatorEnvironment = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
} as const

async function isHealthy(endpoint: string): Promise<boolean> {
  try {
    const answer = await fetch(`${endpoint}/_localstack/health`, { signal: AbortSignal.timeout(1000) })
    return answer.ok
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

function install(): void {
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', environment]],
    [join(environment, 'bin', 'pip'), ['install', '--quiet', `ministack==${version}`]],
  ]
  for (const [command, args] of steps) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
    if (status !== 0)
      throw new Error(
        `${command} ${args.join(' ')} ended with ${status}: ${error?.message ?? stderr}. The emulator needs Python 3.`,
      )
  }
}

async function freePort(): Promise<number> {
  for (const wanted of [port, 0]) {
    const found = await tryPort(wanted)
    if (found !== undefined) return found
  }
  throw new Error('no port is free for the emulator')
}

function tryPort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined))
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(timer)
}
