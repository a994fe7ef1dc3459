// What is wrong or worth knowing about a configuration, with its place.

/**
 * A finding. An `error` stops the start; a `warning` is most likely a mistake; a `note` is a key of Salt's that has no
 * effect here.
 */
export interface ConfigProblem {
  readonly severity: 'error' | 'warning' | 'note'
  /** The file, or the environment variable, that it stands in. */
  readonly file: string
  /** From 1. */
  readonly line?: number
  /** What is wrong, the value seen, and what to do. */
  readonly message: string
}

/** A finding on one line: `master.d/x.conf:3: …`. */
export function problemText({ file, line, message }: ConfigProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${message}`
}
