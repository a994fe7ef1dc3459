// Limits failed log-ins, before anything is hashed.

/** How many failures are borne, and for how long they count (microseconds). */
export interface LoginLimits {
  /** For one name from one address. */
  readonly name: number
  /** For one address, whatever the names. */
  readonly address: number
  readonly window: number
}

/** 10 failures a minute for a name from an address, 100 for an address. */
const defaultLoginLimits: LoginLimits = { name: 10, address: 100, window: 60_000_000 }

interface Failures {
  count: number
  since: number
}

const most = 50_000

/**
 * INVARIANT: it holds no more than a fixed number of counters; where there are more, the oldest go, so that filling it
 * costs an attacker the failures of the address first.
 */
export class LoginLimit {
  readonly #limits: LoginLimits
  readonly #failures = new Map<string, Failures>()
  constructor(limits: LoginLimits = defaultLoginLimits) {
    this.#limits = limits
  }

  /** Microseconds until another try is heard; 0 where it is now. */
  wait(name: string, address: string, now: number): number {
    return Math.max(
      this.#left(this.#keyOf(name, address), this.#limits.name, now),
      this.#left(address, this.#limits.address, now),
    )
  }

  failed(name: string, address: string, now: number): void {
    for (const key of [this.#keyOf(name, address), address]) {
      const known = this.#failures.get(key)
      if (known !== undefined && now < known.since + this.#limits.window) known.count++
      else {
        this.#failures.delete(key)
        this.#failures.set(key, { count: 1, since: now })
      }
    }
    for (const key of this.#failures.keys()) {
      if (this.#failures.size <= most) break
      this.#failures.delete(key)
    }
  }

  #left(key: string, limit: number, now: number): number {
    const known = this.#failures.get(key)
    if (known === undefined || known.count < limit) return 0
    return Math.max(0, known.since + this.#limits.window - now)
  }

  #keyOf(name: string, address: string): string {
    return `${address}\n${name}`
  }
}
