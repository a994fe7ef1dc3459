// Log-ins and tokens: who somebody is, by what they show, and what they may do now.

import type { Value } from '../../core/value/index.ts'
import { type ExternalAuth, type Grant, grantsOf, type Person, shownPermissions } from '../acl/index.ts'
import type { Audit, Clock, TokenStore } from '../ports.ts'
import type { Backend } from './backend.ts'
import { LoginLimit } from './login-limit.ts'
import { RememberedPasswords } from './remembered.ts'
import { takeOnce, ticketSeconds } from './ticket.ts'

/** What a token is for: `session` for the routes, `eauth` for `/run`, as in Salt; `ticket` for one event stream, once. */
export type TokenUse = 'session' | 'eauth' | 'ticket'

/** What somebody shows. */
export interface Shown {
  readonly eauth: string
  readonly username: string
  readonly password: string
  /** Where the request came from. */
  readonly address: string
}

/** Who that is. */
export type Authenticated =
  | { readonly kind: 'person'; readonly person: Person; readonly until?: number }
  | { readonly kind: 'refused' }
  /** Too many failures: nothing was looked at. */
  | { readonly kind: 'limited'; readonly seconds: number }

/** A token and its times, microseconds. */
export interface IssuedToken {
  readonly token: string
  readonly start: number
  readonly expire: number
}

/** Who a token speaks for. */
export interface TokenHolder {
  readonly person: Person
  readonly use: TokenUse
}

/** Log-ins, tokens and rights. Rights are looked up for each use, never kept in a token. */
export interface Authenticator {
  logIn(shown: Shown): Promise<Authenticated>
  issue(person: Person, use: TokenUse, until?: number): Promise<IssuedToken>
  /** Undefined where the token is unknown, expired or revoked, or its person is not known any more. */
  holderOf(token: string): Promise<TokenHolder | undefined>
  /** Whether the backend still knows the person. */
  isKnown(person: Person): Promise<boolean>
  revoke(token: string): Promise<void>
  /** Takes a ticket: who it speaks for, once; undefined ever after. */
  takeTicket(ticket: string): Promise<TokenHolder | undefined>
  grantsOf(person: Person): readonly Grant[]
  shownPermissions(person: Person): Value[]
}

interface AuthenticatorNeeds {
  readonly auth: ExternalAuth
  readonly backends: ReadonlyMap<string, Backend>
  readonly tokens: TokenStore
  readonly clock: Pick<Clock, 'now'>
  readonly audit: Audit
  /** Salt's `token_expire`. */
  readonly tokenSeconds: number
  readonly limit?: LoginLimit
}

const mostRights = 10_000
/** Microseconds for which a backend's word that it still knows a name holds. */
const knownFor = 1_000_000

/** Joins configuration, backends and stores. */
export function createAuthenticator(needs: AuthenticatorNeeds): Authenticator {
  const { auth, backends, tokens, clock } = needs
  const limit = needs.limit ?? new LoginLimit()
  const remembered = new RememberedPasswords()
  const rights = new Map<string, readonly Grant[]>()
  const standing = new Map<string, number>()

  const stillKnows = async (eauth: string, name: string): Promise<boolean> => {
    const key = JSON.stringify([eauth, name])
    if ((standing.get(key) ?? 0) > clock.now()) return true
    standing.delete(key)
    if ((await backends.get(eauth)?.stillKnows(name)) !== true) return false
    if (standing.size >= mostRights) standing.clear()
    standing.set(key, clock.now() + knownFor)
    return true
  }

  const holderOf = async (token: string): Promise<TokenHolder | undefined> => {
    const record = await tokens.verify(token)
    const login = record?.kind === 'user' && record.expires > clock.now() ? record.login : undefined
    if (record === undefined || login === undefined || !auth.has(login.eauth)) return undefined
    if (!(await stillKnows(login.eauth, record.name))) return undefined
    return { person: { name: record.name, eauth: login.eauth, groups: login.groups }, use: login.use }
  }

  return {
    async logIn({ eauth, username, password, address }) {
      const backend = backends.get(eauth)
      const credentials = { username, password }
      const known = backend === undefined ? undefined : remembered.find(eauth, credentials, clock.now())
      if (known !== undefined) return personOf(eauth, known)
      const wait = limit.wait(username, address, clock.now())
      if (wait > 0) return { kind: 'limited', seconds: Math.ceil(wait / 1_000_000) }
      const vouched = await backend?.verify(credentials)
      if (vouched !== undefined) {
        remembered.keep(eauth, credentials, vouched, clock.now())
        return personOf(eauth, vouched)
      }
      limit.failed(username, address, clock.now())
      const detail = { user: username.slice(0, 200), eauth: eauth.slice(0, 50), address }
      await needs.audit.record({ at: clock.now(), who: 'salt-api', what: 'log-in refused', detail })
      return { kind: 'refused' }
    },

    async issue(person, use, until) {
      const start = clock.now()
      const life = use === 'ticket' ? ticketSeconds : needs.tokenSeconds
      const expire = Math.min(start + life * 1_000_000, until ?? Number.POSITIVE_INFINITY)
      const { name, eauth, groups } = person
      const token = await tokens.issue({
        kind: 'user',
        name,
        epoch: 0,
        expires: expire,
        login: { eauth, groups: [...groups], start, use },
      })
      return { token, start, expire }
    },

    async takeTicket(ticket) {
      const holder = await holderOf(ticket)
      if (holder?.use !== 'ticket') return undefined
      return (await takeOnce(tokens, ticket, clock)) ? holder : undefined
    },

    holderOf,

    isKnown: ({ eauth, name }) => stillKnows(eauth, name),

    revoke: (token) => tokens.revoke(token),

    grantsOf(person) {
      const key = JSON.stringify([person.eauth, person.name, person.groups])
      const known = rights.get(key)
      if (known !== undefined) return known
      const grants = grantsOf(auth, person)
      if (rights.size >= mostRights) rights.clear()
      rights.set(key, grants)
      return grants
    },

    shownPermissions: (person) => shownPermissions(auth, person),
  }
}

function personOf(
  eauth: string,
  { name, groups, until }: { name: string; groups: readonly string[]; until?: number },
): Authenticated {
  return { kind: 'person', person: { name, eauth, groups }, ...(until === undefined ? {} : { until }) }
}
