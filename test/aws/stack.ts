// The real CDK app on the emulator: deployed under a name of its own, found by its outputs, destroyed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation'
import { ROOT } from '../system/built.ts'
import { runProgram } from '../system/process.ts'
import { emulatorClients } from './resources.ts'

/** The account that emulators have. */
export const account = '000000000000'
export const region = 'us-east-1'

/** A stack that stands. */
export interface DeployedStack {
  readonly name: string
  readonly outputs: Readonly<Record<string, string>>
  /** `cdk destroy`; throws where it fails. */
  destroy(): Promise<void>
}

/** Values of the app's context, as `-c brine:NAME=VALUE` gives them. */
export type AppContext = Readonly<Record<string, string | number | boolean>>

/** Milliseconds for one cdk command: it synthesises, and the emulator makes a hundred resources; three times that on a busy machine. */
const patience = 400_000
const cdk = join(ROOT, 'node_modules/aws-cdk/bin/cdk')

const common = ['--ci', '--no-notices']

/** `cdk bootstrap` where nobody did it yet: once, before anything is deployed, for two at a time undo each other. */
export async function bootstrap(): Promise<void> {
  if (await isBootstrapped()) return
  // Where there is no cdk.json nothing is synthesised for it.
  const folder = mkdtempSync(join(tmpdir(), 'brine-cdk-'))
  await run(['bootstrap', `aws://${account}/${region}`, ...common], folder)
  rmSync(folder, { recursive: true, force: true })
}

/** `cdk deploy`, after {@link bootstrap}. Throws with what cdk said where it fails. */
export async function deployStack(name: string, context: AppContext = {}): Promise<DeployedStack> {
  const folder = mkdtempSync(join(tmpdir(), 'brine-cdk-'))
  const values = Object.entries({ ...context, stack: name }).flatMap(([key, value]) => ['-c', `brine:${key}=${value}`])
  const made = join(folder, 'out')
  const file = join(folder, 'outputs.json')
  const outputs = ['--outputs-file', file, '--output', made]
  await run(['deploy', '--all', '--require-approval', 'never', ...outputs, ...common, ...values])
  return {
    name,
    outputs: JSON.parse(readFileSync(file, 'utf8'))[name],
    async destroy() {
      await run(['destroy', '--all', '--force', '--app', made, ...common])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function run(args: readonly string[], cwd = ROOT): Promise<void> {
  const { endpoint } = emulatorClients()
  const { exit, stdout, stderr } = await runProgram(process.execPath, [cdk, ...args], {
    cwd,
    timeout: patience,
    env: { AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_S3: endpoint },
  })
  if (exit === 0) return
  const said = `${stdout}${stderr}`.split('\n').slice(-40).join('\n')
  throw new Error(`cdk ${args[0]} ended with ${exit}:\n${said}`)
}

async function isBootstrapped(): Promise<boolean> {
  const client = new CloudFormationClient(emulatorClients())
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: 'CDKToolkit' }))
    return Stacks[0]?.StackStatus?.endsWith('_COMPLETE') === true && !Stacks[0].StackStatus.startsWith('DELETE')
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError') return false
    throw error
  } finally {
    client.destroy()
  }
}
