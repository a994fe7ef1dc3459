// Calls of Lambda functions, for the runner `lambda.invoke`.
import type { InvokeLambda } from '../../master/runners/lambda.ts'
import { asking } from './aws-error.ts'
import type { ClientOptions } from './clients.ts'

/** Calls with the credentials of the environment; the SDK is loaded at the first call. A call is never made twice. */
export function lambdaCalls(options: ClientOptions = {}): InvokeLambda {
  let loading: Promise<import('@aws-sdk/client-lambda').LambdaClient> | undefined
  const load = async () => {
    const [{ LambdaClient }, { longClientConfig }] = await Promise.all([
      import('./sdk/lambda.ts'),
      import('./clients.ts'),
    ])
    return new LambdaClient(longClientConfig(options))
  }
  return async ({ name, qualifier, payload, detached }) => {
    loading ??= load()
    const [client, { InvokeCommand }] = await Promise.all([loading, import('./sdk/lambda.ts')])
    const command = new InvokeCommand({
      FunctionName: name,
      InvocationType: detached ? 'Event' : 'RequestResponse',
      Payload: Buffer.from(payload),
      ...(qualifier === undefined ? {} : { Qualifier: qualifier }),
    })
    const { StatusCode, Payload, FunctionError, ExecutedVersion } = await asking(`the function ${name}`, () =>
      client.send(command),
    )
    return {
      status: StatusCode ?? 0,
      payload: Buffer.from(Payload ?? []).toString(),
      ...(FunctionError === undefined ? {} : { error: FunctionError }),
      ...(ExecutedVersion === undefined ? {} : { version: ExecutedVersion }),
    }
  }
}
