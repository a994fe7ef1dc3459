// Comments lines out and in. Salt's `file.comment_line`.
import { readFile } from 'node:fs/promises'
import { diffText } from '../../core/value/unified-diff.ts'
import { SaltInvocationError } from '../modules/errors.ts'
import { needText, writeEdited } from './edit.ts'
import { isRegularFile, realPath } from './paths.ts'
import { textPattern } from './pattern.ts'
import { decode, fileLines } from './text.ts'

/** Which lines, and which way. */
export interface CommentEdit {
  readonly regex: string
  readonly char: string
  /** Comment out; otherwise in. */
  readonly comment: boolean
  /** The ending of the copy's name; undefined keeps none. */
  readonly backup?: string
}

/** The diff of the lines that changed; false where no line matches. */
export async function commentLines(given: string, edit: CommentEdit): Promise<string | false> {
  const path = await realPath(given)
  if (!(await isRegularFile(path))) throw new SaltInvocationError(`File not found: ${path}`)
  await needText(path)
  const { regex, char, comment } = edit
  const inner = regex.replace(/^\^+/, '').replace(/\$+$/, '')
  const dollar = regex.endsWith('$') ? '$' : ''
  const pattern = textPattern(
    comment ? `(?:${regex.startsWith('^') ? '^' : ''}(${inner})${dollar})` : `(?:^${char}\\s*(${inner})${dollar})`,
  )
  const bytes = await readFile(path)
  const text = decode(bytes)
  const isUtf8 = Buffer.from(text).equals(bytes)
  const before: string[] = []
  const after: string[] = []
  const result = fileLines(text).map((line) => {
    // Python's re.match: from the beginning of the line.
    if (pattern.exec(line)?.index !== 0) return line
    const changed = comment ? `${char}${line}` : withoutLeading(line, char)
    before.push(line)
    after.push(changed)
    return changed
  })
  if (before.length === 0) return false
  const whole = result.join('')
  await writeEdited(path, isUtf8 ? Buffer.from(whole).toString('latin1') : whole, edit.backup)
  return diffText(before, after)
}

/** Python's `lstrip(chars)`. */
export function withoutLeading(text: string, chars: string): string {
  let at = 0
  while (at < text.length && chars.includes(text[at] ?? '')) at++
  return text.slice(at)
}
