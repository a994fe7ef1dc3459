// Every state module the agent brings along, but `test`, which it shares with orchestration.
import type { StateModule } from './state-module.ts'

/** The built-in state modules; a new one adds its line here. */
export const builtInStates: readonly StateModule[] = []
