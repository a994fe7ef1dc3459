// Data as `nested` lines: keys above their values, four spaces a level, maps sorted by key, lists with `- ` or `|_`.
import { sortedEntries } from '../yaml-writer/sorted-entries.ts'
import { splitLines } from './python-lines.ts'
import { pythonRepr, pythonStr } from './python-text.ts'
import { type Dict, entries, isList, isMap, type Mapping, type Value } from './value.ts'

/** What stands in a line: a number or other scalar, a line of text, the mark of a list's item, a key of a map. */
export type NestedPart = 'scalar' | 'text' | 'item' | 'key'

/** How the lines are made. */
export interface NestedOptions {
  /** Spaces before every line. @default 0 */
  readonly indent?: number
  /** Colours a part. @default as it is */
  readonly paint?: (part: NestedPart, text: string) => string
  /** What is printed of a line of a text. @default as it is */
  readonly text?: (line: string) => string
}

interface Page {
  readonly lines: string[]
  readonly paint: (part: NestedPart, text: string) => string
  readonly text: (line: string) => string
}

/** The lines of a value, without an end of line. */
export function nestedText(data: Value, options: NestedOptions = {}): string {
  const asIs = (text: string): string => text
  const page: Page = { lines: [], paint: options.paint ?? ((_, text) => text), text: options.text ?? asIs }
  show(data, options.indent ?? 0, '', page)
  return page.lines.join('\n')
}

function show(value: Value, indent: number, prefix: string, page: Page): void {
  if (typeof value === 'string') showText(value, indent, prefix, page)
  else if (isList(value)) showList(value, indent, page)
  else if (isMap(value)) showMap(value, indent, prefix, page)
  else put(page, indent, 'scalar', `${prefix}${pythonRepr(value)}`)
}

function showText(text: string, indent: number, prefix: string, page: Page): void {
  let before = prefix
  for (const line of splitLines(text)) {
    put(page, indent, 'text', `${before}${page.text(line)}`)
    before = ' '.repeat(prefix.length)
  }
}

function showList(list: readonly Value[], indent: number, page: Page): void {
  for (const item of list) {
    if (isList(item) || isMap(item)) {
      put(page, indent, 'item', '|_')
      show(item, indent + 2, isMap(item) ? '' : '- ', page)
    } else {
      show(item, indent, '- ', page)
    }
  }
}

function showMap(map: Mapping | Dict, indent: number, prefix: string, page: Page): void {
  if (indent > 0) put(page, indent, 'key', '----------')
  for (const [key, value] of sortedEntries(entries(map))) {
    put(page, indent, 'key', `${prefix}${pythonStr(key)}`, ':')
    show(value, indent + 4, '', page)
  }
}

function put(page: Page, indent: number, part: NestedPart, text: string, suffix = ''): void {
  page.lines.push(`${' '.repeat(indent)}${page.paint(part, text)}${suffix}`)
}
