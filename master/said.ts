// What a run says on its way: progress, which the bus is told too, and lines that Salt's function prints where it runs.
import type { Mapping } from '../core/value/index.ts'

/** One thing that was said. */
export type Said =
  | { readonly kind: 'progress'; readonly suffix: string; readonly event: Mapping }
  /** A line for the terminal of whoever waits, without its end. */
  | { readonly kind: 'printed'; readonly text: string }

/** Hears what a run says as it comes. */
export type Hear = (said: Said) => void

/** What was said, as an outcome keeps it: each kind in its order. */
export interface SaidInAll {
  readonly progress: readonly { readonly suffix: string; readonly event: Mapping }[]
  readonly printed: readonly string[]
}

/** Sorts what was said by its kind. */
export function saidInAll(all: readonly Said[]): SaidInAll {
  return {
    progress: all.flatMap((said) => (said.kind === 'progress' ? [{ suffix: said.suffix, event: said.event }] : [])),
    printed: all.flatMap((said) => (said.kind === 'printed' ? [said.text] : [])),
  }
}
