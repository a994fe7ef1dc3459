// The end of a minion's highstate: how many states succeeded, changed, failed, and how long they took.
import { pythonStr, type Value } from '../../core/value/index.ts'
import type { Colours } from './colour.ts'
import { fixed } from './fixed.ts'
import type { OutputOptions } from './outputter.ts'

/** Counts over the states of one minion while they are printed. */
export class Tally {
  readonly results = new Map<Value, number>()
  changed = 0
  warnings = 0
  /** Milliseconds of the states that ran one after the other. */
  serial = 0
  /** Milliseconds of the longest state that ran in parallel. */
  parallel = 0
  /** What colours the minion's id: the last printed state that failed, or that would change in test mode. */
  worst: 'none' | 'pending' | 'failed' = 'none'

  add(result: Value, count: number): void {
    this.results.set(result, (this.results.get(result) ?? 0) + count)
  }

  count(result: Value): number {
    return this.results.get(result) ?? 0
  }

  get total(): number {
    let sum = 0
    for (const count of this.results.values()) sum += count
    return sum
  }
}

const LONGEST_LABEL = 'Succeeded'.length

/** The summary's lines, each with the line breaks and colours Salt puts into it. */
export function summaryLines(host: string, tally: Tally, options: OutputOptions, colours: Colours): string[] {
  const paint = (colour: string, text: string): string => `${colour}${text}${colours.ENDC}`
  const counts = [...tally.results.values(), ...(tally.warnings > 0 ? [tally.warnings] : [])]
  const width = LONGEST_LABEL + Math.max(0, ...counts.map((count) => String(count).length)) + 2
  const row = (label: string, count: string): string => `${label}: ${count.padStart(width - label.length - 2)}`
  const failed = tally.count(false)
  const good = tally.count(true) + tally.count(null)
  const badColour = failed > 0 ? colours.RED : colours.CYAN

  const lines = [paint(colours.CYAN, `\nSummary for ${host}\n${'-'.repeat(width)}`)]
  lines.push(paint(colours.GREEN, row('Succeeded', String(good))) + changes(tally, colours))
  lines.push(paint(badColour, row('Failed', String(failed))))
  if (options.state?.pct === true && tally.total > 0) {
    lines.push(paint(colours.GREEN, row('Success %', percent(good / tally.total))))
    lines.push(paint(badColour, row('Failure %', percent(failed / tally.total))))
  }
  if (tally.warnings > 0) lines.push(paint(colours.LIGHT_RED, row('Warnings', String(tally.warnings))))
  const total = String(tally.total).padStart(width - 7)
  lines.push(paint(colours.CYAN, `${'-'.repeat(width)}\nTotal states run: ${total}`))
  if (options.state?.profile ?? true) lines.push(paint(colours.CYAN, runTime(tally, width)))
  return lines
}

function changes(tally: Tally, colours: Colours): string {
  const parts: string[] = []
  const unchanged = tally.count(null)
  if (unchanged > 0) parts.push(`${colours.LIGHT_YELLOW}unchanged=${unchanged}${colours.ENDC}`)
  if (tally.changed > 0) parts.push(`${colours.GREEN}changed=${tally.changed}${colours.ENDC}`)
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

function runTime(tally: Tally, width: number): string {
  const milliseconds = tally.serial + tally.parallel
  const seconds = milliseconds > 999
  const text = fixed(seconds ? milliseconds / 1000 : milliseconds, 3)
  return `Total run time: ${text.padStart(width - 5)} ${seconds ? 's' : 'ms'}`
}

function percent(share: number): string {
  const rounded = Number(fixed(share * 100, 2))
  return Number.isInteger(rounded) ? `${rounded}.0` : pythonStr(rounded)
}
