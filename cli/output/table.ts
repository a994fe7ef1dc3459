// The table outputter: lists below their keys as tables, a row an item.
import { entries, isList, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import { textLength } from '../../core/value/python-lines.ts'
import { sortedEntries } from '../../core/yaml-writer/sorted-entries.ts'
import { type Colours, colours } from './colour.ts'
import { type OutputOptions, Unprintable } from './outputter.ts'

/** A column's text is broken at spaces where it would be wider. */
const WIDTH = 50

/**
 * Keys with a rule below them; a list as a table whose labels are the keys of its first map. What is neither map nor list is
 * left out, as are rows that are not all of one kind. (Salt loses all but the first line of a cell that is broken.)
 */
export function table(data: Value, options: OutputOptions): string {
  return lines(data, options.nestedIndent ?? 0, colours(options.color))
    .map((line) => `${line}\n`)
    .join('')
}

function lines(value: Value, indent: number, palette: Colours): string[] {
  const space = ' '.repeat(indent)
  if (isList(value)) return rows(value, indent, palette)
  if (!isMap(value)) return []
  return sortedEntries(entries(value)).flatMap(([key, item]) => [
    `${space}${palette.DARK_GRAY}${pythonStr(key)}${palette.ENDC}:`,
    `${space}${palette.DARK_GRAY}----------${palette.ENDC}`,
    ...(isList(item) ? rows(item, indent, palette) : lines(item, indent + 4, palette)),
  ])
}

function rows(items: readonly Value[], indent: number, palette: Colours): string[] {
  const [first] = items
  if (first === undefined || new Set(items.map(kindOf)).size > 1) return []
  if (!isMap(first)) return grid(items.map(cellsOf), indent, false, palette)
  const labels = sortedEntries(entries(first)).map(([key]) => titled(pythonStr(key)))
  const cells = items.map((item) =>
    isMap(item) ? sortedEntries(entries(item)).map(([, cell]) => pythonStr(cell)) : [],
  )
  return grid([labels, ...cells], indent, true, palette)
}

function kindOf(value: Value): string {
  return isMap(value) ? 'map' : isList(value) ? 'list' : typeof value
}

function cellsOf(item: Value): string[] {
  const cells = isList(item) ? item : [item]
  return cells.map((cell) => {
    if (typeof cell !== 'string') throw new Unprintable('table', `${pythonStr(cell)} as a cell`)
    return cell
  })
}

function grid(all: readonly (readonly string[])[], indent: number, labelled: boolean, palette: Colours): string[] {
  const space = ' '.repeat(indent + 4)
  const logical = all.map((row) => row.map((cell) => broken(cell).split('\n')))
  const physical = logical.map((row) =>
    Array.from({ length: Math.max(0, ...row.map((cell) => cell.length)) }, (_, at) =>
      row.map((cell) => cell[at] ?? ''),
    ),
  )
  const columns = Math.min(...logical.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...physical.flat().map((row) => textLength(row[column] ?? ''))),
  )
  const total = widths.reduce((sum, width) => sum + width, 0) + 4 + 3 * (columns - 1)
  const rule = `${space}${palette.LIGHT_GRAY}${'-'.repeat(total)}${palette.ENDC}`
  const shown = physical.flatMap((row) => [
    ...row.map((line) => {
      const text = widths.map((width, column) => centred(line[column] ?? '', width)).join(' | ')
      return `${space}${palette.WHITE}| ${text} |${palette.ENDC}`
    }),
    rule,
  ])
  return labelled || all.length > 0 ? [rule, ...shown] : []
}

/** Python's `str.center`. */
function centred(text: string, width: number): string {
  const pad = width - textLength(text)
  const left = Math.floor(pad / 2) + (pad & width & 1)
  return `${' '.repeat(Math.max(left, 0))}${text}${' '.repeat(Math.max(pad - left, 0))}`
}

function broken(text: string): string {
  return text.split(' ').reduce((line, word) => {
    const last = line.slice(line.lastIndexOf('\n') + 1)
    return `${line}${textLength(last) + textLength(word.split('\n')[0] ?? '') >= WIDTH ? '\n' : ' '}${word}`
  })
}

/** Python's `str.title` of a key with spaces for its underscores. */
function titled(key: string): string {
  return key
    .replaceAll('_', ' ')
    .replace(/\p{L}+/gu, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
}
