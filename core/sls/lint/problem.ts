// What the linter finds.

/** A finding in a reactor set. An `error` never works; a `warning` works, and surprises. */
export interface LintProblem {
  readonly severity: 'error' | 'warning'
  /** Stable: `args-item`, `unquoted`, `loop` … */
  readonly code: string
  /** The SLS file, or `reactor` for the configuration. */
  readonly file: string
  /** From 1; absent for the configuration. */
  readonly line?: number
  /** What would surprise, and what to do about it. */
  readonly message: string
}
