// The reactor function's work: each message of its queue is a delivery, reacted to and settled by itself.
import { BrineError, messageOf } from '../../../core/error.ts'
import type { Event } from '../../../master/ports.ts'
import { createMasterEngine } from '../../../master/reactor.ts'
import type { FunctionTable } from '../../../master/run.ts'
import {
  createReactorSet,
  type Executor,
  type Reactor,
  type ReactorCounts,
  type ReactorSet,
  type Settlement,
} from '../../../reaction/index.ts'
import { type Received, receivedFrom } from '../bus/envelope.ts'
import { openDesk } from '../compose.ts'
import { openFunctions } from '../compose-functions.ts'
import { type Environment, variableIn } from '../deploy/environment.ts'
import { orderingExecutor } from '../orchestration/ordered-executor.ts'
import { orderRuns } from '../runs.ts'
import { Remembered } from '../store/parallel.ts'
import type { CountName, Telemetry } from '../telemetry.ts'
import { isPassing } from './insist.ts'
import type { QueueRecord } from './queue-record.ts'

/** The reactor of one process. */
export interface ReactorFunction {
  /**
   * Reacts to a message. Resolves when it is done with for good; throws where it has to come again, at the time that its
   * visibility was set to. `timeLeft` is what is left of the invocation, milliseconds.
   */
  take(record: QueueRecord, timeLeft: number): Promise<void>
  /** Tells what was counted since the last call. */
  report(): void
}

/** Seconds that a lease outlives the longest invocation. */
const LEASE_MORE = 30
/** Milliseconds before the end of an invocation from which on nothing is started, and at which what runs is left. */
const LAST_START = 8_000
const LAST_ANSWER = 3_000
/** Microseconds within which a message comes again that found something busy. */
const SOON = 10_000_000
/** Events whose moment is remembered until they are reacted to. */
const MOMENTS = 1000

/** Opens it. */
export function openReactor(environment: Environment, telemetry: Telemetry, users?: FunctionTable): ReactorFunction {
  const aws = openDesk(environment, telemetry)
  const { store, desk, settings } = aws
  const { functions, render } = openFunctions(aws, undefined, users)
  const order = orderRuns(variableIn(environment, 'runFunction'))
  const executor = orderingExecutor(functions, desk, order, () => store.clock.jid())
  const moments = new Remembered<string, number>(MOMENTS)
  const lease = (Number(variableIn(environment, 'reactorTimeout')) + LEASE_MORE) * 1_000_000
  const engine = createMasterEngine({
    master: { ...desk, ...functions, executor: timed(executor, moments, store.clock, telemetry) },
    ledger: store.ledger,
    clock: store.clock,
    render: { load: render },
    owner: store.owner,
    lease,
    retry: settings.reactorRetry,
    breaker: settings.reactorBreaker,
    warn: telemetry.warn,
    error: telemetry.error,
  })
  const setOf = rememberedSets()
  const report = reporter(engine, telemetry)

  const received = async (record: QueueRecord): Promise<Received | undefined> => {
    try {
      return await receivedFrom(record.body, store.payloads)
    } catch (error) {
      if (isPassing(error)) throw error
      // It will never be readable: kept with its reason.
      await settle(record, { kind: 'dead', reason: messageOf(error) })
      return undefined
    }
  }

  /** What no entry wants came by a rule that does: of an entry that was added since the set was read, most likely. */
  const reactors = async (event: Event): Promise<ReactorSet> => {
    const recent = setOf(await store.config.recentReactors())
    return recent.matching(event).length > 0 ? recent : setOf(await store.config.reactors())
  }

  const settle = ({ receiptHandle, body }: QueueRecord, settlement: Settlement): Promise<void> =>
    store.queue.settleMessage({ receipt: receiptHandle, body }, settlement)

  const react = async (record: QueueRecord, timeLeft: number): Promise<Settlement | undefined> => {
    const message = await received(record)
    if (message === undefined) return undefined
    const { event, at } = message
    moments.set(event.id, at)
    const attempt = Number(record.attributes.ApproximateReceiveCount)
    const started = AbortSignal.timeout(Math.max(0, timeLeft - LAST_START))
    const reaction = engine.react([{ event, attempt }], await reactors(event), { signal: started })
    const settlements = await within(timeLeft - LAST_ANSWER, reaction)
    // What still runs holds its lease: the message comes again when that has ended.
    return settlements?.get(event.id) ?? { kind: 'later', at: store.clock.now() + lease }
  }

  /** What is busy now is asked again soon, and not only when the message is seen again by itself. */
  const settlementOf = async (record: QueueRecord, timeLeft: number): Promise<Settlement | undefined> => {
    try {
      return await react(record, timeLeft)
    } catch (error) {
      if (!isPassing(error)) throw error
      telemetry.warn(`a message of the reactor's queue is put off: ${messageOf(error)}`)
      return { kind: 'later', at: store.clock.now() + Math.random() * SOON }
    }
  }

  return {
    async take(record, timeLeft) {
      const settlement = await settlementOf(record, timeLeft)
      if (settlement === undefined) return
      await settle(record, settlement)
      if (settlement.kind !== 'later') return
      telemetry.count('DeliveriesPutOff', 1)
      throw new BrineError(`The message ${record.messageId} is put off.`, { code: 'put-off' })
    },
    report,
  }
}

/** The executor, which tells how long each event waited for the first of its reactions. */
function timed(
  executor: Executor,
  moments: Remembered<string, number>,
  clock: { now(): number },
  telemetry: Telemetry,
): Executor {
  return {
    isIdempotent: (reaction) => executor.isIdempotent(reaction),
    start(reaction, context) {
      const at = moments.get(context.event.id)
      if (at !== undefined) telemetry.took('ReactionLatency', (clock.now() - at) / 1000)
      moments.delete(context.event.id)
      return executor.start(reaction, context)
    },
  }
}

/** A stored set as one to react by, made anew only where its version is another. */
function rememberedSets(): (stored: Parameters<typeof createReactorSet>[0]) => ReactorSet {
  let set: ReactorSet | undefined
  return (stored) => {
    if (set?.version !== stored.version) set = createReactorSet(stored)
    return set
  }
}

const told: readonly (readonly [CountName, readonly (keyof ReactorCounts)[]])[] = [
  ['ReactionsStarted', ['started']],
  ['ReactionsDone', ['done']],
  ['ReactionsFailed', ['failed', 'interrupted', 'fileErrors']],
  ['ReactionsRefused', ['refused']],
]

function reporter(engine: Reactor, telemetry: Telemetry): () => void {
  let before = engine.counts()
  return () => {
    const now = engine.counts()
    for (const [name, kinds] of told)
      telemetry.count(
        name,
        kinds.reduce((sum, kind) => sum + now[kind] - before[kind], 0),
      )
    before = now
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, milliseconds), undefined)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
