// Waiting, as a port: tests pass time by hand.

/** Lets time pass. Microseconds. */
export interface Timer {
  /** Resolves after that time, or as soon as the signal ends. */
  sleep(microseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls `run` again and again until the answer is called; keeps no process alive. */
  every(microseconds: number, run: () => void): () => void
}

/** The machine's own timer. */
export const systemTimer: Timer = {
  sleep(microseconds, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const end = () => {
        clearTimeout(timeout)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timeout = setTimeout(end, microseconds / 1000)
      signal?.addEventListener('abort', end)
    })
  },
  every(microseconds, run) {
    const interval = setInterval(run, microseconds / 1000)
    interval.unref()
    return () => clearInterval(interval)
  },
}
