// Who a request comes from: the credential it shows, and whom that speaks for.

import type { TokenHolder } from '../auth/index.ts'
import type { Clock, KeyRing, TokenStore } from '../ports.ts'
import type { Principal } from '../principal.ts'
import type { TransportBindings } from './route.ts'

/** Who a user's token speaks for; undefined for one that is worth nothing. */
export type TokenHolderOf = (token: string) => Promise<TokenHolder | undefined>

/** A token and how it was shown. */
export interface Credential {
  readonly token: string
  readonly by: 'bearer' | 'header' | 'cookie' | 'query' | 'ticket'
}

/** The name of the session's cookie. */
export const sessionCookie = 'session_id'

/**
 * What a request shows: `Authorization: Bearer`, `X-Auth-Token`, the session's cookie, and where a route takes them `?token=` or
 * a one-time `?ticket=`; the first there is counts, right or wrong. A cookie counts only for pages of this master's own origin and of the origins
 * given: a browser sends it along for any page.
 */
export function credentialOf(
  request: Request,
  { query, origins }: { query: boolean; origins: readonly string[] },
): Credential | undefined {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) return { token: bearer, by: 'bearer' }
  const header = request.headers.get('x-auth-token')
  if (header !== null && header !== '') return { token: header, by: 'header' }
  const parameters = query ? new URL(request.url).searchParams : undefined
  const asked = parameters?.get('token') ?? null
  if (asked !== null) return { token: asked, by: 'query' }
  const ticket = parameters?.get('ticket') ?? null
  if (ticket !== null) return { token: ticket, by: 'ticket' }
  const cookie = cookieOf(request)
  return cookie !== undefined && isOwnPage(request, origins) ? { token: cookie, by: 'cookie' } : undefined
}

/** The last of that name, with or without quotes around it. */
function cookieOf(request: Request): string | undefined {
  let found: string | undefined
  for (const part of (request.headers.get('cookie') ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === sessionCookie) found = part.slice(at + 1).trim()
  }
  return found?.replace(/^"(.*)"$/, '$1')
}

function isOwnPage(request: Request, origins: readonly string[]): boolean {
  const origin = request.headers.get('origin')
  if (origin === null) return request.headers.get('sec-fetch-site') !== 'cross-site'
  if (origins.includes(origin)) return true
  try {
    return new URL(origin).host === (request.headers.get('host') ?? new URL(request.url).host)
  } catch {
    // `null`, or no URL at all: not a page of ours.
    return false
  }
}

/** Who tokens of each kind speak for. */
export interface CredentialHolders {
  readonly tokens: TokenStore
  readonly keys: KeyRing
  readonly clock: Clock
  readonly holderOf?: TokenHolderOf
  /** Who a ticket speaks for, once. */
  readonly takeTicket?: TokenHolderOf
}

/**
 * Whom the credential speaks for. It decides over the socket's right: a minion's token stays a minion's. A token of `/token`
 * opens `/run` and, with `anyUse`, the event stream; the routes take one of `/login`.
 */
export async function principalOf(
  shown: Credential | undefined,
  transport: TransportBindings,
  stores: CredentialHolders,
  anyUse: boolean,
): Promise<Principal> {
  if (shown === undefined)
    return transport.transport === 'socket' ? { kind: 'local', user: transport.localUser } : { kind: 'anonymous' }
  const minion = shown.by === 'bearer' ? await minionOf(shown.token, stores) : undefined
  if (minion !== undefined) return minion
  if (shown.by === 'ticket') {
    const taken = await stores.takeTicket?.(shown.token)
    return taken === undefined ? { kind: 'anonymous' } : { kind: 'user', person: taken.person, by: 'ticket' }
  }
  const holder = await stores.holderOf?.(shown.token)
  if (holder === undefined || holder.use === 'ticket' || (holder.use === 'eauth' && !anyUse))
    return { kind: 'anonymous' }
  return { kind: 'user', person: holder.person, by: 'token', token: shown.token }
}

/** The minion a bearer token speaks for, for requests and for its doorbell alike. */
export async function minionOf(
  token: string,
  { tokens, keys, clock }: Pick<CredentialHolders, 'tokens' | 'keys' | 'clock'>,
): Promise<Extract<Principal, { kind: 'minion' }> | undefined> {
  const record = await tokens.verify(token)
  if (record === undefined || record.kind !== 'minion' || record.expires <= clock.now()) return undefined
  const key = await keys.get(record.name)
  // The epoch ends with a deletion, and a rejected key keeps none of its tokens.
  if (key?.current?.state !== 'accepted' || key.epoch !== record.epoch) return undefined
  return { kind: 'minion', id: record.name, epoch: record.epoch }
}
