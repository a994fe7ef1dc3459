// A master on AWS, found by its stack's name and reached with the user's AWS credentials.
import { type Connection, connectOver, transportOver } from '../../client/index.ts'
import { gatewayInvoker, stackOutputs } from '../../platform/aws/remote/index.ts'

/** Finds the stack and connects. Throws a BrineError `stack` that says what to do where it cannot. */
export async function connectToStack(name: string): Promise<Connection> {
  const { gateway } = await stackOutputs(name)
  const invoker = gatewayInvoker(gateway)
  return connectOver(
    transportOver(
      (request, signal) => invoker.ask(request, signal),
      () => invoker.close(),
    ),
  )
}
