// Where a run keeps what `file.accumulated` gathers: it dies with the run.
import type { Value } from '../../core/value/index.ts'

/** What was gathered for one file, by accumulator, and which states may use it. */
export interface FileAccumulators {
  readonly texts: Map<string, Value[]>
  readonly users: Map<string, string[]>
}

/** By the path of the file. */
export type Accumulators = Map<string, FileAccumulators>

/** A file nothing was gathered for yet. */
export const emptyAccumulators = (): FileAccumulators => ({ texts: new Map(), users: new Map() })
