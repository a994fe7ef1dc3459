// The reactor of a minion without a master: events of its own bus, its own files, its own functions.
import { join } from 'node:path'
import { BrineError, messageOf } from '../../core/error.ts'
import type { Event } from '../../core/event/event.ts'
import { parseReactorConfig } from '../../core/sls/reactor-config.ts'
import { isMapping, type Value } from '../../core/value/index.ts'
import {
  createBinder,
  createPlanMaker,
  createReactor,
  createReactorSet,
  defaultLoopLimits,
  defaultReactorOptions,
  type Question,
  type ReactorSet,
  type Settlement,
  systemTimer,
} from '../../reaction/index.ts'
import { readReactorSet } from '../../reaction/read-reactor-set.ts'
import { createRenderFile } from '../../reaction/render-file.ts'
import { SystemClock } from '../../reaction/system-clock.ts'
import type { LocalBus } from '../local-bus/server.ts'
import { execute } from '../modules/execute.ts'
import type { AgentView } from '../modules/module.ts'
import type { AgentSettings } from '../settings.ts'
import { createCaller } from './caller.ts'
import { openJournalLedger } from './journal-ledger.ts'

/** What it works with. */
export interface MasterlessParts {
  readonly settings: AgentSettings
  readonly view: AgentView
  readonly bus: LocalBus
}

/** A running reactor; resolves when it has stopped. */
export type StopReactor = () => Promise<void>

/**
 * Reacts to the local bus until it is stopped; undefined where nothing is configured. Reactions that a crash cut off are
 * gone on with. What fails is in the log, and on the bus as `brine/reactor/error`.
 */
export async function startMasterlessReactor(parts: MasterlessParts): Promise<StopReactor | undefined> {
  const { settings, view, bus } = parts
  const { log } = view.outside
  const set = reactorSet(settings)
  if (set === undefined) return undefined
  const clock = new SystemClock()
  const over = new AbortController()
  const caller = createCaller(view, over.signal)
  const journal = await openJournalLedger(join(settings.config.data_dir, 'reactions'), () => clock.now())
  const reactor = createReactor({
    ledger: journal.ledger,
    executor: caller,
    clock,
    timer: systemTimer,
    random: view.outside.random,
    warn: (message) => log.warn(message),
    fire: async (...notices) => {
      for (const { tag, data } of notices) {
        log.error(
          `the reaction to ${data.tag} by ${data.file ?? 'several files'}: ${data.error ?? JSON.stringify(data.refused)}`,
        )
        bus.fire(tag, data)
      }
    },
    options: { ...defaultReactorOptions, limits: defaultLoopLimits, owner: `${view.id}#${clock.eventId()}` },
    makePlan: createPlanMaker({
      render: createRenderFile({
        opts: settings.opts,
        grains: view.grains.all(),
        pillar: view.pillar(),
        answerable: (fun) => view.functions.get(fun)?.readOnly === true,
      }),
      bind: createBinder({ signatures: () => undefined, expiresIn: 0 }),
      answers: { answer: (question) => answer(view, question, over.signal) },
      clock,
      limits: defaultLoopLimits,
    }),
  })
  const working = new Set<Promise<void>>()
  const react = (event: Event, attempt: number): void => {
    const work = reactor
      .react([{ event, attempt }], set, { signal: over.signal })
      .then((settlements) => settle(event, attempt, settlements.get(event.id)))
      .finally(() => working.delete(work))
    working.add(work)
  }
  const settle = (event: Event, attempt: number, settlement: Settlement | undefined): void => {
    if (over.signal.aborted || settlement === undefined || settlement.kind === 'done') return
    if (settlement.kind === 'dead') {
      log.error(`the reaction to ${event.tag} is given up: ${settlement.reason}`)
      return
    }
    const timer = setTimeout(() => react(event, attempt + 1), Math.max(0, (settlement.at - clock.now()) / 1000))
    over.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  for (const event of await journal.unfinished()) react(event, 2)
  const unwatch = bus.watch(({ tag, data }) => {
    const cause = caller.cause()
    const event: Event = { id: clock.eventId(), tag, data, source: 'minion', ...(cause === undefined ? {} : { cause }) }
    if (set.matching(event).length === 0) return
    journal.keep(event).then(
      () => react(event, 1),
      (error: unknown) => log.error(`The event ${tag} could not be kept for its reactions: ${messageOf(error)}`),
    )
  })
  return async () => {
    unwatch()
    over.abort()
    await Promise.all(working)
    reactor.close()
    await journal.close()
  }
}

/** The set of the configuration; undefined where it has none. What is wrong with an entry was said when it was read. */
function reactorSet({ config, opts }: AgentSettings): ReactorSet | undefined {
  const { entries } = parseReactorConfig(config.reactor).config
  if (entries.length === 0) return undefined
  const fileRoots = isMapping(opts.file_roots) ? (opts.file_roots as Record<string, string[]>) : {}
  return createReactorSet(readReactorSet(entries, { reactorRoot: config.reactor_root, fileRoots }))
}

async function answer(view: AgentView, { fun, args, kwargs }: Question, signal: AbortSignal): Promise<Value> {
  const keywords = Object.keys(kwargs).length === 0 ? [] : [{ ...kwargs, __kwarg__: true }]
  const outcome = await execute(view, { fun, arg: [...args, ...keywords], data: {}, signal })
  switch (outcome.kind) {
    case 'returned':
      return outcome.value
    case 'unavailable':
      throw new BrineError(`'${fun}' is not available.`, { code: 'unknown-function' })
    case 'failed':
      throw new BrineError(outcome.words, { code: outcome.by })
  }
}
