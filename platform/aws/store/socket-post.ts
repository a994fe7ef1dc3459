// Posts messages to the sockets of an API Gateway WebSocket API.
import { asking, awsErrorName } from '../aws-error.ts'
import type { ClientOptions } from '../clients.ts'
import type { Post } from './connections.ts'

/** A {@link Post} to the API whose management endpoint this is. The client is loaded when it is first used. */
export function socketPost(endpoint: string, options: ClientOptions): Post {
  let loading: Promise<Post> | undefined
  const load = async (): Promise<Post> => {
    const [{ ApiGatewayManagementApiClient, PostToConnectionCommand }, { clientConfig }] = await Promise.all([
      import('../sdk/sockets.ts'),
      import('../clients.ts'),
    ])
    const client = new ApiGatewayManagementApiClient({ ...clientConfig(options), endpoint })
    return (connection, text) =>
      asking('a doorbell', async () => {
        try {
          await client.send(new PostToConnectionCommand({ ConnectionId: connection, Data: Buffer.from(text) }))
          return 'sent'
        } catch (error) {
          if (awsErrorName(error) === 'GoneException') return 'gone'
          throw error
        }
      })
  }
  return async (connection, text) => {
    loading ??= load()
    return (await loading)(connection, text)
  }
}
