// The reactor of this master: the engine of reaction/, given the renderer, the master's functions and its deliveries.
import {
  type Clock,
  createBinder,
  createPlanMaker,
  createReactor,
  type DeliverySource,
  defaultLoopLimits,
  defaultReactorOptions,
  defaultRetry,
  defaultWorkerOptions,
  type Ledger,
  type Notice,
  type PlanMaker,
  type Reactor,
  type ReactorCounts,
  type ReactorSet,
  type RenderFile,
  type RetryOptions,
  runWorker,
  systemTimer,
} from '../reaction/index.ts'
import type { Master } from './master.ts'

/** What a master's engine works with. */
export interface MasterEngineNeeds {
  readonly master: Pick<Master, 'options' | 'fire' | 'tables' | 'answers' | 'executor'>
  readonly ledger: Ledger
  readonly clock: Clock
  /** Renders the reactor's files, or is loaded with the first of them. */
  readonly render: RenderFile | { readonly load: () => Promise<RenderFile> }
  /** One worker of one boot. */
  readonly owner: string
  readonly retry?: Partial<RetryOptions>
  /** Reactions of one entry to one minion's events in a minute; 0 for any number. @default 600 */
  readonly breaker?: number
  /** Microseconds a claim is ours without a renewal. @default the engine's */
  readonly lease?: number
  readonly warn: (message: string) => void
  /** Told of each reaction or file that failed, with its place: what an operator looks for in the log. */
  readonly error?: (message: string) => void
}

/** What a master's reactor works with. */
export interface MasterReactorNeeds extends MasterEngineNeeds {
  readonly source: DeliverySource
  readonly reactors: () => ReactorSet
}

/** A running reactor. */
export interface MasterReactor {
  counts(): Readonly<ReactorCounts>
  /** Starts nothing more and waits for what runs, at most 20 s; the rest goes on after the next start. */
  stop(): Promise<void>
}

/** The engine of reaction/ with the master's parts, for a platform that hands it batches itself. */
export function createMasterEngine(needs: MasterEngineNeeds): Reactor {
  const { master, clock } = needs
  const limits = { ...defaultLoopLimits, ...(needs.breaker === undefined ? {} : { perMinute: needs.breaker }) }
  const planMaker = (render: RenderFile): PlanMaker =>
    createPlanMaker({
      render,
      bind: createBinder({
        signatures: (client, fun) => master.tables[client]().get(fun)?.signature,
        expiresIn: master.options.reactionExpiry,
      }),
      answers: master.answers,
      clock,
      limits,
    })
  const { render } = needs
  return createReactor({
    ledger: needs.ledger,
    executor: master.executor,
    clock,
    timer: systemTimer,
    random: Math.random,
    fire: async (...notices) => {
      await master.fire(...notices)
      for (const notice of notices) needs.error?.(sentenceOf(notice))
    },
    warn: needs.warn,
    options: {
      ...defaultReactorOptions,
      limits,
      owner: needs.owner,
      retry: { ...defaultRetry, ...needs.retry },
      ...(needs.lease === undefined ? {} : { lease: needs.lease }),
    },
    makePlan: typeof render === 'function' ? planMaker(render) : planLater(render.load, planMaker),
  })
}

/** A plan maker whose renderer is loaded with the first plan that is made; a load that failed is tried again. */
function planLater(load: () => Promise<RenderFile>, planMaker: (render: RenderFile) => PlanMaker): PlanMaker {
  let made: PlanMaker | undefined
  return async (...request) => {
    made ??= planMaker(await load())
    return made(...request)
  }
}

/** Starts the worker that reacts to every delivery until it is stopped. */
export function startReactor(needs: MasterReactorNeeds): MasterReactor {
  const reactor = createMasterEngine(needs)
  const stop = new AbortController()
  const worker = runWorker(
    {
      source: needs.source,
      reactor,
      reactors: needs.reactors,
      clock: needs.clock,
      timer: systemTimer,
      warn: needs.warn,
      options: defaultWorkerOptions,
    },
    stop.signal,
  )
  return {
    counts: () => reactor.counts(),
    async stop() {
      stop.abort()
      await worker
      reactor.close()
    },
  }
}

/** `the reaction to salt/auth failed: …/auth.sls:3:12: unexpected end of template`. */
function sentenceOf({ tag, data }: Notice): string {
  const what =
    tag === 'brine/reactor/loop'
      ? 'was ended as a loop'
      : tag === 'brine/reactor/throttled'
        ? 'was refused'
        : `failed${data.id === undefined ? '' : ` in ${data.id} (${data.fun})`}`
  const why = data.error ?? JSON.stringify(data.refused)
  return `the reaction to ${data.tag} (${data.event}) by ${data.file ?? 'several files'} ${what}: ${why}`
}
