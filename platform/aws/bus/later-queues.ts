// The door to SQS. The client is loaded when it is first used: Lambda itself receives and deletes, so that few invocations need it.
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { ClientOptions } from '../clients.ts'

type Sdk = typeof import('../sdk/sqs.ts')

/** Works with a client of SQS. */
export type Queues = <T>(work: (client: SQSClient, sdk: Sdk) => Promise<T>) => Promise<T>

/** A client that is made when it is first used. Long polls (`polling`) want one of their own. */
export function laterQueues(options: ClientOptions, { polling = false } = {}): Queues {
  let loading: Promise<{ readonly client: SQSClient; readonly sdk: Sdk }> | undefined
  const load = async () => {
    const [sdk, { clientConfig, waitingClientConfig }] = await Promise.all([
      import('../sdk/sqs.ts'),
      import('../clients.ts'),
    ])
    return { sdk, client: new sdk.SQSClient(polling ? waitingClientConfig(options) : clientConfig(options)) }
  }
  return async (work) => {
    loading ??= load()
    const { client, sdk } = await loading
    return work(client, sdk)
  }
}
