// The agent: the minion, what runs functions in its place, and its bus.

export { CallAgent, type CallOptions, type CallRequest, type CallResult, openCall } from './call.ts'
export { Caller } from './caller.ts'
export { loadKeys, pemFinger } from './keys.ts'
export { localBusAddress } from './local-bus/address.ts'
export { connectLocalBus, type LocalBusClient } from './local-bus/client.ts'
export type { LocalEvent } from './local-bus/framing.ts'
export { createMinion, type Minion } from './minion.ts'
export { type Log, type Outside, silentLog, systemOutside } from './outside.ts'
export { type AgentSettings, type AgentSetup, settingsOf } from './settings.ts'
export { brineVersion, saltVersion } from './version.ts'
