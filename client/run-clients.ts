// RunnerClient and WheelClient: functions of the master, as Salt's of these names.
import { BrineError } from '../core/error.ts'
import { type Mapping, pythonStr, type Value } from '../core/value/index.ts'
import type { Connection } from './connection.ts'

/** Where a run that goes on by itself tells how it ended: the event `<tag>/ret`. */
export interface StartedRun {
  readonly jid: string
  readonly tag: string
}

/** A run that failed: `code` is `missing` (no such function), `arguments` or `exception`; the message is the master's. */
export class RunFailed extends BrineError {
  readonly jid: string
  constructor(message: string, code: string, jid: string) {
    super(message, { code })
    this.jid = jid
  }
}

class RunClient {
  readonly #connection: Connection
  readonly #client: 'runner' | 'wheel'

  constructor(connection: Connection, client: 'runner' | 'wheel') {
    this.#connection = connection
    this.#client = client
  }

  /** Runs a function and waits: what it returned. Rejects with {@link RunFailed} where it did not end well. */
  async cmd(fun: string, arg: readonly Value[] = [], kwarg: Mapping = {}): Promise<Value> {
    const answer = await this.#connection.run({ client: this.#client, fun, arg: [...arg], kwarg })
    const returned = answer.return ?? null
    if (answer.failure === undefined) return returned
    throw new RunFailed(pythonStr(returned), answer.failure, answer.jid)
  }

  /** Starts it and comes back at once. */
  async cmdAsync(fun: string, arg: readonly Value[] = [], kwarg: Mapping = {}): Promise<StartedRun> {
    const { jid, tag } = await this.#connection.run({ client: this.#client, fun, arg: [...arg], kwarg, async: true })
    return { jid, tag }
  }
}

/** Runs runners. */
export class RunnerClient extends RunClient {
  constructor(connection: Connection) {
    super(connection, 'runner')
  }
}

/** Runs wheel functions. */
export class WheelClient extends RunClient {
  constructor(connection: Connection) {
    super(connection, 'wheel')
  }
}
