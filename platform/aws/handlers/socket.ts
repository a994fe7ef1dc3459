// The socket function's work: who may open a socket, whose it is, what it says, and that it closed.
import { minionOf } from '../../../master/api/principal-of.ts'
import { type Environment, openDeployment } from '../deploy/environment.ts'
import { DynamoWatchers } from '../store/watchers.ts'

/** What API Gateway tells of a socket: a request to the authorizer, its opening, a message, its end. */
export interface SocketEvent {
  readonly type?: 'REQUEST'
  readonly methodArn?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly requestContext: {
    readonly connectionId: string
    readonly routeKey: string
    readonly authorizer?: { readonly minion?: string }
  }
}

/** Answers what API Gateway tells. */
export type SocketFunction = (event: SocketEvent) => Promise<object>

const ok = { statusCode: 200 }

/** Opens it. */
export function openSocket(environment: Environment): SocketFunction {
  const { store } = openDeployment(environment)
  const watchers = new DynamoWatchers(store.dynamo, store.clock, store.sockets.post)

  const admit = async ({ headers = {}, methodArn = '' }: SocketEvent): Promise<object> => {
    const token = /^Bearer (\S+)$/i.exec(headerIn(headers, 'authorization'))?.[1]
    const minion = token === undefined ? undefined : (await minionOf(token, store))?.id
    return policy(minion, methodArn)
  }

  return async (event) => {
    if (event.type === 'REQUEST') return admit(event)
    const { connectionId, routeKey, authorizer } = event.requestContext
    switch (routeKey) {
      case '$connect': {
        if (authorizer?.minion === undefined) return { statusCode: 401 }
        await store.sockets.open(authorizer.minion, connectionId)
        await store.minions.seen(authorizer.minion, store.clock.now())
        return ok
      }
      case '$disconnect':
        await Promise.all([store.sockets.close(connectionId), watchers.close(connectionId)])
        return ok
      default: {
        const minion = await store.sockets.heard(connectionId)
        if (minion !== undefined) await store.minions.seen(minion, store.clock.now())
        return ok
      }
    }
  }
}

function headerIn(headers: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
}

/** What API Gateway wants of an authorizer; `minion` reaches `$connect`. */
function policy(minion: string | undefined, resource: string): object {
  return {
    principalId: minion ?? 'nobody',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Action: 'execute-api:Invoke', Effect: minion === undefined ? 'Deny' : 'Allow', Resource: resource },
      ],
    },
    ...(minion === undefined ? {} : { context: { minion } }),
  }
}
