// What `salt` prints about all returns together: `--summary`, and the notice for a minion that did not return.
import { entries, isMap, type Value } from '../../core/value/index.ts'

/** One minion's return as the summary sees it. */
export interface SummarisedReturn {
  readonly value: Value
  /** Of a compound command a map of function to code. */
  readonly retcode?: Value
}

/** The lines below the returns for `--summary`; with `verbose` it names the minions of each kind. Begins with two line ends. */
export function returnsSummary(returns: ReadonlyMap<string, SummarisedReturn>, verbose: boolean): string {
  const missing = [...returns].filter(([, { value }]) => isNotice(value))
  const returned = [...returns].filter(([, { value }]) => !isNotice(value))
  const failed = returned.filter(([, item]) => retcodeOf(item) !== 0)
  const rule = '-'.repeat(43)
  const lines = [
    '',
    '',
    rule,
    'Summary',
    rule,
    `# of minions targeted: ${returns.size}`,
    `# of minions returned: ${returned.length}`,
    `# of minions that did not return: ${missing.length}`,
    `# of minions with errors: ${failed.length}`,
  ]
  if (verbose) {
    const unconnected = missing.filter(([, { value }]) => String(value).includes('Not connected'))
    const silent = missing.filter(([, { value }]) => String(value).includes('No response'))
    for (const [title, list] of [
      ['Minions not connected', unconnected],
      ['Minions not responding', silent],
      ['Minions with failures', failed],
    ] as const) {
      if (list.length > 0) lines.push(`${title}: ${list.map(([id]) => id).join(' ')}`)
    }
  }
  return [...lines, rule].join('\n')
}

const NOTICE = 'Minion did not return'

function isNotice(value: Value): boolean {
  return typeof value === 'string' && value.startsWith(NOTICE)
}

/** The exit code of one return: of a compound command the highest. */
export function retcodeOf({ retcode = 0 }: SummarisedReturn): number {
  const codes = isMap(retcode) ? entries(retcode).map(([, code]) => code) : [retcode]
  return Math.max(0, ...codes.map((code) => (typeof code === 'number' ? code : 0)))
}

/** What stands in place of the return of a minion that did not answer in time. */
export function noReturnNotice(jid: string, command = 'brine-run'): string {
  return (
    `${NOTICE}. [No response]\nThe minions may not have all finished running and any remaining minions will return ` +
    `upon completion. To look up the return data for this job later, run the following command:\n\n` +
    `${command} jobs.lookup_jid ${jid}`
  )
}
