// How `brine migrate check` tells what it found.
import { type Finding, type Verdict, verdicts } from '../../core/migrate/index.ts'
import type { Mapping } from '../../core/value/index.ts'

const titles: Readonly<Record<Verdict, string>> = {
  missing: 'Missing',
  differs: 'Different',
  unneeded: 'Not needed',
  works: 'Works',
}

/** The report for people: what works is counted, and listed only where `verbose`. */
export function reportText(findings: readonly Finding[], verbose: boolean): string {
  const groups = verdicts.map((verdict) => [verdict, findings.filter((one) => one.verdict === verdict)] as const)
  const lines = groups.flatMap(([verdict, group]) => {
    if (group.length === 0 || (verdict === 'works' && !verbose)) return []
    return [`${titles[verdict]} (${group.length})`, ...group.map(findingLine), '']
  })
  const counts = groups.map(([verdict, group]) => `${group.length} ${titles[verdict].toLowerCase()}`)
  return `${[...lines, counts.join(', ')].join('\n')}\n`
}

function findingLine({ file, line, subject, message }: Finding): string {
  const place = line === undefined ? file : `${file}:${line}`
  return `  ${place}: ${subject}${message === '' ? '' : `. ${message}`}`
}

/** The report for programs. It only grows. */
export function reportValue(findings: readonly Finding[]): Mapping {
  return Object.fromEntries(
    verdicts.map((verdict) => [
      verdict,
      findings
        .filter((one) => one.verdict === verdict)
        .map(({ file, line, subject, message }): Mapping => ({ file, line: line ?? null, subject, message })),
    ]),
  )
}
