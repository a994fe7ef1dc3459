// Runs functions in the minion's place, in a process of its own: `brine-call`, and the library's Caller.
import { join } from 'node:path'
import { docstring } from '../core/arguments/index.ts'
import { BrineError } from '../core/error.ts'
import { jidOf } from '../core/event/jid.ts'
import type { Mapping, Value } from '../core/value/index.ts'
import { CallMaster } from './call-master.ts'
import { MasterClock } from './connection/master-clock.ts'
import { loadKeys, pemFinger, removeKeys } from './keys.ts'
import { createLink } from './link.ts'
import { localBusAddress } from './local-bus/address.ts'
import { askMinion } from './local-bus/ask.ts'
import { fireOnBus } from './local-bus/client.ts'
import { execute, type Outcome } from './modules/execute.ts'
import type { AgentView } from './modules/module.ts'
import type { Outside } from './outside.ts'
import { routeOf, sendToReturners } from './returners/send.ts'
import { createRuntime, type Runtime } from './runtime.ts'
import { type AgentSettings, type AgentSetup, settingsOf } from './settings.ts'

/** How to open a caller. */
export interface CallOptions {
  /** `--local`: without a master. @default what the configuration says */
  readonly local?: boolean
  /** Seconds to try to reach the master. @default 10 */
  readonly timeout?: number
  /** Folders of the user's code besides what was synchronized. @default none */
  readonly moduleDirs?: readonly string[]
  /** Gather no grains, where there is no master to be told them. @default false */
  readonly skipGrains?: boolean
}

/** One call. */
export interface CallRequest {
  readonly fun: string
  /** Arguments as a job's `arg` holds them: values, and a `__kwarg__` map or `key=value` texts for keywords. */
  readonly arg: readonly Value[]
  /** The words as they were typed: `fun_args` and `arg` of the return. */
  readonly words: readonly Value[]
  readonly metadata?: Value
  /** Send no return to the master. @default false */
  readonly noReturn?: boolean
  /** `--return`: names separated by commas. */
  readonly returners?: string | undefined
}

/** What came of it, as salt-call tells it. */
export type CallResult =
  | {
      readonly kind: 'returned'
      readonly jid: string
      readonly return: Value
      readonly retcode: number
      readonly out?: string
    }
  /** Nobody has the function, but others begin like it: their docs, printed as a return (exit code 1). */
  | { readonly kind: 'alike'; readonly return: Value }
  /** Nobody has the function: the sentence for stderr (exit code 255). */
  | { readonly kind: 'unavailable'; readonly message: string }
  /** The arguments do not fit: the sentence for stderr, the doc for stdout (exit code 1). */
  | { readonly kind: 'misused'; readonly words: string; readonly doc: string }
  /** The function failed: the sentence for stderr (exit code 1). */
  | { readonly kind: 'failed'; readonly message: string }

/**
 * Opened by `openCall`; runs any number of functions one after the other, then is closed. What it sends has been taken by
 * the master when `run` resolves; what could not be sent waits in its journal for the next one that opens.
 */
export class CallAgent {
  readonly view: AgentView
  readonly #settings: AgentSettings
  readonly #outside: Outside
  readonly #master: CallMaster | undefined
  #last = 0

  constructor(settings: AgentSettings, runtime: Runtime, outside: Outside, master: CallMaster | undefined) {
    this.view = runtime.view
    this.#settings = settings
    this.#outside = outside
    this.#master = master
  }

  /** Runs a function with the events around it that salt-call makes, and returns it to the master. */
  async run(request: CallRequest): Promise<CallResult> {
    const { fun, arg, metadata } = request
    const jid = this.#jid()
    const data: Mapping = {
      fun,
      pid: process.pid,
      jid,
      tgt: 'salt-call',
      ...(metadata === undefined ? {} : { metadata }),
    }
    const outcome = await this.#execute(fun, arg, jid, data)
    if (outcome.kind !== 'returned') return notReturned(fun, outcome, this.view)
    const { value, retcode, out } = outcome
    const ret = {
      jid,
      fun,
      fun_args: [...request.words],
      return: value,
      retcode,
      ...(out === undefined ? {} : { out }),
    }
    await sendToReturners(this.view, ret, routeOf(request.returners ?? '', this.view))
    if (this.#master !== undefined && request.noReturn !== true) {
      await this.#master.sendReturn({
        ...ret,
        jid: this.#jid(),
        arg: [...request.words],
        tgt: this.#settings.id,
        tgt_type: 'glob',
      })
    }
    return { kind: 'returned', jid, return: value, retcode, ...(out === undefined ? {} : { out }) }
  }

  /** Runs a function and gives what it returned; nothing goes to the master but what the function sends. Throws where it fails. */
  async cmd(fun: string, args: readonly Value[] = [], kwargs: Mapping = {}): Promise<Value> {
    const keywords = Object.keys(kwargs).length === 0 ? [] : [{ ...kwargs, __kwarg__: true }]
    const outcome = await this.#execute(fun, [...args, ...keywords], this.#jid(), {})
    if (outcome.kind === 'returned') return outcome.value
    const message = outcome.kind === 'failed' ? outcome.words : `'${fun}' is not available.`
    throw new BrineError(message, { code: outcome.kind === 'failed' ? outcome.by : 'unavailable' })
  }

  async close(): Promise<void> {
    await this.#master?.close()
  }

  async #execute(fun: string, arg: readonly Value[], jid: string, data: Mapping): Promise<Outcome> {
    const controller = new AbortController()
    const { jobs } = this.view
    jobs.add({
      jid,
      data: { fun, arg: [...arg], jid, pid: process.pid, tgt: 'salt-call' },
      stop: (signal) => controller.abort(signal),
    })
    try {
      return await execute(this.view, { fun, arg, data, signal: controller.signal })
    } finally {
      jobs.remove(jid)
    }
  }

  #jid(): string {
    this.#last = Math.max(this.#last + 1, this.#outside.now())
    return jidOf(Math.floor(this.#last))
  }
}

/** Opens a caller. Throws a BrineError `no-master` where the master is away or the key is not accepted. */
export async function openCall(setup: AgentSetup, options: CallOptions, outside: Outside): Promise<CallAgent> {
  const settings = settingsOf(setup)
  const { config, id } = settings
  const isLocal = options.local ?? settings.isLocal
  const keys = isLocal ? undefined : await loadKeys(config.pki_dir)
  const master =
    keys === undefined
      ? undefined
      : new CallMaster(
          settings,
          outside,
          await createLink({
            settings,
            keys,
            clock: new MasterClock(outside),
            outside,
            signal: new AbortController().signal,
          }),
        )
  const joining = master?.join((options.timeout ?? 10) * 1000)
  // Waited for below; until then nobody else must take its failure for unhandled.
  joining?.catch(() => undefined)
  const bus = localBusAddress(config.sock_dir, id)
  const runtime = await createRuntime(
    settings,
    {
      cli: 'salt-call',
      isLocal,
      moduleDirs: options.moduleDirs,
      skipGrains: isLocal && options.skipGrains,
      connection: master?.connection,
      onGrains: (grains) => master?.introduce(grains),
      fireLocal: (tag, data) => fireOnBus(bus, tag, data),
      askMinion: (question) => askMinion(bus, question),
      restart: () => undefined,
      fireMaster: async (event) => (await master?.fire(event, (tag, data) => fireOnBus(bus, tag, data))) ?? false,
      refreshMaster: async () => void (await master?.refresh(runtime.grains.all())),
      fetchPillar: master === undefined ? undefined : (grains, request) => master.refresh(grains, request),
      security: {
        minionFinger: keys?.finger ?? (await storedFinger(config.pki_dir)),
        masterFinger: () => master?.finger ?? '',
        removeKeys: () => removeKeys(config.pki_dir),
      },
    },
    outside,
  )
  if (master === undefined) await runtime.view.refreshPillar()
  else {
    try {
      await joining
      await runtime.view.refreshPillar()
      await master.begin()
    } catch (error) {
      await master.close()
      throw error
    }
  }
  return new CallAgent(settings, runtime, outside, master)
}

function notReturned(fun: string, outcome: Exclude<Outcome, { kind: 'returned' }>, view: AgentView): CallResult {
  if (outcome.kind === 'unavailable') {
    return typeof outcome.value === 'string'
      ? { kind: 'unavailable', message: outcome.value }
      : { kind: 'alike', return: outcome.value }
  }
  switch (outcome.by) {
    case 'arguments':
    case 'invocation':
      return { kind: 'misused', words: outcome.words, doc: docstring(view.functions.get(fun)?.doc ?? '') }
    case 'command':
      return { kind: 'failed', message: `Error running '${fun}': ${outcome.words}` }
    case 'command-not-found':
      return { kind: 'failed', message: `Command required for '${fun}' not found: ${outcome.words}` }
    case 'keywords':
      return { kind: 'failed', message: outcome.words }
    case 'exception':
      return { kind: 'failed', message: outcome.trace.trimEnd() }
  }
}

async function storedFinger(pkiDir: string): Promise<string> {
  const { textOf } = await import('./grains/read.ts')
  const pem = await textOf(join(pkiDir, 'minion.pub'))
  return pem === '' ? '' : pemFinger(pem)
}
