// Finds a deployed master by the name of its stack, with the AWS credentials of whoever asks.
import { BrineError, messageOf } from '../../../core/error.ts'
import { awsErrorName } from '../aws-error.ts'
import type { ClientOptions } from '../clients.ts'

/** The outputs of a stack that a command works with. */
export interface StackOutputs {
  /** The bootstrap URL. */
  readonly url: string
  /** The function that is invoked with IAM's leave. */
  readonly gateway: string
}

/**
 * Reads the outputs. Throws a BrineError `stack` that says what to do where there is no such stack, no leave, or no region,
 * and where the stack is no master's.
 */
export async function stackOutputs(name: string, options: ClientOptions = {}): Promise<StackOutputs> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation')
  const { clientConfig } = await import('../clients.ts')
  const client = new CloudFormationClient(clientConfig(options))
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name }))
    const outputs = new Map(Stacks[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]))
    const url = outputs.get('ApiUrl')
    const gateway = outputs.get('GatewayFunction')
    if (url !== undefined && gateway !== undefined) return { url, gateway }
    throw new BrineError(
      `The stack ${name} has no outputs ApiUrl and GatewayFunction: it is no Brine master's. \`aws cloudformation describe-stacks\` lists the stacks of this account and region.`,
      { code: 'stack' },
    )
  } catch (error) {
    if (error instanceof BrineError) throw error
    throw new BrineError(`The stack ${name} cannot be read: ${reasonOf(error, name)}`, { code: 'stack', cause: error })
  } finally {
    client.destroy()
  }
}

function reasonOf(error: unknown, name: string): string {
  switch (awsErrorName(error)) {
    case 'ValidationError':
      return `there is no stack ${name} in this account and region. Choose them with AWS_PROFILE and AWS_REGION.`
    case 'CredentialsProviderError':
      return `there are no AWS credentials (${messageOf(error)}). Set AWS_PROFILE, or log in with \`aws sso login\`.`
    case 'AccessDenied':
    case 'AccessDeniedException':
      return `${messageOf(error)}. It takes cloudformation:DescribeStacks and lambda:InvokeFunction.`
    default:
      return `${messageOf(error)}. Region and endpoint come from AWS_REGION, AWS_PROFILE and AWS_ENDPOINT_URL.`
  }
}
