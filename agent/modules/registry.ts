// All functions the agent has, by name.
import { matchingNames } from './matching-names.ts'
import type { ExecutionFunction, ExecutionModule } from './module.ts'

/** Functions by `module.function`, sorted. A module added later hides an earlier one's functions of the same name. */
export class Registry {
  #functions = new Map<string, { readonly fun: ExecutionFunction; readonly file: string }>()
  readonly #builtIn: readonly ExecutionModule[]

  constructor(modules: readonly ExecutionModule[]) {
    this.#builtIn = modules
    this.replaceCustom([])
  }

  /** Takes the user's modules in place of those taken before. */
  replaceCustom(modules: readonly ExecutionModule[]): void {
    const all: [string, { fun: ExecutionFunction; file: string }][] = []
    for (const { name, file, functions } of [...this.#builtIn, ...modules]) {
      for (const [short, fun] of Object.entries(functions)) all.push([`${name}.${short}`, { fun, file }])
    }
    const byName = new Map(all)
    this.#functions = new Map([...byName].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  get(name: string): ExecutionFunction | undefined {
    return this.#functions.get(name)?.fun
  }

  /** The file a function comes from, without its ending. */
  fileOf(name: string): string | undefined {
    return this.#functions.get(name)?.file
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
