// One line of a file: inserted, ensured, replaced, deleted. Salt's `file.line`.
import { readFile, stat } from 'node:fs/promises'
import { messageOf } from '../../core/error.ts'
import { pythonRepr } from '../../core/value/index.ts'
import { diffText } from '../../core/value/unified-diff.ts'
import { formatDate } from '../date-format.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { keepCopy } from './edit.ts'
import { asPython } from './os-error.ts'
import { isRegularFile, realPath } from './paths.ts'
import { textPattern } from './pattern.ts'
import { decode, fileLines, textLinesWithEnds } from './text.ts'
import { writeWhole } from './write.ts'

/** What to do with which line. Undefined is Python's None. */
export interface LineEdit {
  readonly content?: string
  readonly match?: string
  readonly mode?: string
  /** `start` or `end`. */
  readonly location?: string
  readonly before?: string
  readonly after?: string
  readonly indent: boolean
}

/** How it is done. */
export interface LineOptions {
  readonly showChanges: boolean
  /** Keep a copy named for the moment. */
  readonly backup: boolean
  /** Answer false where there is no file. */
  readonly quiet: boolean
  readonly test: boolean
}

const modes = ['insert', 'ensure', 'delete', 'replace']

/** The diff, or with `showChanges` off whether anything changed; false where nothing did. */
export async function editLine(given: string, edit: LineEdit, options: LineOptions): Promise<string | boolean> {
  const path = await realPath(given)
  if (!(await isRegularFile(path))) {
    if (options.quiet) return false
    throw new CommandExecutionError(`File "${path}" does not exists or is not a file.`)
  }
  const mode = edit.mode?.toLowerCase()
  if (mode === undefined) throw new CommandExecutionError('Mode was not defined. How to process the file?')
  if (!modes.includes(mode)) throw new CommandExecutionError(`Unknown mode: "${mode}"`)
  if (mode !== 'delete' && edit.content === undefined) {
    throw new CommandExecutionError('Content can only be empty if mode is "delete"')
  }
  const before = await textOf(path)
  const lines = fileLines(before)
  if (lines.length > 0 && endOf(lines.at(-1) ?? '') !== '') lines.push('')
  const after = tidied(edited(lines, { ...edit, mode })).join('')
  if (after === before) return false
  if (options.backup && !options.test) await keepCopy(path, `${path}.${formatDate(Date.now(), '%Y-%m-%d-%H-%M-%S')}`)
  if (!options.test) await writeWhole(path, after)
  if (!options.showChanges) return true
  return diffText(textLinesWithEnds(before), textLinesWithEnds(after)) || true
}

async function textOf(path: string): Promise<string> {
  try {
    await stat(path)
    return decode(await readFile(path))
  } catch (error) {
    throw asPython(error, path)
  }
}

/** Every line but the last gets an end, the one the line before it has; an empty last line goes. */
function tidied(lines: readonly string[]): string[] {
  const result = [...lines]
  for (const [index, line] of result.entries()) {
    if (endOf(line) === '' && index + 1 < result.length) result[index] = withEndOf(result[index - 1 || 1] ?? '', line)
  }
  if (result.at(-1) === '') result.pop()
  return result
}

const endOf = (line: string): string => /(?:\r\n|\n|\r)$/.exec(line)?.[0] ?? ''
const withEndOf = (model: string, line: string): string => line.trimEnd() + (endOf(model) || '\n')
const bare = (line: string | undefined): string | undefined => line?.replace(/[\r\n]+$/, '')

/** The lines an expression finds; undefined where it or the file is empty. */
function found(lines: readonly string[], pattern: string | undefined): string[] | undefined {
  if (lines.length === 0 || pattern === undefined || pattern === '') return undefined
  try {
    const compiled = textPattern(pattern, 16)
    return lines.filter((line) => compiled.test(line) || line.includes(pattern))
  } catch (error) {
    throw new CommandExecutionError(`${messageOf(error)}: ${pythonRepr(pattern)}`, error)
  }
}

function only(lines: readonly string[], what: 'before' | 'after'): string {
  const [line] = lines
  if (line !== undefined && lines.length === 1) return line
  throw new CommandExecutionError(
    `Found ${lines.length > 1 ? 'more than' : 'less than'} expected occurrences in "${what}" expression`,
  )
}

function indented(model: string | undefined, line: string, indent: boolean): string {
  if (!indent) return line
  return (/^[\t ]*/.exec(model ?? '')?.[0] ?? '') + line.trimStart()
}

function inserted(lines: readonly string[], at: number, line: string): string[] {
  return [...lines.slice(0, at), line, ...lines.slice(at)]
}

function edited(lines: readonly string[], edit: LineEdit & { readonly mode: string }): readonly string[] {
  const { mode, content = '', indent } = edit
  const first = !edit.match && edit.before === undefined && edit.after === undefined ? edit.content : edit.match
  const after = found(lines, edit.after)
  const before = found(lines, edit.before)
  const match = found(lines, first)?.[0]
  if (mode === 'insert') return insert(lines, edit, before, after)
  if (mode === 'ensure') return ensure(lines, edit, before, after)
  if (lines.length === 0 || match === undefined) return lines
  if (mode === 'delete') return lines.filter((line) => line !== match)
  return lines.map((line, index) => (index === lines.indexOf(match) ? indented(line, content, indent) : line))
}

function insert(
  lines: readonly string[],
  edit: LineEdit,
  before: string[] | undefined,
  after: string[] | undefined,
): readonly string[] {
  const { content = '', location, indent } = edit
  if (before === undefined && after === undefined && location === undefined) {
    throw new CommandExecutionError('On insert either "location" or "before/after" conditions are required.')
  }
  if (location !== undefined && location !== '') {
    if (location === 'end') return lines.length === 0 ? [content] : [...lines, indented(lines.at(-1), content, indent)]
    if (location === 'start')
      return lines.length === 0 ? [`${content}\n`] : [withEndOf(lines[0] ?? '', content), ...lines]
    return lines
  }
  const hasBefore = before !== undefined && before.length > 0
  const hasAfter = after !== undefined && after.length > 0
  if (hasBefore && hasAfter) {
    const last = lines.indexOf(only(before, 'before'))
    only(after, 'after')
    return inserted(lines, last, indented(lines[last], content, indent))
  }
  if (hasAfter) {
    const at = lines.indexOf(only(after, 'after'))
    if (bare(lines[at + 1]) === bare(content)) return lines
    return inserted(lines, at + 1, indented(lines[at], content, indent))
  }
  if (hasBefore) {
    const at = lines.indexOf(only(before, 'before'))
    if (bare(lines.at(at - 1)) === bare(content)) return lines
    return inserted(lines, at, indented(lines[at], content, indent))
  }
  throw new CommandExecutionError('Neither before or after was found in file')
}

function ensure(
  lines: readonly string[],
  edit: LineEdit,
  before: string[] | undefined,
  after: string[] | undefined,
): readonly string[] {
  const { content = '', indent } = edit
  const hasBefore = before !== undefined && before.length > 0
  const hasAfter = after !== undefined && after.length > 0
  if (hasBefore && hasAfter) {
    const from = lines.indexOf(only(after, 'after'))
    const to = lines.indexOf(only(before, 'before'))
    if (lines.some((line) => line.trimStart() === content)) return lines
    const line = indented(lines[from], content, indent)
    if (from + 1 === to) return inserted(lines, from + 1, line)
    if (from + 2 === to) return lines.map((old, index) => (index === from + 1 ? line : old))
    throw new CommandExecutionError('Found more than one line between boundaries "before" and "after".')
  }
  if (hasBefore) {
    const at = lines.indexOf(only(before, 'before'))
    if (at > 0 && bare(lines[at - 1]) === bare(content)) return lines
    return inserted(lines, at, indented(lines.at(at - 1), content, indent))
  }
  if (hasAfter) {
    const at = lines.indexOf(only(after, 'after'))
    if (at + 1 < lines.length && bare(lines[at + 1]) === bare(content)) return lines
    return inserted(lines, at + 1, indented(lines[at], content, indent))
  }
  throw new CommandExecutionError(
    'Wrong conditions? Unable to ensure line without knowing where to put it before and/or after.',
  )
}
