// What commands on any machine need to reach a master on AWS; nothing here loads the SDK before it is used.
export { gatewayInvoker } from './invoke.ts'
export { stackOutputs } from './stack.ts'
