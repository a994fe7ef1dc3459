// `npx cdk deploy`: one master in one stack, on AWS or on whatever answers at AWS_ENDPOINT_URL.
import { App, CfnOutput, Stack } from 'aws-cdk-lib'
import { propsOf, requireKnown } from './app-context.ts'
import { BrineMaster } from './brine-master.ts'

const app = new App()
const prefix = 'brine:'
requireKnown(
  Object.keys(app.node.getAllContext())
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length)),
)
const context = (name: string): unknown => app.node.tryGetContext(prefix + name)
const stack = new Stack(app, String(context('stack') ?? 'Brine'), {
  description: 'Brine: event bus, reactor and API of a fleet, without a Salt master',
})
const master = new BrineMaster(stack, 'Master', propsOf(context, stack, process.env.AWS_ENDPOINT_URL))

const outputs = {
  ApiUrl: { value: master.url, description: 'What minions have as master, and the commands as --master' },
  SocketUrl: { value: master.socketUrl, description: 'Where doorbells and watchers connect' },
  BusName: { value: master.bus.eventBusName, description: 'Where to put events of your own, source brine.custom' },
  GatewayFunction: { value: master.functions.gateway.functionName, description: 'What the commands invoke with IAM' },
  FingerParameter: {
    value: master.fingerParameter.parameterName,
    description: 'The finger of the signing key, for master_finger',
  },
}
for (const [id, output] of Object.entries(outputs)) new CfnOutput(stack, id, output)
