// The deployed store, opened in the test's own process over what a function's environment says.
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { placesIn } from '../../platform/aws/deploy/environment.ts'
import { type AwsStore, openAwsStore } from '../../platform/aws/index.ts'
import { emulatorClients } from './resources.ts'
import type { DeployedStack } from './stack.ts'

/** What the gateway's environment says. */
export async function environmentOf({ outputs }: DeployedStack): Promise<Readonly<Record<string, string>>> {
  const client = new LambdaClient(emulatorClients())
  const { Environment } = await client.send(
    new GetFunctionConfigurationCommand({ FunctionName: outputs.GatewayFunction }),
  )
  client.destroy()
  return Environment?.Variables ?? {}
}

/** The store of a deployment. */
export async function storeOf(stack: DeployedStack): Promise<AwsStore> {
  return openAwsStore({ places: placesIn(await environmentOf(stack)), clients: emulatorClients() })
}
