// What is thrown for YAML that Salt's loader refuses, in Salt's words, with the place and the line.
import { BrineError } from '../../error.ts'
import { HOLE_CLOSE, HOLE_OPEN } from '../hole.ts'

/** Which step refused the document; PyYAML's exception of the same name. */
export type YamlErrorKind = 'ReaderError' | 'ScannerError' | 'ParserError' | 'ComposerError' | 'ConstructorError'

/** A place in a document, both counted from 1; columns in characters. */
export interface YamlPlace {
  readonly line: number
  readonly column: number
}

/** What went wrong, in PyYAML's two halves; offsets point into the text. */
export interface YamlProblem {
  readonly kind: YamlErrorKind
  readonly problem: string
  readonly at: number
  readonly context?: string
  readonly contextAt?: number
}

const HINT =
  '\nA printed value cannot stand in an anchor, an alias, a tag, a directive or the header of a block. Write it out.'

/** A document that cannot be read. `reason` is Salt's text alone; `message` adds the line and a caret. */
export class YamlError extends BrineError {
  readonly kind: YamlErrorKind
  readonly reason: string
  readonly line: number
  readonly column: number
  readonly sourceLine: string
  constructor(problem: YamlProblem, text: string, name?: string) {
    const place = placeOf(text, problem.at)
    const { line: sourceLine, before } = shownLine(text, problem.at)
    const reason = reasonOf(problem, text)
    const margin = `${place.line} | `
    const caret = ' '.repeat(margin.length + [...before].length)
    const where = name === undefined ? '' : `\n${name}:${place.line}:${place.column}`
    const hint = text.startsWith(HOLE_OPEN, problem.at) && problem.kind === 'ScannerError' ? HINT : ''
    super(`${reason}${where}\n${margin}${sourceLine}\n${caret}^${hint}`, { code: 'yaml' })
    this.kind = problem.kind
    this.reason = reason
    this.line = place.line
    this.column = place.column
    this.sourceLine = sourceLine
  }
}

const BREAK = /\r\n|[\n\r\u0085\u2028\u2029]/g

/** Line and column of an offset; one past the end is the beginning of one more line. */
function placeOf(text: string, at: number): YamlPlace {
  const before = text.slice(0, at)
  let line = 1
  let start = 0
  for (const found of before.matchAll(BREAK)) {
    line++
    start = found.index + found[0].length
  }
  if (at > text.length) return { line: line + 1, column: 1 }
  const opening = start === 0 && text.charCodeAt(0) === 0xfeff ? 1 : 0
  return { line, column: [...before.slice(start + opening)].length + 1 }
}

/** Salt prints a scanner's problem bare, the others with their places. */
function reasonOf(problem: YamlProblem, text: string): string {
  if (problem.kind === 'ScannerError') return problem.problem
  if (problem.kind === 'ReaderError') {
    return `${problem.problem}\n  in "<unicode string>", position ${problem.at}`
  }
  const lines: string[] = []
  if (problem.context !== undefined) {
    lines.push(problem.context)
    const contextAt = problem.contextAt
    if (contextAt !== undefined && contextAt !== problem.at) lines.push(mark(text, contextAt))
  }
  lines.push(problem.problem, mark(text, problem.at))
  return lines.join('\n')
}

function mark(text: string, at: number): string {
  const { line, column } = placeOf(text, at)
  return `  in "<unicode string>", line ${line}, column ${column}`
}

function lineStart(text: string, at: number): number {
  if (at > text.length) return text.length
  let start = 0
  for (const found of text.slice(0, at).matchAll(BREAK)) start = found.index + found[0].length
  return start
}

const LONGEST_SHOWN = 160

/** The line of an offset, and what of it stands before the offset; of a long line only the neighbourhood. */
function shownLine(text: string, at: number): { line: string; before: string } {
  const start = lineStart(text, at)
  const rest = text.slice(start)
  const end = rest.search(BREAK)
  const line = end < 0 ? rest : rest.slice(0, end)
  const offset = at - start
  const from = line.length > LONGEST_SHOWN ? Math.max(0, offset - LONGEST_SHOWN / 2) : 0
  const cut = line.slice(from, from + LONGEST_SHOWN)
  return { line: showHoles(cut), before: showHoles(cut.slice(0, offset - from)) }
}

/** A token says nothing to a reader; what it stands for is not known here. */
function showHoles(line: string): string {
  return line.replace(new RegExp(`${HOLE_OPEN}\\d*${HOLE_CLOSE}`, 'g'), '{{…}}')
}
