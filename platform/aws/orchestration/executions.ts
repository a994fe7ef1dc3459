// Executions of the state machine: begun, asked after, and gone on with by their tokens.
import type { SFNClient } from '@aws-sdk/client-sfn'
import { asking, awsErrorName } from '../aws-error.ts'
import { executionName, type TurnOrder } from '../layout/index.ts'

/** How an execution stands. `ended`: by itself, however it ended; `aborted`: a person ended it. */
export type ExecutionState = 'running' | 'ended' | 'aborted' | 'none'

/** What is asked of Step Functions. */
export interface Executions {
  /** Begins one under its name; nothing where there is one of that name. */
  start(order: TurnOrder): Promise<void>
  state(order: Pick<TurnOrder, 'jid' | 'part'>): Promise<ExecutionState>
  /** Lets the execution that holds a token go on. A token that is not held any more is nobody's. */
  goOn(token: string): Promise<void>
}

/** A token's wait is over: it was returned, or timed out, or its execution ended. */
const spent = new Set(['TaskDoesNotExist', 'TaskTimedOut', 'InvalidToken'])

/** Those of the machine; the client is loaded when it is first used. */
export function openExecutions(machine: string): Executions {
  let loading: Promise<{ client: SFNClient; sdk: typeof import('../sdk/sfn.ts') }> | undefined
  const sfn = () => {
    loading ??= load()
    return loading
  }
  return {
    async start(order) {
      const { client, sdk } = await sfn()
      const command = new sdk.StartExecutionCommand({
        stateMachineArn: machine,
        name: executionName(order.jid, order.part),
        input: JSON.stringify(order),
      })
      await unless(['ExecutionAlreadyExists'], () => asking('an execution', () => client.send(command)))
    },
    async state({ jid, part }) {
      const { client, sdk } = await sfn()
      const name = executionName(jid, part)
      const executionArn = `${machine.replace(':stateMachine:', ':execution:')}:${name}`
      const command = new sdk.DescribeExecutionCommand({ executionArn })
      const found = await unless(['ExecutionDoesNotExist'], () => asking('an execution', () => client.send(command)))
      if (found === undefined) return 'none'
      if (found.status === 'ABORTED') return 'aborted'
      return found.status === 'RUNNING' ? 'running' : 'ended'
    },
    async goOn(token) {
      const { client, sdk } = await sfn()
      const command = new sdk.SendTaskSuccessCommand({ taskToken: token, output: '{}' })
      await unless([...spent], () => asking('an execution', () => client.send(command)))
    },
  }
}

async function load() {
  const [sdk, { clientConfig }] = await Promise.all([import('../sdk/sfn.ts'), import('../clients.ts')])
  return { sdk, client: new sdk.SFNClient(clientConfig({})) }
}

/** Undefined where AWS refuses for one of these reasons. */
async function unless<T>(names: readonly string[], ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (names.includes(awsErrorName(error))) return undefined
    throw error
  }
}
