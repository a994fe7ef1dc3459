// What was answered, counted by page and status: for /stats and /metrics.

interface Count {
  requests: number
  seconds: number
}

/** Counts since the start of the process. */
export class AnswerCounts {
  readonly #counts = new Map<string, Map<number, Count>>()

  add(path: string, status: number, seconds: number): void {
    const byStatus = this.#counts.get(path) ?? new Map<number, Count>()
    this.#counts.set(path, byStatus)
    const count = byStatus.get(status) ?? { requests: 0, seconds: 0 }
    byStatus.set(status, count)
    count.requests++
    count.seconds += seconds
  }

  /** Every page and status that was answered. */
  *all(): Generator<{ path: string; status: number; requests: number; seconds: number }> {
    for (const [path, byStatus] of [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)))
      for (const [status, count] of [...byStatus].sort(([a], [b]) => a - b)) yield { path, status, ...count }
  }
}
