// What a look at a Salt master's files finds.

/**
 * `missing`: Brine has it not. `differs`: it is there, and not as in Salt. `unneeded`: there is nothing for it to do.
 * `works`: as it is.
 */
export type Verdict = 'missing' | 'differs' | 'unneeded' | 'works'

/** One thing that was looked at. */
export interface Finding {
  readonly verdict: Verdict
  readonly file: string
  /** From 1; absent for a file as a whole. */
  readonly line?: number
  /** The key, the function, the file that it is about. */
  readonly subject: string
  /** What there is instead, or why; empty where it works. */
  readonly message: string
}

/** The verdicts in the order in which they matter. */
export const verdicts: readonly Verdict[] = ['missing', 'differs', 'unneeded', 'works']
