// How `brine test` tells what came of the cases.
import type { Mapping, Value } from '../../core/value/index.ts'
import type { LintFindings } from '../../platform/embedded/index.ts'
import { type Colours, colours } from '../output/colour.ts'

/** What came of one case; `lines` tell a person why it failed, or what was written into it. */
export interface CaseReport {
  readonly name: string
  readonly tag: string
  readonly outcome: 'passed' | 'failed' | 'updated'
  readonly lines: readonly string[]
}

/** What came of a file; `broken` where it holds no cases that can be read. */
export interface FileReport {
  readonly file: string
  readonly broken?: string
  readonly cases: readonly CaseReport[]
}

/** The report for people: every file, its cases that did not pass (all where verbose), and a last line that counts. */
export function reportLines(
  files: readonly FileReport[],
  options: { readonly color: boolean; readonly verbose: boolean },
): string[] {
  const shades = colours(options.color)
  const lines = files.flatMap((file) => fileLines(file, options.verbose, shades))
  const { passed, failed, updated } = counts(files)
  const parts = [`${passed} passed`, `${failed} failed`, ...(updated > 0 ? [`${updated} updated`] : [])]
  const shade = failed > 0 ? shades.LIGHT_RED : shades.LIGHT_GREEN
  return [...lines, '', `${shade}${parts.join(', ')}${shades.ENDC}`]
}

function fileLines({ file, broken, cases }: FileReport, verbose: boolean, shades: Colours): string[] {
  if (broken !== undefined) return [`${file}: ${shades.LIGHT_RED}cannot be read${shades.ENDC}`, `  ! ${broken}`]
  const passed = cases.filter(({ outcome }) => outcome === 'passed').length
  const shown = cases.filter(({ outcome }) => verbose || outcome !== 'passed')
  return [`${file}: ${passed} of ${cases.length} passed`, ...shown.flatMap((one) => caseLines(one, shades))]
}

function caseLines({ name, tag, outcome, lines }: CaseReport, shades: Colours): string[] {
  const shade =
    outcome === 'passed' ? shades.LIGHT_GREEN : outcome === 'failed' ? shades.LIGHT_RED : shades.LIGHT_YELLOW
  const mark = outcome === 'passed' ? 'ok' : outcome
  const about = name.includes(tag) ? name : `${name} (${tag})`
  return [`  ${shade}${mark}${shades.ENDC}  ${about}`, ...lines.map((line) => `      ${coloured(line, shades)}`)]
}

function coloured(line: string, shades: Colours): string {
  if (line.startsWith('-')) return `${shades.RED}${line}${shades.ENDC}`
  return line.startsWith('+') ? `${shades.GREEN}${line}${shades.ENDC}` : line
}

function counts(files: readonly FileReport[]): { passed: number; failed: number; updated: number } {
  const cases = files.flatMap((file) => file.cases)
  const of = (outcome: CaseReport['outcome']): number => cases.filter((one) => one.outcome === outcome).length
  const broken = files.filter((file) => file.broken !== undefined).length
  return { passed: of('passed'), failed: of('failed') + broken, updated: of('updated') }
}

/** The report for programs. It only grows. */
export function reportValue(files: readonly FileReport[], findings: readonly LintFindings[]): Mapping {
  return {
    ...counts(files),
    files: files.map(({ file, broken, cases }): Mapping => {
      const told: Value = cases.map(({ lines, ...one }) => ({ ...one, lines: [...lines] }))
      return { file, ...(broken === undefined ? {} : { broken }), cases: told }
    }),
    ...(findings.length === 0
      ? {}
      : { problems: findings.flatMap(({ problems }) => problems.map((problem) => ({ ...problem }) as Mapping)) }),
  }
}
