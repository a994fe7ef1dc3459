// Caller: a minion's functions for programs on its machine, as Salt's of that name.
import type { Mapping, Value } from '../core/value/index.ts'

/** Whose functions: the minion of a folder's configuration. */
export interface CallerOptions {
  /** @default where the commands look: `/etc/brine`, or the user's own folder */
  readonly configDir?: string
}

/** Opens when it is first used, and speaks to the master as the minion, with its key. `close` it at the end. */
export class Caller {
  readonly #options: CallerOptions
  #opened: Promise<import('../agent/index.ts').Caller> | undefined

  constructor(options: CallerOptions = {}) {
    this.#options = options
  }

  /**
   * Runs a function with positional arguments and answers what it returned. `event.send` answers true once the event stands
   * in the minion's journal, from where it reaches the master even if that is away now. Throws where the function fails.
   */
  async cmd(fun: string, ...args: readonly Value[]): Promise<Value> {
    return (await this.#open()).cmd(fun, ...args)
  }

  /** The same with keywords. */
  async call(fun: string, args: readonly Value[] = [], kwargs: Mapping = {}): Promise<Value> {
    return (await this.#open()).call(fun, args, kwargs)
  }

  /** Sends what waits, and ends. */
  async close(): Promise<void> {
    await (await this.#opened)?.close()
    this.#opened = undefined
  }

  #open(): Promise<import('../agent/index.ts').Caller> {
    // The agent is large: programs that only watch or publish do without it.
    this.#opened ??= Promise.all([import('../agent/index.ts'), import('./configuration.ts')]).then(
      async ([agent, { minionConfig }]) =>
        new agent.Caller(await minionConfig(this.#options, process.env, false, () => undefined)),
    )
    return this.#opened
  }
}
