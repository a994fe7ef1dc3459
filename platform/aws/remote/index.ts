// What commands on any machine need to reach a master on AWS; nothing here loads the SDK before it is used.
export { type GatewayInvoker, gatewayInvoker } from './invoke.ts'
export { type StackOutputs, stackOutputs } from './stack.ts'
