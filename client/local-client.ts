// LocalClient: jobs for minions, as Salt's of that name.

import { BrineError } from '../core/error.ts'
import type { Published } from '../core/protocol/user.ts'
import { isMap, isMapping, type Mapping, pythonStr, pythonTruth, size, type Value } from '../core/value/index.ts'
import { type Connection, loadOf } from './connection.ts'

/** A job's particulars beside target and function. */
export interface CommandOptions {
  readonly arg?: readonly Value[]
  readonly kwarg?: Mapping
  /** @default glob */
  readonly tgtType?: string
  /** Between the keys of a grain or pillar target. @default : */
  readonly delimiter?: string
  /** Seconds to wait before the minions are asked whether they still run it. @default 5 */
  readonly timeout?: number
  /** Seconds to wait for their answers. @default 10 */
  readonly gatherJobTimeout?: number
  /** Returners, separated by commas. */
  readonly ret?: string
  /** The alternative configuration of these, and options that override it. */
  readonly retConfig?: string
  readonly retKwargs?: Mapping
  readonly metadata?: Mapping
  readonly jid?: string
  /** Seconds until a minion that is away must not start it any more. @default 300 */
  readonly expiresIn?: number
  readonly signal?: AbortSignal
}

/** How a batch goes. */
export interface BatchOptions extends CommandOptions {
  /** How many minions at a time: a number, or a share as `25%`. @default 10% */
  readonly batch?: number | string
  /** Seconds to wait after each minion. */
  readonly batchWait?: number
  /** Start no more where a minion fails. */
  readonly failhard?: boolean
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
      ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
      fun,
      arg: [...(options.arg ?? [])],
      ret: options.ret ?? '',
      ...(options.retConfig === undefined ? {} : { ret_config: options.retConfig }),
      ...(options.retKwargs === undefined ? {} : { ret_kwargs: options.retKwargs }),
      expires_in: options.expiresIn ?? 300,
      ...(options.kwarg === undefined ? {} : { kwarg: options.kwarg }),
      ...(options.jid === undefined ? {} : { jid: options.jid }),
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
    })
  }

  /** The minions that a target means now; nothing is published. */
  async preview(tgt: string | string[], options: CommandOptions = {}): Promise<readonly string[]> {
    const { tgtType = 'glob', delimiter } = options
    const more = delimiter === undefined ? {} : { delimiter }
    return (await this.#connection.publish({ tgt, tgt_type: tgtType, ...more, fun: 'test.ping', preview: true }))
      .minions
  }

  /** The job's id, or empty where no minion matched. */
  async cmdAsync(tgt: string | string[], fun: string | string[], options: CommandOptions = {}): Promise<string> {
    return (await this.publish(tgt, fun, options)).jid
  }

  /** Who was asked, and the job's id: Salt's `run_job`. */
  async runJob(
    tgt: string | string[],
    fun: string | string[],
    options: CommandOptions = {},
  ): Promise<{ jid: string; minions: readonly string[] }> {
    const { jid, minions } = await this.publish(tgt, fun, options)
    return { jid, minions }
  }

  /** What each minion returned, as it comes: `{id: {ret, retcode, jid, …}}`. */
  async *cmdIter(
    tgt: string | string[],
    fun: string | string[],
    options: CommandOptions = {},
  ): AsyncGenerator<Record<string, Mapping>> {
    for await (const arrival of this.gather(await this.publish(tgt, fun, options), options)) {
      if (arrival.kind === 'return') yield { [arrival.id]: returnOf(arrival.load) }
    }
  }

  /** The same, with null whenever nothing came for a tenth of a second, so that one can do something else meanwhile. */
  async *cmdIterNoBlock(
    tgt: string | string[],
    fun: string | string[],
    options: CommandOptions = {},
  ): AsyncGenerator<Record<string, Mapping> | null> {
    const returns = this.cmdIter(tgt, fun, options)
    let next = returns.next()
    try {
      for (;;) {
        const late = delay(100)
        const turn = await Promise.race([next, late.then(() => undefined)])
        late.cancel()
        if (turn === undefined) yield null
        else if (turn.done === true) return
        else {
          yield turn.value
          next = returns.next()
        }
      }
    } finally {
      // A read under way ends when the stream does; nobody waits for it any more.
      next.catch(() => undefined)
      void returns.return(undefined).catch(() => undefined)
    }
  }

  /** A job for some minions at a time; those that answer a ping take part. Each gets a job of its own. */
  async *cmdBatch(
    tgt: string | string[],
    fun: string | string[],
    options: BatchOptions = {},
  ): AsyncGenerator<Record<string, Value>> {
    const { arg: _, kwarg: __, jid: ___, ...plain } = options
    const left = Object.keys(await this.cmd(tgt, 'test.ping', plain)).sort()
    const size = batchSize(String(options.batch ?? '10%'), left.length)
    const running = new Map<string, Promise<{ id: string; load: Mapping | undefined }>>()
    for (let failed = false; (left.length > 0 && !failed) || running.size > 0; ) {
      while (running.size < size && left.length > 0 && !failed) {
        const id = left.shift() ?? ''
        running.set(id, this.#one(id, fun, { ...options, tgtType: 'list' }))
      }
      const { id, load } = await Promise.race(running.values())
      running.delete(id)
      failed ||= options.failhard === true && (load === undefined || Number(load.retcode ?? 0) !== 0)
      if (load !== undefined) yield { [id]: load.return ?? null }
    }
  }

  /** A job for some of the target, drawn at random from those that have the function. @param subset How many. */
  async cmdSubset(
    tgt: string | string[],
    fun: string,
    options: CommandOptions & { readonly subset?: number } = {},
  ): Promise<Record<string, Value>> {
    const { arg: _, kwarg: __, jid: ___, ...plain } = options
    const functions = await this.cmd(tgt, 'sys.list_functions', plain)
    const able = Object.keys(functions).filter((id) => {
      const names = functions[id]
      return Array.isArray(names) && names.includes(fun)
    })
    const chosen: string[] = []
    while (able.length > 0 && chosen.length < (options.subset ?? 3))
      chosen.push(...able.splice(Math.floor(Math.random() * able.length), 1))
    return chosen.length === 0 ? {} : this.cmd(chosen, fun, { ...options, tgtType: 'list' })
  }

  /** What is kept of a job: `{id: {ret, retcode, …}}`. Rejects with `no-job` for one that is not known. */
  async getCacheReturns(jid: string): Promise<Record<string, Mapping>> {
    return Object.fromEntries((await this.#kept(jid)).map(([id, load]) => [id, returnOf(load)]))
  }

  async #kept(jid: string): Promise<[id: string, load: Mapping][]> {
    const { returns } = await this.#connection.job(jid)
    return (Array.isArray(returns) ? returns : []).flatMap((each): [string, Mapping][] =>
      isMapping(each) && isMapping(each.load) ? [[pythonStr(each.id ?? ''), each.load]] : [],
    )
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
      // Nobody is at it any more, or says so: what came meanwhile is kept, although the stream may be behind. Who may not
      // ask for it is told what he heard.
      const kept = left.size === 0 ? [] : await this.#kept(published.jid).catch((): [string, Mapping][] => [])
      for (const [id, load] of kept) if (left.delete(id)) yield { kind: 'return', id, load }
      for (const id of [...left].sort()) yield { kind: 'silent', id }
    } finally {
      stop.abort()
      // The read under way ends with the stream; nobody waits for it any more.
      next.catch(() => undefined)
    }
  }

  async #one(
    id: string,
    fun: string | string[],
    options: BatchOptions,
  ): Promise<{ id: string; load: Mapping | undefined }> {
    let load: Mapping | undefined
    for await (const arrival of this.gather(await this.publish([id], fun, options), options))
      if (arrival.kind === 'return') load = arrival.load
    if (options.batchWait !== undefined) await delay(options.batchWait * 1000)
    return { id, load }
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

/** A load as Salt's clients hand it on: the return is `ret`. */
function returnOf({ return: ret = null, retcode = 0, jid = '', out }: Mapping): Mapping {
  return { ret, retcode, jid, ...(out === undefined ? {} : { out }) }
}

/** How many minions a batch has at a time. Throws for what is no number and no share. */
export function batchSize(text: string, minions: number): number {
  const percent = /^%?(\d+(?:\.\d+)?)%?$/.exec(text)
  const number = Number(percent?.[1])
  // A share may be a fraction, a number of minions not.
  if (percent === null || number <= 0 || !(text.includes('%') || Number.isInteger(number))) {
    throw new BrineError(`Invalid batch data sent: ${text}\nData must be in the form of %10, 10% or 3`, {
      code: 'usage',
    })
  }
  if (!text.includes('%')) return Math.max(1, Math.floor(number))
  const share = (number / 100) * minions
  return share < 1 ? Math.ceil(share) : Math.floor(share)
}

/** A timer that can be given up. */
function delay(milliseconds: number): Promise<void> & { cancel: () => void } {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  return Object.assign(promise, { cancel: () => clearTimeout(timer) })
}
