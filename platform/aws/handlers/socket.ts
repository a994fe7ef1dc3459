// The socket function's work: who may open a socket, whose it is, what it says, and that it closed.
import { minionOf } from '../../../master/api/principal-of.ts'
import { takeOnce } from '../../../master/auth/ticket.ts'
import { type Environment, openDeployment } from '../deploy/environment.ts'
import type { AwsStore } from '../store/aws-store.ts'
import { DynamoWatchers } from '../store/watchers.ts'

/** What API Gateway tells of a socket: a request to the authorizer, its opening, a message, its end. */
export interface SocketEvent {
  readonly type?: 'REQUEST'
  readonly methodArn?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly queryStringParameters?: Readonly<Record<string, string>>
  readonly body?: string
  readonly requestContext: {
    readonly connectionId: string
    readonly routeKey: string
    readonly authorizer?: Admitted
  }
}

/** Whose the socket is: a minion's, or a person's who watches. */
interface Admitted {
  readonly minion?: string
  readonly watcher?: string
}

/**
 * Answers what API Gateway tells. A minion's messages keep its doorbell and say that it is there. A watcher says
 * `{"action": "watch", "cursor": …}` when it has read the log to that cursor, and is told `{"events": true}` once, when
 * there is more; it reads at the gateway, where its rights are asked for.
 */
export type SocketFunction = (event: SocketEvent) => Promise<object>

const ok = { statusCode: 200 }

/** Opens it. */
export function openSocket(environment: Environment): SocketFunction {
  const { store } = openDeployment(environment)
  const watchers = new DynamoWatchers(store.dynamo, store.clock, store.sockets.post)

  const open = async (connection: string, { minion }: Admitted): Promise<object> => {
    if (minion !== undefined) {
      await store.sockets.open(minion, connection)
      await store.minions.seen(minion, store.clock.now())
    }
    return ok
  }

  const hear = async (connection: string, said: string): Promise<object> => {
    const cursor = watchedCursor(said)
    if (cursor === undefined) {
      const minion = await store.sockets.heard(connection)
      if (minion !== undefined) await store.minions.seen(minion, store.clock.now())
      return ok
    }
    await watchers.wait(connection)
    // What was appended before it waited is told now; what comes after, by whoever appends it.
    if ((await store.log.end()) !== cursor) await watchers.tell(connection)
    return ok
  }

  return async (event) => {
    if (event.type === 'REQUEST') return policy(await admitted(store, event), event.methodArn ?? '')
    const { connectionId, routeKey, authorizer = {} } = event.requestContext
    switch (routeKey) {
      case '$connect':
        return authorizer.minion === undefined && authorizer.watcher === undefined
          ? { statusCode: 401 }
          : open(connectionId, authorizer)
      case '$disconnect':
        await Promise.all([store.sockets.close(connectionId), watchers.close(connectionId)])
        return ok
      default:
        return hear(connectionId, event.body ?? '')
    }
  }
}

/** By a token in the header, or by a ticket in the query, since a browser sends no header with a socket. */
async function admitted(store: AwsStore, { headers = {}, queryStringParameters }: SocketEvent): Promise<Admitted> {
  const shown = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  const token = /^Bearer (\S+)$/i.exec(shown)?.[1]
  const ticket = queryStringParameters?.ticket
  if (token !== undefined) return admittedByToken(store, token)
  return ticket === undefined ? {} : admittedByTicket(store, ticket)
}

async function admittedByToken(store: AwsStore, token: string): Promise<Admitted> {
  const minion = await minionOf(token, store)
  if (minion !== undefined) return { minion: minion.id }
  const record = await store.tokens.verify(token)
  return record?.kind === 'user' && record.login?.use === 'session' ? { watcher: record.name } : {}
}

async function admittedByTicket(store: AwsStore, ticket: string): Promise<Admitted> {
  const record = await store.tokens.verify(ticket)
  if (record?.kind !== 'user' || record.login?.use !== 'ticket' || record.expires <= store.clock.now()) return {}
  return (await takeOnce(store.tokens, ticket, store.clock)) ? { watcher: record.name } : {}
}

/** The cursor of a request to be told; undefined for anything else that is said. */
function watchedCursor(said: string): string | undefined {
  try {
    const message: unknown = JSON.parse(said)
    if (typeof message !== 'object' || message === null || !('action' in message) || message.action !== 'watch')
      return undefined
    return 'cursor' in message && typeof message.cursor === 'string' ? message.cursor : ''
  } catch {
    return undefined
  }
}

/** What API Gateway wants of an authorizer; whose the socket is reaches `$connect`. */
function policy(who: Admitted, resource: string): object {
  const name = who.minion ?? who.watcher
  return {
    principalId: name ?? 'nobody',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: name === undefined ? 'Deny' : 'Allow', Resource: resource }],
    },
    context: { ...who },
  }
}
