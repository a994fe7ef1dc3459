// What the client commands share: a command line read, a master found, a file to print to, an error said.
import { join } from 'node:path'
import { type Connection, connect } from '../../client/connection.ts'
import { type Address, Refused } from '../../client/transport.ts'
import { BrineError, messageOf } from '../../core/error.ts'
import { type Ending, type OutputSettings, outputOptions, type ParsedOptions } from '../options/index.ts'
import { chooseOutputter } from '../output/choose.ts'
import type { Io } from './io.ts'
import { logged } from './log-file.ts'
import { withLogIn } from './log-in.ts'
import { printTo } from './print.ts'
import { toFile } from './to-file.ts'

/** A command's settings: where the master is, and what the configuration says about printing. */
export interface ClientSettings {
  readonly connection: Connection
  readonly output: OutputSettings
  readonly timeout: number
  readonly gatherJobTimeout: number
}

/**
 * Finds the master: `--sock`, `--master`, `--stack`, else what BRINE_STACK names, else the socket in the configured
 * `sock_dir`.
 */
export async function findMaster(options: ParsedOptions, io: Io): Promise<ClientSettings> {
  const { masterConfig } = await import('../../client/configuration.ts')
  const { config } = await masterConfig(options.text('config_dir'), io.environment, false, io.err)
  const connection = await connectionOf(options, io, config)
  return { connection, output: config, timeout: config.timeout, gatherJobTimeout: config.gather_job_timeout }
}

async function connectionOf(
  options: ParsedOptions,
  io: Io,
  config: { readonly sock_dir: string; readonly pki_dir: string },
): Promise<Connection> {
  const named = ['sock', 'master', 'stack'].filter((name) => options.text(name) !== undefined)
  if (named.length > 1)
    throw new BrineError(`--${named.join(' and --')} name different masters. Give one of them.`, { code: 'usage' })
  const sock = options.text('sock')
  const at = async (address: Address): Promise<Connection> => connect(await withLogIn(address, options, io))
  if (sock !== undefined) return at({ kind: 'socket', path: sock })
  const url = options.text('master')
  // A master on this machine made its certificate itself; no authority vouches for that.
  if (url !== undefined) return at({ kind: 'url', url, certificateFile: join(config.pki_dir, 'tls.crt') })
  const stack = options.text('stack') ?? io.environment.BRINE_STACK ?? ''
  if (stack === '') return at({ kind: 'socket', path: join(config.sock_dir, 'master.sock') })
  if (options.text('eauth') !== undefined)
    throw new BrineError('A stack knows its callers by AWS credentials. Leave --auth out, or give --master URL.', {
      code: 'usage',
    })
  // The SDK warns of a Node that runs here all the same.
  io.environment.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  return (await import('./stack.ts')).connectToStack(stack)
}

/** Reads the command line and runs; an error is said in a line, and the exit code is Salt's for a client error. */
export async function clientMain<Invocation extends { readonly kind: 'invocation'; readonly options: ParsedOptions }>(
  io: Io,
  read: () => Promise<Invocation | Ending>,
  run: (invocation: Invocation, settings: ClientSettings, io: Io) => Promise<number>,
): Promise<number> {
  const invocation = await read()
  if (invocation.kind === 'end') {
    await io.out(invocation.stdout)
    io.err(invocation.stderr)
    return invocation.exit
  }
  const { io: talking, close } = logged(io, invocation.options, 'brine')
  try {
    return await runAt(invocation, talking, run)
  } finally {
    await close()
  }
}

async function runAt<Invocation extends { readonly options: ParsedOptions }>(
  invocation: Invocation,
  io: Io,
  run: (invocation: Invocation, settings: ClientSettings, io: Io) => Promise<number>,
): Promise<number> {
  let settings: ClientSettings | undefined
  try {
    settings = await findMaster(invocation.options, io)
    return await run(invocation, settings, toFile(io, invocation.options))
  } catch (error) {
    const answer = answerOf(error, invocation.options)
    if (answer !== undefined) {
      const outputter = chooseOutputter({ asked: invocation.options.text('output') })
      await printTo(io, answer.text, outputter, outputOptions(invocation.options, {}, io.isTty))
      return answer.exit
    }
    const hint = error instanceof Refused && error.status === 401 ? ' Log in with --auth; -T keeps the token.' : ''
    io.err(`[ERROR   ] ${messageOf(error)}${hint}\n`)
    if (invocation.options.text('log_level') === 'debug' && error instanceof Error) io.err(`${error.stack}\n`)
    return isUsage(error) ? 64 : 2
  } finally {
    settings?.connection.close()
  }
}

/** What Salt prints as an answer: there is no such nodegroup, or who logged in is not known or may not do that. */
function answerOf(
  error: unknown,
  options: ParsedOptions,
): { readonly text: string; readonly exit: number } | undefined {
  if (!(error instanceof BrineError)) return undefined
  if (error.code === 'no-nodegroup') return { text: error.message, exit: 0 }
  if (options.text('eauth') === undefined) return undefined
  if (error.code === 'forbidden') return { text: 'Authorization error occurred.', exit: 1 }
  return error.code === 'log-in' ? { text: 'Authentication error occurred.', exit: 1 } : undefined
}

function isUsage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'usage'
}
