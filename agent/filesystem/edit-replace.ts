// Replaces what an expression finds in a file. Salt's `file.replace` and `file.search`.
import { readFile } from 'node:fs/promises'
import { escapeRegex } from '../../core/value/escape-regex.ts'
import { diffText } from '../../core/value/unified-diff.ts'
import { SaltInvocationError } from '../modules/errors.ts'
import { linkCopy, needText, writeEdited } from './edit.ts'
import { asPython } from './os-error.ts'
import { exists, realPath } from './paths.ts'
import { bytePattern, latin, MULTILINE, substitute } from './pattern.ts'
import { byteLines, decode } from './text.ts'

/** What to replace. Undefined is Python's None. */
export interface Replacement {
  readonly pattern: string
  readonly replacement: string
  /** At most so many; 0 is all. */
  readonly count: number
  readonly flags: number
  readonly append: boolean
  readonly prepend: boolean
  /** What is appended or prepended in place of the replacement. */
  readonly otherwise?: string
  /** Backslashes in the replacement stand for themselves. */
  readonly literal: boolean
}

/** How it is done. */
export interface ReplaceOptions {
  /** The ending of the copy's name; undefined keeps none. */
  readonly backup?: string
  readonly dryRun: boolean
  readonly showChanges: boolean
  readonly ignoreMissing: boolean
}

/** The diff, or with `showChanges` off whether anything changed. */
export async function replaceInFile(
  given: string,
  what: Replacement,
  options: ReplaceOptions,
): Promise<string | boolean> {
  const path = await realPath(given)
  if (!(await exists(path)) && options.ignoreMissing) return false
  await needText(path)
  if (what.append && what.prepend) {
    throw new SaltInvocationError('Only one of append and prepend_if_not_found is permitted')
  }
  const text = await bytesOf(path)
  const replacement = latin(what.literal ? what.replacement.replaceAll('\\', '\\\\') : what.replacement)
  const pattern = bytePattern(what.pattern, what.flags, 'g')
  const done = substitute(pattern, what.pattern, replacement, text, what.count)
  const result = done.count > 0 ? done.text : added(text, what)
  const changed = result !== text
  if (changed && !options.dryRun) {
    await writeEdited(path, result, options.backup)
    if (options.backup !== undefined) await linkCopy(given, options.backup)
  }
  if (!options.showChanges) return changed
  return diffText(
    ...([text, result].map((bytes) => byteLines(decode(Buffer.from(bytes, 'latin1')))) as [string[], string[]]),
  )
}

/** With what was not found put at an end, unless it is there. */
function added(text: string, what: Replacement): string {
  if (!what.append && !what.prepend) return text
  const other = what.otherwise === undefined || what.otherwise === '' ? undefined : what.otherwise
  const there = bytePattern(`^${escapeRegex(other ?? what.replacement)}($|(?=\r\n))`, what.flags)
  if (there.test(text)) return text
  const content = latin(what.otherwise ?? what.replacement)
  if (what.prepend) return `${content}\n${text}`
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${content}\n`
}

/** Whether an expression finds something; `multiline` lets `^` and `$` stand at every line. */
export async function searchInFile(
  given: string,
  pattern: string,
  flags: number,
  { multiline = false, ignoreMissing = false } = {},
): Promise<boolean> {
  const path = await realPath(given)
  if (!(await exists(path)) && ignoreMissing) return false
  await needText(path)
  return bytePattern(pattern, multiline ? flags | MULTILINE : flags).test(await bytesOf(path))
}

async function bytesOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1')
  } catch (error) {
    throw asPython(error, path)
  }
}
