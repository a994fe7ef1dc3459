// Clouds: machines made, asked for, changed and ended, as Salt Cloud does, on EC2.
export { type Cloud, type CloudNeeds, createCloud } from './cloud.ts'
export type * from './ports.ts'
export { agentPath } from './ports.ts'
