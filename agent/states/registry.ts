// All state functions the agent has, by name.
import { matchingNames } from '../modules/matching-names.ts'
import type { AgentState, StateModule } from './state-module.ts'

/** State functions by `module.function`, sorted. A module added later hides an earlier one's functions of the same name. */
export class StateRegistry {
  #functions = new Map<string, AgentState>()
  readonly #builtIn: readonly StateModule[]

  constructor(modules: readonly StateModule[]) {
    this.#builtIn = modules
    this.replaceCustom([])
  }

  /** Takes the user's modules in place of those taken before. */
  replaceCustom(modules: readonly StateModule[]): void {
    const all = [...this.#builtIn, ...modules].flatMap(({ name, functions }) =>
      Object.entries(functions).map(([short, state]) => [`${name}.${short}`, state] as const),
    )
    this.#functions = new Map([...new Map(all)].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  get(name: string): AgentState | undefined {
    return this.#functions.get(name)
  }

  /** Every name, sorted. */
  names(): string[] {
    return [...this.#functions.keys()]
  }

  /** Names a shell pattern matches; a bare module's name stands for its functions. */
  matching(pattern: string): string[] {
    return matchingNames(this.names(), pattern)
  }
}
