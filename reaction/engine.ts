// What running a plan needs: the ports, gathered writes, held leases, options and counts, joined once.
import type { EventId } from '../core/event/event.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { createGathering, type Gathering } from './gathering.ts'
import { createHeldLeases, type HeldLeases } from './leases.ts'
import { defaultLoopLimits, type LoopLimits } from './limits.ts'
import type { FireNotices } from './notice.ts'
import type {
  Claim,
  ClaimRequest,
  ClaimWrite,
  Clock,
  Executor,
  Ledger,
  NewPlan,
  StoredPlan,
  WindowHolder,
  WindowRequest,
} from './ports.ts'
import { defaultRetry, type RetryOptions } from './retry.ts'
import type { Timer } from './timer.ts'

/** How the engine behaves. Microseconds. */
export interface ReactorOptions {
  /** One worker of one boot: what leases carry. */
  readonly owner: string
  /** How long a claim is ours without a renewal: the longest a start may take, and 30 s. */
  readonly lease: number
  readonly retry: RetryOptions
  readonly limits: LoopLimits
  /** Items of one call to the ledger at most. */
  readonly batch: number
}

/** Everything but the owner: a lease of 330 s, five tries, the limits on loops. */
export const defaultReactorOptions: Omit<ReactorOptions, 'owner'> = {
  lease: 330_000_000,
  retry: defaultRetry,
  limits: defaultLoopLimits,
  batch: 1000,
}

/** What happened since the start. Only rises. */
export interface ReactorCounts {
  /** Events whose plan this engine stored. */
  planned: number
  /** Files that contributed nothing because of an error. */
  fileErrors: number
  started: number
  done: number
  failed: number
  refused: number
  interrupted: number
  skipped: number
  /** Tries given back for later. */
  retried: number
  /** Results dropped because the claim had gone to another. */
  lost: number
  /** Deliveries put off because something outside failed. */
  troubled: number
}

/** What the engine is made from. `random` answers from 0 up to 1; `warn` tells the log of trouble that heals. */
export interface EngineParts {
  readonly ledger: Ledger
  readonly executor: Executor
  readonly clock: Clock
  readonly timer: Timer
  readonly random: () => number
  readonly fire: FireNotices
  readonly warn: (message: string) => void
  readonly options: ReactorOptions
}

/** The engine's inner tools. */
export interface Engine extends EngineParts {
  readonly storePlan: Gathering<NewPlan, StoredPlan & { readonly claims?: readonly Claim[] }>
  readonly findPlan: (event: EventId) => Promise<StoredPlan | undefined>
  readonly claim: Gathering<ClaimRequest, Claim>
  readonly write: Gathering<ClaimWrite, boolean>
  readonly openWindow: Gathering<WindowRequest, WindowHolder>
  readonly breaker: Breaker
  readonly leases: HeldLeases
  readonly counts: ReactorCounts
}

/** Calls of a busy ledger are made again this often before the delivery is put off. */
const LEDGER_TRIES = 8

/** What has run can only be written by us: an ending is tried for as long as the lease may live. */
const WRITE_TRIES = 300

/** Joins the parts. Writes to the ledger are gathered; a busy ledger is asked again before the delivery suffers. */
export function createEngine(parts: EngineParts): Engine {
  const { ledger, clock, timer, random, options } = parts
  const lease = () => {
    const now = clock.now()
    return { owner: options.owner, now, until: now + options.lease }
  }
  const pauses =
    (tries: number) =>
    async (failures: number): Promise<boolean> => {
      if (failures >= tries) return false
      await timer.sleep(Math.floor(random() * Math.min(2_000_000, 10_000 * 2 ** Math.min(failures, 10))))
      return true
    }
  const pause = pauses(LEDGER_TRIES)
  const write = createGathering<ClaimWrite, boolean>({
    call: (writes) => ledger.write(writes),
    most: options.batch,
    pause: pauses(WRITE_TRIES),
  })
  return {
    ...parts,
    storePlan: createGathering({ call: (plans) => ledger.storePlans(plans, lease()), most: options.batch, pause }),
    findPlan: (event) => ledger.plan(event),
    claim: createGathering({ call: (requests) => ledger.claim(requests, lease()), most: options.batch, pause }),
    write,
    openWindow: createGathering({ call: (requests) => ledger.openWindows(requests), most: options.batch, pause }),
    breaker: createBreaker(options.limits.perMinute),
    leases: createHeldLeases({ lease: options.lease, now: () => clock.now(), timer, write, warn: parts.warn }),
    counts: {
      planned: 0,
      fileErrors: 0,
      started: 0,
      done: 0,
      failed: 0,
      refused: 0,
      interrupted: 0,
      skipped: 0,
      retried: 0,
      lost: 0,
      troubled: 0,
    },
  }
}
