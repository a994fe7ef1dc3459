// Looks at a reactor set without an event: what never works, and what works and surprises.
import { YamlError } from '../../render/yaml/yaml-error.ts'
import type { ReactorEntry } from '../reactor-config.ts'
import { type BlankedText, blankJinja } from './blank.ts'
import type { FunctionCatalog } from './functions.ts'
import { lintGlob, lintLoop } from './lint-globs.ts'
import { lintReaction } from './lint-reaction.ts'
import type { LintProblem } from './problem.ts'
import { lineIndex, type Sketch, sketchReactions } from './sketch.ts'

/** A file of a reactor set, and the reference that leads to it. */
export interface LintFile {
  readonly reference: string
  readonly name: string
  readonly text: string
}

/** Why a template does not parse, `undefined` where it does. */
export type CheckTemplate = (
  text: string,
  name: string,
) => { readonly line: number; readonly message: string } | undefined

/** What is looked at, and what is known. */
export interface LintInput {
  readonly entries: readonly ReactorEntry[]
  /** Every file that a reference leads to; a reference without one leads nowhere. */
  readonly files: readonly LintFile[]
  readonly functions: FunctionCatalog
  readonly checkTemplate: CheckTemplate
}

/**
 * All findings, those of the configuration first, then file by file in the order of lines. Reads every branch of a
 * template, and each loop once; a file whose structure only Jinja makes is looked at as far as it can be read.
 */
export function lintReactors(input: LintInput): LintProblem[] {
  const problems: LintProblem[] = []
  const references = new Set(input.files.map(({ reference }) => reference))
  for (const [index, entry] of input.entries.entries()) {
    problems.push(...lintGlob(entry, input.entries.slice(0, index)))
    for (const file of entry.files.filter((reference) => !references.has(reference))) {
      const message = `'${entry.glob}' leads to ${file}, where there is no file. Write it, or take it out.`
      problems.push({ severity: 'error', code: 'no-file', file: 'reactor', message })
    }
  }
  const seen = new Set<string>()
  for (const file of input.files) {
    if (seen.has(file.name)) continue
    seen.add(file.name)
    problems.push(...lintFile(file, input))
  }
  return problems
}

function lintFile(file: LintFile, input: LintInput): LintProblem[] {
  const syntax = input.checkTemplate(file.text, file.name)
  if (syntax !== undefined) return [{ severity: 'error', code: 'jinja', file: file.name, ...syntax }]
  const text = blankJinja(file.text)
  const sketches = readSketches(text, file.name)
  if (!Array.isArray(sketches)) return [sketches].filter((problem) => problem !== undefined)
  const problems: LintProblem[] = []
  const context = {
    text,
    lineOf: lineIndex(file.text),
    functions: input.functions,
    report: (severity: LintProblem['severity'], code: string, line: number, message: string) =>
      problems.push({ severity, code, file: file.name, line, message }),
  }
  for (const sketch of sketches) {
    lintReaction(sketch, context)
    for (const entry of input.entries.filter(({ files }) => files.includes(file.reference))) {
      const loop = lintLoop(entry, file.name, sketch, text)
      if (loop !== undefined) problems.push(loop)
    }
  }
  return problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

/** The reactions, or what is wrong; `undefined` where the YAML cannot be judged without rendering. */
function readSketches(text: BlankedText, name: string): Sketch[] | LintProblem | undefined {
  try {
    return sketchReactions(text.text, name)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    if (text.hasStatements) return undefined
    const words = error.reason.split('\n').filter((line) => !line.startsWith('  in '))
    const message = `${words.join(', ')}. The file contributes nothing until this is YAML.`
    return { severity: 'error', code: 'yaml', file: name, line: error.line, message }
  }
}
