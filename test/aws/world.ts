// The end-to-end suite's world on AWS: the deployed app, agents as real processes, commands by IAM's Invoke.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectOver, transportOver } from '../../client/index.ts'
import { gatewayInvoker } from '../../platform/aws/remote/index.ts'
import { minionsAt } from '../e2e/minions.ts'
import { watchFrom } from '../e2e/watcher.ts'
import { reactorFolder, saltFolder, type World } from '../e2e/world.ts'
import { emulatorClients } from './resources.ts'
import { type AppContext, type DeployedStack, deployStack } from './stack.ts'

/** A world with the stack it stands on. */
export interface AwsWorld extends World {
  readonly stack: DeployedStack
}

/** Invocations of each function at once: a watcher's window holds one of the gateway's for as long as nothing happens. */
const concurrency = 8

/** Deploys the app with the suite's reactors; `close` destroys it, once however often it is called. */
export async function awsWorld(name: string, context: AppContext = {}): Promise<AwsWorld> {
  const stack = await deployStack(name, {
    reactors: reactorFolder,
    fileRoots: saltFolder,
    runners: join(saltFolder, '_runners'),
    concurrency,
    ...context,
  })
  const root = mkdtempSync(join(tmpdir(), 'brine-aws-'))
  const invoker = gatewayInvoker(stack.outputs.GatewayFunction ?? '', emulatorClients())
  const connection = connectOver(transportOver((request, signal) => invoker.ask(request, signal), invoker.close))
  const watcher = await watchFrom(connection)
  const minions = await minionsAt(root, { url: stack.outputs.ApiUrl ?? '' })
  const end = async (): Promise<void> => {
    await minions.stopAll()
    await watcher.stop()
    connection.close()
    await stack.destroy()
    rmSync(root, { recursive: true, force: true })
  }
  let ended: Promise<void> | undefined
  return {
    stack,
    connection,
    events: watcher.events,
    mark: () => watcher.events.length,
    keepsOrder: false,
    waitForEvent: watcher.waitForEvent,
    startMinion: minions.start,
    call: minions.call,
    close() {
      ended ??= end()
      return ended
    },
  }
}
