// `-a`: a command speaks for somebody of `external_auth`, by a token of the master's; `-T` keeps it for the next ones.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeOf } from '../../client/config-files.ts'
import { openSession } from '../../client/open.ts'
import type { Address } from '../../client/transport.ts'
import { BrineError } from '../../core/error.ts'
import type { ParsedOptions } from '../options/index.ts'
import type { Io } from './io.ts'

/** What a master may know people by. */
const systems = ['file', 'oidc', 'sharedsecret']

/** The file of the tokens that `-T` keeps, by the master's URL. */
const tokenFile = '.brine_token'

interface KeptToken {
  readonly token: string
  /** Seconds since 1970. */
  readonly expire: number
}

/**
 * The address with a token, where the command line asks for a log-in or an earlier one was kept for that URL. Who may open
 * the socket is believed without; a log-in takes rights away there. Throws `log-in` where the master does not let him in.
 */
export async function withLogIn(address: Address, options: ParsedOptions, io: Io): Promise<Address> {
  const eauth = options.text('eauth')
  const home = homeOf(io.environment)
  if (eauth === undefined) {
    const kept = address.kind === 'url' ? keptTokens(home)[address.url] : undefined
    return kept === undefined || kept.expire * 1000 < Date.now() ? address : { ...address, token: kept.token }
  }
  if (!systems.includes(eauth)) {
    await io.out(
      `The specified external authentication system "${eauth}" is not available\nAvailable eauth types: ${systems.join(', ')}\n`,
    )
    throw new BrineError('Authentication failed', { code: 'no-such-log-in' })
  }
  const username = options.text('username') ?? (await io.ask('username: ')) ?? ''
  const password = options.text('password') ?? (await (io.secret ?? io.ask)('password: ')) ?? ''
  const session = await openSession(address, { eauth, username: username || (io.environment.USER ?? ''), password })
  if (options.flag('mktoken') && address.kind === 'url') keep(home, address.url, session)
  return { ...address, token: session.token }
}

function keptTokens(home: string): Record<string, KeptToken> {
  try {
    return JSON.parse(readFileSync(join(home, tokenFile), 'utf8')) as Record<string, KeptToken>
  } catch {
    // There is none, or none that reads: the master is asked without.
    return {}
  }
}

function keep(home: string, url: string, session: KeptToken): void {
  const now = Date.now() / 1000
  const others = Object.entries(keptTokens(home)).filter(([, { expire }]) => expire > now)
  const all = { ...Object.fromEntries(others), [url]: session }
  writeFileSync(join(home, tokenFile), `${JSON.stringify(all)}\n`, { mode: 0o600 })
}
