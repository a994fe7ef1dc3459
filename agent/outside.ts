// What the agent takes from outside besides files and sockets: the time, chance, and somewhere to talk to.

/** Where the agent says what it does. The command line decides what becomes of it. */
export interface Log {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** Time, chance and log of one agent. */
export interface Outside {
  /** Microseconds since 1970 by this machine's clock; rises with every call. */
  now(): number
  /** At least 0, below 1. */
  random(): number
  readonly log: Log
}

/** A log that says nothing. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** This machine's clock and chance. */
export function systemOutside(log: Log = silentLog): Outside {
  let last = 0
  return {
    now() {
      last = Math.max(last + 1, Date.now() * 1000 + Math.floor((performance.now() % 1) * 1000))
      return last
    },
    random: Math.random,
    log,
  }
}
