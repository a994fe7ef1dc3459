// Keeps the leases of what runs longer than a lease: an orchestration of hours stays ours as long as we live.
import { messageOf } from '../core/error.ts'
import type { ClaimWrite } from './ports.ts'
import type { Timer } from './timer.ts'

/** What keeping leases needs. Microseconds. */
export interface LeaseKeeping {
  readonly lease: number
  readonly now: () => number
  readonly timer: Timer
  /** Writes renewals; false where the claim is not ours any more. */
  readonly write: (write: ClaimWrite) => Promise<boolean>
  readonly warn: (message: string) => void
}

/**
 * The claims we run. Each that is older than a third of a lease is renewed for a whole one. A renewal that fails is tried
 * again a third later: there are two more before the lease ends. A claim that is lost is let go; what it ends with is
 * refused by the ledger.
 */
export interface HeldLeases {
  hold(key: string, generation: number): void
  release(key: string): void
  size(): number
  close(): void
}

/** See {@link HeldLeases}. */
export function createHeldLeases(options: LeaseKeeping): HeldLeases {
  const held = new Map<string, { readonly generation: number; renewed: number }>()
  const interval = Math.ceil(options.lease / 3)
  let stop: (() => void) | undefined

  const renew = async (key: string, claim: { readonly generation: number; renewed: number }): Promise<void> => {
    const at = options.now()
    try {
      const change = { kind: 'renew', until: at + options.lease } as const
      const ours = await options.write({ key, generation: claim.generation, at, change })
      if (ours) claim.renewed = at
      else if (held.get(key) === claim) held.delete(key)
    } catch (error) {
      options.warn(`the lease of ${key} was not renewed (${messageOf(error)}); trying again before it ends`)
    }
  }

  const turn = (): void => {
    const due = options.now() - interval
    for (const [key, claim] of held) if (claim.renewed <= due) void renew(key, claim)
  }

  return {
    hold(key, generation) {
      held.set(key, { generation, renewed: options.now() })
      stop ??= options.timer.every(interval / 2, turn)
    },
    release(key) {
      held.delete(key)
    },
    size: () => held.size,
    close() {
      stop?.()
      stop = undefined
    },
  }
}
