// Ways to a connection: a master's configuration on this machine, or a URL and a log-in.
import { join } from 'node:path'
import { BrineError } from '../core/error.ts'
import { isList, isMapping, pythonStr } from '../core/value/index.ts'
import { type Connection, connect } from './connection.ts'
import { type Address, createTransport } from './transport.ts'

/**
 * Connects to the master of this machine, over its socket: for programs of its user. Throws where the configuration does
 * not read. @param configDir The folder that holds `master`; by default where the commands look.
 */
export async function connectLocal(configDir?: string): Promise<Connection> {
  const { masterConfig } = await import('./configuration.ts')
  const { config } = await masterConfig(configDir, process.env, false, () => undefined)
  return connect({ kind: 'socket', path: join(config.sock_dir, 'master.sock') })
}

/** Who logs in, and how that is proven. */
export interface Credentials {
  readonly username: string
  readonly password: string
  readonly eauth: string
}

/** A master's URL and what makes its certificate believed. */
export type MasterUrl = Omit<Extract<Address, { kind: 'url' }>, 'kind' | 'token'>

/** Logs in at a master's API and connects as that user. Rejects with `log-in` where it does not let him in. */
export async function connectUrl(master: MasterUrl, credentials: Credentials): Promise<Connection> {
  return connect({ kind: 'url', ...master, token: await logIn(master, credentials) })
}

/** Logs in at a master's API: the session's token. */
export async function logIn(master: MasterUrl, credentials: Credentials): Promise<string> {
  return (await openSession({ kind: 'url', ...master }, credentials)).token
}

/** A session at a master. */
export interface Session {
  readonly token: string
  /** When it ends, in seconds since 1970. */
  readonly expire: number
}

/** Logs in at a master, over its API or its socket. Rejects with `log-in` where it does not let him in. */
export async function openSession(address: Address, { username, password, eauth }: Credentials): Promise<Session> {
  const transport = createTransport(address)
  const place = address.kind === 'url' ? address.url : `The master at ${address.path}`
  try {
    const answer = await transport.post('/login', { username, password, eauth })
    const [session] = isMapping(answer) && isList(answer.return) ? answer.return : []
    if (session !== undefined && isMapping(session) && session.token !== undefined)
      return { token: pythonStr(session.token), expire: Number(pythonStr(session.expire ?? 0)) }
    throw new BrineError(`${place} answered the log-in without a token. Is it a master's API?`, { code: 'log-in' })
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && error.status === 401)) throw error
    throw new BrineError(
      `${place} does not let ${username} in by ${eauth}: wrong credentials, or no such user in external_auth.`,
      { code: 'log-in', cause: error },
    )
  } finally {
    transport.close()
  }
}
