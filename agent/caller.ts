// Salt's Caller: a minion's functions for programs on the same machine.
import type { Mapping, Value } from '../core/value/index.ts'
import { type CallAgent, type CallOptions, openCall } from './call.ts'
import { type Outside, systemOutside } from './outside.ts'
import type { AgentSetup } from './settings.ts'

/** Opens when it is first used. `close` it at the end, or the program goes on. */
export class Caller {
  readonly #setup: AgentSetup
  readonly #options: CallOptions
  readonly #outside: Outside
  #agent: Promise<CallAgent> | undefined

  constructor(setup: AgentSetup, options: CallOptions = {}, outside: Outside = systemOutside()) {
    this.#setup = setup
    this.#options = options
    this.#outside = outside
  }

  /** Runs a function with positional arguments: `cmd('event.send', 'myco/tag', { success: true })`. Throws where it fails. */
  cmd(fun: string, ...args: readonly Value[]): Promise<Value> {
    return this.call(fun, args)
  }

  /** Runs a function with positional and keyword arguments. */
  async call(fun: string, args: readonly Value[] = [], kwargs: Mapping = {}): Promise<Value> {
    this.#agent ??= openCall(this.#setup, this.#options, this.#outside)
    try {
      return await (await this.#agent).cmd(fun, args, kwargs)
    } catch (error) {
      // A caller that could not be opened is tried anew the next time.
      if (
        await this.#agent.then(
          () => false,
          () => true,
        )
      )
        this.#agent = undefined
      throw error
    }
  }

  async close(): Promise<void> {
    await (await this.#agent)?.close()
    this.#agent = undefined
  }
}
