// The one base class of what Brine throws: what happened, the value seen, what to do.

/** How an error is made: `code` is stable and documented, `cause` the error underneath. */
export interface BrineErrorOptions {
  readonly code: string
  readonly cause?: unknown
}

/** An error a person can act on. The message says what happened, names the value, and says what to do. */
export class BrineError extends Error {
  readonly code: string
  constructor(message: string, options: BrineErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    // Not the class's own name: the one-file agent has its names shortened.
    this.name = 'BrineError'
    this.code = options.code
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
