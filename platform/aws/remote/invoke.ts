// Requests to a deployed master by invoking its gateway's function: whoever IAM lets invoke it needs no token.
import type { LambdaClient } from '@aws-sdk/client-lambda'
import { BrineError, messageOf } from '../../../core/error.ts'
import { type InvokeAnswer, InvokeAnswerSchema, type InvokeRequest } from '../../../core/protocol/index.ts'
import { asking, awsErrorName } from '../aws-error.ts'
import type { ClientOptions } from '../clients.ts'

/** Invokes one function. */
export interface GatewayInvoker {
  /** Rejects with a BrineError `stack` where AWS does not let it, or the function fails. */
  ask(request: Omit<InvokeRequest, 'brine'>, signal?: AbortSignal): Promise<InvokeAnswer>
  close(): void
}

/** An invoker of the function; the SDK is loaded at the first request. */
export function gatewayInvoker(functionName: string, options: ClientOptions = {}): GatewayInvoker {
  let loading: Promise<LambdaClient> | undefined
  const load = async (): Promise<LambdaClient> => {
    const [{ LambdaClient: Client }, { waitingClientConfig }] = await Promise.all([
      import('@aws-sdk/client-lambda'),
      import('../clients.ts'),
    ])
    return new Client(waitingClientConfig(options))
  }
  return {
    async ask(request, signal) {
      loading ??= load()
      const [client, { InvokeCommand }] = await Promise.all([loading, import('@aws-sdk/client-lambda')])
      const command = new InvokeCommand({
        FunctionName: functionName,
        Payload: Buffer.from(JSON.stringify({ brine: 1, ...request } satisfies InvokeRequest)),
      })
      const { Payload, FunctionError } = await invoke(functionName, () =>
        client.send(command, signal === undefined ? {} : { abortSignal: signal }),
      )
      const text = Buffer.from(Payload ?? []).toString()
      if (FunctionError !== undefined)
        throw new BrineError(
          `The function ${functionName} failed: ${text.slice(0, 500)}. Its log in CloudWatch says more.`,
          {
            code: 'stack',
          },
        )
      const answer = InvokeAnswerSchema.safeParse(JSON.parse(text))
      if (answer.success) return answer.data
      throw new BrineError(
        `The function ${functionName} answers what is not understood (${text.slice(0, 200)}). Is it of this version?`,
        { code: 'stack' },
      )
    },
    close() {
      void loading?.then((client) => client.destroy())
    },
  }
}

async function invoke<T>(functionName: string, send: () => Promise<T>): Promise<T> {
  try {
    return await asking(`the function ${functionName}`, send)
  } catch (error) {
    if (awsErrorName(error) !== 'AccessDeniedException') throw error
    throw new BrineError(
      `AWS does not let you invoke ${functionName}: ${messageOf(error)}. Ask for lambda:InvokeFunction on it.`,
      { code: 'stack', cause: error },
    )
  }
}
