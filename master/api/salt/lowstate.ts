// A lowstate: calls run one after the other, each by its client, each proven and allowed.
import { isList, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Authenticator } from '../../auth/index.ts'
import { type Caller, runRefusal } from './caller.ts'
import { ApiError } from './error-page.ts'
import type { Client } from './local-clients.ts'
import { isSet, type Low, lowOf, textOf } from './low.ts'

/** The names that `/` lists: what Salt's own client has, whether it is offered or not. */
export const clientNames = [
  'destroy',
  'local',
  'local_async',
  'local_batch',
  'local_subset',
  'runner',
  'runner_async',
  'ssh',
  'wheel',
  'wheel_async',
] as const

/**
 * Runs the calls. With a caller they are the caller's; without, each shows a token or credentials of its own. A call that is
 * refused ends the lowstate; those before it have run, as in Salt. Throws what becomes a page.
 */
export type RunLowstate = (lowstate: Value, caller: Caller | undefined, address: string) => Promise<Value[]>

/** Who a call of a client says it is from, by the token or the credentials in it. Throws what becomes a page. */
export type Prove = (low: Low, client: string, address: string) => Promise<Caller>

interface LowstateNeeds {
  readonly clients: ReadonlyMap<string, Client>
  /** Salt's `netapi_enable_clients`. */
  readonly enabled: readonly string[]
  readonly auth: Authenticator
}

/** Joins the clients there are. */
export function createLowstate({ clients, enabled, auth }: LowstateNeeds): { run: RunLowstate; prove: Prove } {
  const offered = new Set(enabled.filter((name) => clients.has(name)))
  const run: RunLowstate = async (lowstate, caller, address) => {
    if (!isList(lowstate)) throw new ApiError(400, 'Lowstates must be a list')
    const answers: Value[] = []
    for (const chunk of lowstate) {
      const low = lowOf(chunk)
      if (low === undefined) throw new TypeError('a call of a lowstate is a map')
      answers.push(...(await one(low, caller, address)))
    }
    return answers
  }
  return { run, prove }

  async function one(low: Low, caller: Caller | undefined, address: string): Promise<readonly Value[]> {
    const shown = low.get('token')
    if (caller === undefined && shown !== undefined && !/^(0x)?[0-9a-f]+$/i.test(pythonStr(shown)))
      throw new ApiError(401, 'Invalid token')
    const name = pythonStr(low.get('client') ?? null)
    const client = offered.has(name) ? clients.get(name) : undefined
    if (client === undefined) {
      if (!clientNames.some((known) => known === name)) throw new ApiError(400, `Invalid client specified: '${name}'`)
      throw new ApiError(
        400,
        `Client disabled: '${name}'. Add to 'netapi_enable_clients' master config option to enable.`,
      )
    }
    if (caller === undefined && shown === undefined && !low.has('eauth')) throw noCredentials()
    if (isSet(low, 'raw_shell')) throw new ApiError(401, 'Raw shell option not allowed.')
    return client(low, caller ?? (await prove(low, name, address)))
  }

  async function prove(low: Low, client: string, address: string): Promise<Caller> {
    const token = textOf(low, 'token')
    const local = client.startsWith('local')
    if (low.has('token')) {
      const holder = token === undefined ? undefined : await auth.holderOf(token)
      if (holder?.use === 'eauth')
        return { kind: 'person', name: holder.person.name, person: holder.person, by: 'token' }
      throw new ApiError(
        401,
        local ? 'Authentication error occurred.' : 'Authentication failure of type "token" occurred.',
      )
    }
    const refused = (name: string): ApiError =>
      new ApiError(401, local ? 'Authentication error occurred.' : runRefusal('eauth', name))
    const username = textOf(low, 'username')
    if (username === undefined) throw refused('UNKNOWN')
    const entered = await auth.logIn({
      eauth: textOf(low, 'eauth') ?? '',
      username,
      password: textOf(low, 'password') ?? '',
      address,
    })
    switch (entered.kind) {
      case 'person':
        return { kind: 'person', name: entered.person.name, person: entered.person, by: 'eauth' }
      case 'limited':
        throw tooMany(entered.seconds)
      case 'refused':
        throw refused(username || 'UNKNOWN')
    }
  }
}

/** What who shows nothing is told. */
export function noCredentials(): ApiError {
  return new ApiError(401, 'No authentication credentials given')
}

/** Too many failures from there. */
export function tooMany(seconds: number): ApiError {
  const message = `Too many failed log-ins from here. Try again in ${seconds} seconds.`
  return new ApiError(429, message, { 'retry-after': String(seconds) })
}
