// LocalClient: jobs for minions, as Salt's of that name.

import type { Published } from '../core/protocol/user.ts'
import { isMap, type Mapping, pythonTruth, size, type Value } from '../core/value/index.ts'
import { type Connection, loadOf } from './connection.ts'

/** A job's particulars beside target and function. */
export interface CommandOptions {
  readonly arg?: readonly Value[]
  readonly kwarg?: Mapping
  /** @default glob */
  readonly tgtType?: string
  /** Seconds to wait before the minions are asked whether they still run it. @default 5 */
  readonly timeout?: number
  /** Seconds to wait for their answers. @default 10 */
  readonly gatherJobTimeout?: number
  readonly ret?: string
  readonly metadata?: Mapping
  readonly jid?: string
  /** Seconds until a minion that is away must not start it any more. @default 300 */
  readonly expiresIn?: number
  readonly signal?: AbortSignal
}

/** What comes of a job, one minion at a time. */
export type Arrival =
  | { readonly kind: 'return'; readonly id: string; readonly load: Mapping }
  /** It neither returned nor said that it still runs the job. */
  | { readonly kind: 'silent'; readonly id: string }

/** Publishes jobs and gathers what comes back. */
export class LocalClient {
  readonly #connection: Connection
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Publishes and returns at once. `jid` is empty where no minion matched. */
  publish(tgt: string | string[], fun: string | string[], options: CommandOptions = {}): Promise<Published> {
    return this.#connection.publish({
      tgt,
      tgt_type: options.tgtType ?? 'glob',
      fun,
      arg: [...(options.arg ?? [])],
      ret: options.ret ?? '',
      expires_in: options.expiresIn ?? 300,
      ...(options.kwarg === undefined ? {} : { kwarg: options.kwarg }),
      ...(options.jid === undefined ? {} : { jid: options.jid }),
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
    })
  }

  /** The job's id, or empty where no minion matched. */
  async cmdAsync(tgt: string | string[], fun: string | string[], options: CommandOptions = {}): Promise<string> {
    return (await this.publish(tgt, fun, options)).jid
  }

  /** What each minion returned; one that stayed silent is left out, as in Salt. */
  async cmd(
    tgt: string | string[],
    fun: string | string[],
    options: CommandOptions = {},
  ): Promise<Record<string, Value>> {
    const returned: Record<string, Value> = {}
    for await (const arrival of this.gather(await this.publish(tgt, fun, options), options)) {
      if (arrival.kind === 'return') returned[arrival.id] = arrival.load.return ?? null
    }
    return returned
  }

  /**
   * Returns as they come. After `timeout` those that are left are asked with `saltutil.find_job`; whoever still runs the
   * job is waited for, whoever does not answer within `gatherJobTimeout` is `silent`.
   */
  async *gather(published: Published, options: CommandOptions = {}): AsyncGenerator<Arrival> {
    if (published.jid === '') return
    const prefix = `salt/job/${published.jid}/ret/`
    const left = new Set(published.minions)
    const stop = new AbortController()
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal])
    const events = await this.#connection.watch({ tag: `${prefix}*`, since: published.cursor }, signal)
    const iterator = events[Symbol.asyncIterator]()
    const timeout = (options.timeout ?? 5) * 1000
    const gather = (options.gatherJobTimeout ?? 10) * 1000
    let next = iterator.next()
    let asked: Promise<ReadonlySet<string>> | undefined
    let deadline = Date.now() + timeout
    try {
      while (left.size > 0) {
        const late = delay(Math.max(0, deadline - Date.now()))
        const turn = await Promise.race([
          next.then((result) => ({ result })),
          late.then(() => 'late' as const),
          ...(asked === undefined ? [] : [asked.then((running) => ({ running }))]),
        ])
        late.cancel()
        if (turn === 'late') {
          // Not one of them said in time that it still runs the job.
          if (asked !== undefined) break
          asked = this.#stillRunning(published.jid, [...left], gather)
          deadline = Date.now() + gather
        } else if ('running' in turn) {
          asked = undefined
          if (turn.running.size === 0) break
          deadline = Date.now() + timeout
        } else {
          if (turn.result.done === true) break
          next = iterator.next()
          const id = turn.result.value.tag.slice(prefix.length)
          if (left.delete(id)) yield { kind: 'return', id, load: loadOf(turn.result.value) }
        }
      }
      for (const id of [...left].sort()) yield { kind: 'silent', id }
    } finally {
      stop.abort()
      // The read under way ends with the stream; nobody waits for it any more.
      next.catch(() => undefined)
    }
  }

  /** Who of the minions answers that it runs the job. */
  async #stillRunning(jid: string, minions: string[], milliseconds: number): Promise<ReadonlySet<string>> {
    const published = await this.publish(minions, 'saltutil.find_job', {
      tgtType: 'list',
      arg: [jid],
      expiresIn: milliseconds / 1000,
    })
    const running = new Set<string>()
    const left = new Set(published.minions)
    const signal = AbortSignal.timeout(milliseconds)
    const prefix = `salt/job/${published.jid}/ret/`
    for await (const event of await this.#connection.watch({ tag: `${prefix}*`, since: published.cursor }, signal)) {
      const id = event.tag.slice(prefix.length)
      left.delete(id)
      const found = loadOf(event).return ?? null
      if (isMap(found) ? size(found) > 0 : pythonTruth(found)) running.add(id)
      if (left.size === 0) break
    }
    return running
  }
}

/** A timer that can be given up. */
function delay(milliseconds: number): Promise<void> & { cancel: () => void } {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  return Object.assign(promise, { cancel: () => clearTimeout(timer) })
}
