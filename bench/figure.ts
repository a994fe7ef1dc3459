// The figures a benchmark prints: minimum, median and maximum of several runs, beside the peer's and a target.

/** Several runs' figure. */
export interface Figure {
  readonly min: number
  readonly median: number
  readonly max: number
}

/** A peer's figure: measured in the same run, or recorded in an earlier one. */
export type PeerFigure = Figure | { readonly recorded: number; readonly from: string }

/** One line of a benchmark. */
export interface Row {
  readonly what: string
  readonly unit: string
  readonly brine: Figure
  readonly peer?: PeerFigure
  /** What the machine takes for the least that could do: a plain Node process, JSON.parse, an fsync. */
  readonly floor?: Figure
  /** Above 1 means better than the peer, by medians. */
  readonly ratio?: number
  /** The ratio aimed at. */
  readonly target?: number
  readonly ok?: boolean
}

/** What a benchmark prints as its last line. */
export interface Report {
  readonly name: string
  readonly rows: readonly Row[]
}

/** Minimum, median and maximum, to four significant digits. Of an even number of runs the lower of the middle two. */
export function figureOf(runs: readonly number[]): Figure {
  const sorted = [...runs].sort((a, b) => a - b)
  const at = (index: number) => Number((sorted[index] ?? Number.NaN).toPrecision(4))
  return { min: at(0), median: at(Math.floor((sorted.length - 1) / 2)), max: at(sorted.length - 1) }
}

/** The value that a share of the samples does not exceed. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** A row with its ratio to the peer and whether that reaches the target. */
export function rowOf(row: {
  readonly what: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  readonly brine: readonly number[]
  readonly peer?: PeerFigure | undefined
  readonly floor?: readonly number[]
  readonly target?: number
}): Row {
  const brine = figureOf(row.brine)
  const peer = row.peer === undefined ? undefined : 'recorded' in row.peer ? row.peer.recorded : row.peer.median
  const quotient = peer === undefined ? undefined : row.better === 'higher' ? brine.median / peer : peer / brine.median
  const ratio = quotient === undefined ? undefined : Number(quotient.toPrecision(3))
  return {
    what: row.what,
    unit: row.unit,
    brine,
    ...(row.peer === undefined ? {} : { peer: row.peer }),
    ...(row.floor === undefined ? {} : { floor: figureOf(row.floor) }),
    ...(ratio === undefined ? {} : { ratio }),
    ...(row.target === undefined ? {} : { target: row.target }),
    ...(ratio === undefined || row.target === undefined ? {} : { ok: ratio >= row.target }),
  }
}
