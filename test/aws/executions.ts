// Executions of a deployed stack's state machine, as the AWS console would show them.
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { variables } from '../../platform/aws/layout/index.ts'
import { emulatorClients } from './resources.ts'
import type { DeployedStack } from './stack.ts'

/** What a test asks of Step Functions. */
export interface Machine {
  /** The name of the function that takes turns. */
  readonly turnFunction: string
  /** `RUNNING`, `SUCCEEDED`, `FAILED`, `ABORTED`; undefined where there is none of the name. */
  status(name: string): Promise<string | undefined>
  input(name: string): Promise<unknown>
  /** How often each state was entered. */
  states(name: string): Promise<Readonly<Record<string, number>>>
  start(name: string, input: object): Promise<void>
  stop(name: string): Promise<void>
}

/** The machine of a stack. */
export async function machineOf({ outputs }: DeployedStack): Promise<Machine> {
  const functions = new LambdaClient(emulatorClients())
  const asked = new GetFunctionConfigurationCommand({ FunctionName: outputs.GatewayFunction })
  const { Environment } = await functions.send(asked)
  functions.destroy()
  const stateMachineArn = Environment?.Variables?.[variables.stateMachine] ?? ''
  const client = new SFNClient(emulatorClients())
  const { definition = '' } = await client.send(new DescribeStateMachineCommand({ stateMachineArn }))
  const turnFunction = /:function:([\w-]+)/.exec(definition)?.[1] ?? ''
  const arnOf = (name: string): string => `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`
  const describe = (name: string) => client.send(new DescribeExecutionCommand({ executionArn: arnOf(name) }))
  return {
    turnFunction,
    async status(name) {
      try {
        return (await describe(name)).status
      } catch (error) {
        if (error instanceof Error && error.name === 'ExecutionDoesNotExist') return undefined
        throw error
      }
    },
    input: async (name) => JSON.parse((await describe(name)).input ?? 'null'),
    async states(name) {
      const counts: Record<string, number> = {}
      let nextToken: string | undefined
      do {
        const page = await client.send(
          new GetExecutionHistoryCommand({
            executionArn: arnOf(name),
            maxResults: 1000,
            ...(nextToken === undefined ? {} : { nextToken }),
          }),
        )
        for (const { stateEnteredEventDetails } of page.events ?? []) {
          const state = stateEnteredEventDetails?.name
          if (state !== undefined) counts[state] = (counts[state] ?? 0) + 1
        }
        nextToken = page.nextToken
      } while (nextToken !== undefined)
      return counts
    },
    async start(name, input) {
      await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }))
    },
    async stop(name) {
      await client.send(new StopExecutionCommand({ executionArn: arnOf(name) }))
    },
  }
}
