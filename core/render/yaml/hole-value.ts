// What a printed value becomes in YAML: the value of its Python text, without ever reading that text as structure.
import { entries, isList, isMap, mapOf, pythonStr, Tuple, type Value } from '../../value/index.ts'
import type { Hole } from '../hole.ts'
import { typedText } from './scalar-type.ts'

/** The value of a hole that is a plain scalar's whole text. */
export function holeValue(hole: Hole): Value {
  const { value } = hole
  if (hole.typed) return value
  if (typeof value === 'string') return typedText(trimmed(value))
  return elementOf(value)
}

/**
 * A printed value inside a printed list or map, where Python quotes text: text stays text, None is the text `None`,
 * a number is what YAML makes of its digits, a tuple is its text.
 */
function elementOf(value: Value): Value {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isInteger(value)) return value
  if (isList(value) && !(value instanceof Tuple)) return value.map(elementOf)
  if (isMap(value)) return mapOf(entries(value).map(([key, item]) => [elementOf(key), elementOf(item)]))
  return typedText(pythonStr(value))
}

/**
 * A printed text in a block scalar: where each further line is indented as the block is (or empty), that indentation
 * goes, and in a folded block the lines fold; otherwise the text stays as it is.
 */
export function textInBlock(text: string, indent: number, folded: boolean): string {
  if (!text.includes('\n')) return text
  const [first = '', ...rest] = text.split('\n')
  const margin = ' '.repeat(indent)
  if (!rest.every((line) => line.startsWith(margin) || /^ *$/.test(line))) return text
  const lines = [first, ...rest.map((line) => line.slice(indent))]
  return folded ? fold(lines) : lines.join('\n')
}

/** One break between two lines of text becomes a space; blank lines stand for themselves; indented lines keep theirs. */
function fold(lines: readonly string[]): string {
  let text = lines[0] ?? ''
  let previous = text
  let blanks = 0
  for (const line of lines.slice(1)) {
    if (line === '') {
      blanks++
      continue
    }
    const keeps = previous === '' || /^[ \t]/.test(previous) || /^[ \t]/.test(line)
    text += keeps ? '\n'.repeat(blanks + 1) : blanks === 0 ? ' ' : '\n'.repeat(blanks)
    text += line
    previous = line
    blanks = 0
  }
  return text + '\n'.repeat(blanks)
}

const WHITE = ' \t\n\r\u0085\u2028\u2029'

/** Without the white space around it, as a plain scalar is read. Linear, unlike an expression that ends in `+$`. */
export function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && WHITE.includes(text.charAt(start))) start++
  while (end > start && WHITE.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Without the line ends at its end. */
export function withoutLineEnds(text: string): string {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === '\n') end--
  return text.slice(0, end)
}
