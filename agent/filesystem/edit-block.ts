// The text between two marker lines of a file. Salt's `file.blockreplace`.
import { readFile } from 'node:fs/promises'
import { diffText } from '../../core/value/unified-diff.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { needText, writeEdited } from './edit.ts'
import { textPattern } from './pattern.ts'
import { decode, fileLines } from './text.ts'
import { writeWhole } from './write.ts'

/** What stands between which markers, and where they go where they are missing. */
export interface Block {
  readonly start: string
  readonly end: string
  readonly content: string
  readonly append: boolean
  readonly prepend: boolean
  readonly beforeMatch?: string
  readonly afterMatch?: string
  /** The end marker gets a line of its own; undefined: where the content does not end in a line feed. */
  readonly newline?: boolean
}

/** How it is done. */
export interface BlockOptions {
  readonly backup?: string
  readonly dryRun: boolean
  readonly showChanges: boolean
}

/** The diff, or with `showChanges` off whether anything changed. */
export async function replaceBlock(path: string, block: Block, options: BlockOptions): Promise<string | boolean> {
  await needText(path)
  const bytes = await readFile(path)
  const text = decode(bytes)
  const before = fileLines(text)
  const after = withBlock(before, block)
  const diff = diffText(before, after)
  if (diff !== '' && !options.dryRun) {
    const result = after.join('')
    if (Buffer.from(text).equals(bytes)) {
      if (options.backup === undefined) await writeWhole(path, result)
      else await writeEdited(path, Buffer.from(result).toString('latin1'), options.backup)
    } else await writeEdited(path, result, options.backup)
  }
  return options.showChanges ? diff : diff !== ''
}

/** The lines with the block in place. Throws where a block does not end, or there is no place for it. */
function withBlock(lines: readonly string[], block: Block): string[] {
  const end = lines[0]?.endsWith('\r\n') === true ? '\r\n' : '\n'
  const result: string[] = []
  let inside = false
  let isThere = false
  for (const line of lines) {
    if (line.includes(block.start)) inside = true
    else if (inside) {
      const at = line.indexOf(block.end)
      if (at < 0) continue
      inside = false
      isThere = true
      result.push(...bodyOf(block, end, line.slice(at)))
      continue
    }
    result.push(line)
  }
  if (inside) throw new CommandExecutionError('Unterminated marked block. End of file reached before marker_end.')
  if (isThere) return result
  const whole = [block.start + end, ...bodyOf(block, end, block.end)]
  if (block.prepend) return [...whole, ...result]
  if (block.append) {
    const last = result.at(-1)
    if (last !== undefined && !last.endsWith(end)) result[result.length - 1] = last + end
    return [...result, ...whole]
  }
  const beside = block.beforeMatch ?? block.afterMatch
  const pattern = beside === undefined ? undefined : textPattern(beside)
  const at = pattern === undefined ? -1 : lines.findIndex((line) => pattern.test(line))
  if (at < 0) throw new CommandExecutionError('Cannot edit marked block. Markers were not found in file.')
  result.splice(block.beforeMatch === undefined ? at + 1 : at, 0, ...whole)
  return result
}

function bodyOf({ content, newline }: Block, end: string, marker: string): string[] {
  const parts = content.split(/\r?\n/)
  const last = parts.pop() ?? ''
  const closing = marker.replace(/[\r\n]+$/, '') + end
  const own = newline ?? !content.endsWith('\n')
  return [...parts.map((part) => part + end), ...(own ? [last + end, closing] : [last + closing])]
}
