// The pages of a session: /login, /logout, /token.
import * as z from 'zod/mini'
import { float, isList, isMap, type Mapping, type Value } from '../../../core/value/index.ts'
import type { Person } from '../../acl/index.ts'
import type { Authenticated, Authenticator, IssuedToken } from '../../auth/index.ts'
import type { TransportBindings } from '../route.ts'
import { lowstateOf } from './body.ts'
import { runRefusal } from './caller.ts'
import { ApiError, noPermission } from './error-page.ts'
import { type Low, lowOf, textOf } from './low.ts'
import { tooMany } from './lowstate.ts'
import { ended, type Page } from './page.ts'
import type { ApiSettings } from './settings.ts'
import { welcome, withoutQuery } from './welcome.ts'

const Credentials = z.object({
  username: z.string(),
  password: z
    .string()
    .check(z.describe("The password, the shared secret, or with `oidc` the identity provider's token")),
  eauth: z.enum(['sharedsecret', 'file', 'oidc']),
})

/**
 * The pages by which somebody comes and goes. Where the platform rings watchers of the bus on a socket of its own, a
 * session and a ticket name its URL as `socket`.
 */
export function sessionPages(auth: Authenticator, settings: ApiSettings, socketUrl?: string): readonly Page[] {
  const socket = socketUrl === undefined ? {} : { socket: socketUrl }
  const enter = (low: Low, transport: TransportBindings): Promise<Authenticated> =>
    auth.logIn({
      eauth: textOf(low, 'eauth') ?? '',
      username: textOf(low, 'username') ?? '',
      password: textOf(low, 'password') ?? '',
      address: transport.remote ?? '',
    })

  return [
    {
      method: 'GET',
      path: '/login',
      who: ['anyone'],
      about: 'says that a log-in is needed',
      allow: 'GET, HEAD, POST',
      async answer({ query }) {
        withoutQuery(query)
        return { value: { status: null, return: 'Please log in' }, headers: { 'www-authenticate': 'Session' } }
      },
    },
    {
      method: 'POST',
      path: '/login',
      who: ['anyone'],
      about: 'begins a session: credentials for a token',
      body: Credentials,
      allow: 'GET, HEAD, POST',
      async answer(call) {
        const low = credentialsOf((await call.body()).data)
        if (!low.has('username')) throw new ApiError(401, 'Could not authenticate using provided credentials')
        checkApiAcl(textOf(low, 'username'), call.transport, settings.apiAcl)
        const entered = await enter(low, call.transport)
        if (entered.kind === 'limited') throw tooMany(entered.seconds)
        if (entered.kind === 'refused') throw new ApiError(401, 'Could not authenticate using provided credentials')
        const issued = await auth.issue(entered.person, 'session', entered.until)
        return {
          value: {
            return: [{ ...sessionOf(entered.person, issued), perms: permsOf(auth, entered.person), ...socket }],
          },
          headers: { 'x-auth-token': issued.token },
          session: issued.token,
        }
      },
    },
    {
      method: 'POST',
      path: '/logout',
      who: ['user'],
      about: 'ends the session: its token is worth nothing from now on',
      allow: 'GET, HEAD, POST',
      async answer({ principal }) {
        if (principal.kind === 'user' && principal.by === 'token') await auth.revoke(principal.token)
        return { value: { return: 'Your token has been cleared' }, session: ended }
      },
    },
    {
      method: 'POST',
      path: '/ticket',
      who: ['user'],
      about:
        'a ticket for one event stream, for addresses that others keep: ?ticket= on /events, /ws or the socket, once',
      allow: 'POST',
      async answer({ principal }) {
        if (principal.kind !== 'user') throw new ApiError(401, noPermission)
        const { token, expire } = await auth.issue(principal.person, 'ticket')
        return { value: { return: [{ ticket: token, expire: seconds(expire), ...socket }] } }
      },
    },
    welcome('/token'),
    {
      method: 'POST',
      path: '/token',
      who: ['anyone'],
      about: 'credentials for a token that /run takes',
      body: z.union([Credentials, z.array(Credentials)]),
      allow: 'GET, HEAD, POST',
      session: false,
      async answer(call) {
        const lowstate = lowstateOf((await call.body()).data)
        if (!isList(lowstate)) throw new ApiError(400, 'Lowstates must be a list')
        const lows = lowstate.map((chunk) => credentialsOf(chunk))
        if (lows.some((low) => !['username', 'password', 'eauth'].every((name) => low.has(name))))
          throw new ApiError(400, 'Require "username", "password", and "eauth" params')
        const tokens: Value[] = []
        for (const low of lows) {
          const entered = await enter(low, call.transport)
          if (entered.kind === 'limited') throw tooMany(entered.seconds)
          if (entered.kind === 'refused') throw new ApiError(401, runRefusal('eauth', textOf(low, 'username') ?? ''))
          const { name, eauth } = entered.person
          const { token, start, expire } = await auth.issue(entered.person, 'eauth', entered.until)
          tokens.push({ start: seconds(start), expire: seconds(expire), name, eauth, token })
        }
        return { value: tokens }
      },
    },
  ]
}

/** One map, or the first of a list. */
function credentialsOf(data: Value): Low {
  const first = isList(data) ? (data[0] ?? null) : data
  const low = isMap(first) ? lowOf(first) : undefined
  if (low === undefined) throw new TypeError('credentials are a map')
  return low
}

function sessionOf({ name, eauth }: Person, { token, start, expire }: IssuedToken): Mapping {
  return { token, expire: seconds(expire), start: seconds(start), user: name, eauth }
}

/** Salt shows a map where there is nothing to list. */
function permsOf(auth: Authenticator, person: Person): Value {
  const perms = auth.shownPermissions(person)
  return perms.length === 0 ? {} : perms
}

function seconds(microseconds: number): Value {
  return float(microseconds / 1_000_000)
}

/** Salt's `api_acl`: from which addresses a user may log in; `*` stands for any user and any address. */
function checkApiAcl(username: string | undefined, { remote }: TransportBindings, acl: Value | undefined): void {
  const users = acl !== undefined && isMap(acl) ? lowOf(acl)?.get('users') : undefined
  const named = users === undefined ? undefined : lowOf(users)
  if (named === undefined || named.size === 0) return
  const addresses = named.get(username ?? '') ?? named.get('*')
  const list = isList(addresses) ? addresses : [addresses]
  if (addresses === undefined || !(list.includes('*') || list.includes(remote ?? '')))
    throw new ApiError(401, noPermission)
}
