// The reaction engine: what an event leads to, decided once, run as often as it must and no oftener, and explained.
//
// Promises (docs/guarantees.md says the same to users):
//
// - An event's plan is stored before anything of it runs, and never changes. Whoever gets the event again runs the
//   stored plan; templates render, and ask the outside, for the first delivery alone.
// - A job starts at most once on a minion: its jid is in the ledger before it is published, and is used again by every
//   later try. An idempotent runner runs at least once. Any other runner runs at most once; cut off, or claimed and
//   perhaps not yet begun, it ends as `interrupted`.
// - Within an event, reactions start in the plan's order; a job is published before the next one starts, runs go on side
//   by side. A reaction with requisites starts when the ledger holds the ends it waits for, and is skipped when they can
//   no longer be met. One that is put off for a retry does not hold up those that do not require it. Between events
//   there is no order.
// - A file that does not render or compile fails alone, once and for all; a call that cannot run is refused; both are in
//   the plan, and told as `brine/reactor/error`. What the limits on loops refuse is told as `brine/reactor/loop`, once
//   an event.
// - An entry with `once_within` reacts to one event of a group in that time; the others' plans say to which, and react to
//   nothing. A breaker per entry and minion refuses what comes faster than a limit, and is told as
//   `brine/reactor/throttled`, once each time that it opens.
// - What finds the store busy is tried again, by the queue and not in memory: the wait survives the process. Used up
//   tries make a dead letter that a person may redrive.
//
// What may not be assumed: that a notice is fired once (its id is the same each time, the log drops repeats); that a
// delivery ends with the first worker that had it; that a lease is renewed by a worker which is stuck.
export { createBinder } from './bind.ts'
export { defaultReactorOptions, type ReactorCounts } from './engine.ts'
export {
  type EntryExplanation,
  type Explanation,
  explain,
  explainEntry,
  type FileExplanation,
  type ReactionExplanation,
} from './explain.ts'
export { defaultLoopLimits, isThrottleCode } from './limits.ts'
export {
  createPlanMaker,
  type PlanMaker,
  type Rendered,
  type RenderFile,
} from './make-plan.ts'
export { createMemoryLedger, emptyLedgerMemory, type LedgerMemory } from './memory-ledger.ts'
export type { Notice } from './notice.ts'
export * from './plan.ts'
export * from './ports.ts'
export { createReactor, type Reactor } from './react.ts'
export { createReactorSet } from './reactor-set.ts'
export { defaultRetry, type RetryOptions } from './retry.ts'
export { systemTimer } from './timer.ts'
export { defaultWorkerOptions, runWorker } from './worker.ts'
