// The nested outputter, the default: keys above their values, four spaces a level.
import {
  type Dict,
  entries,
  isList,
  isMap,
  type Mapping,
  pythonRepr,
  pythonStr,
  type Value,
} from '../../core/value/index.ts'
import { sortedEntries } from '../../core/yaml-writer/sorted-entries.ts'
import { type Colours, colours, stripEscapes } from './colour.ts'
import type { OutputOptions } from './outputter.ts'
import { splitLines } from './python-lines.ts'

interface Page {
  readonly lines: string[]
  readonly colours: Colours
  readonly strip: boolean
  /** Red instead of the usual colour where the return code is not 0. */
  readonly failed: boolean
}

/** Prints data the way `salt` prints a return by default. Maps come sorted by key, lists with `- ` or `|_`. */
export function nested(data: Value, options: OutputOptions): string {
  const page: Page = {
    lines: [],
    colours: colours(options.color),
    strip: options.stripColors ?? true,
    failed: (options.retcode ?? 0) !== 0,
  }
  show(data, options.nestedIndent ?? 0, '', page)
  return page.lines.join('\n')
}

function show(value: Value, indent: number, prefix: string, page: Page): void {
  if (typeof value === 'string') showText(value, indent, prefix, page)
  else if (isList(value)) showList(value, indent, page)
  else if (isMap(value)) showMap(value, indent, prefix, page)
  else put(page, indent, page.colours.LIGHT_YELLOW, pythonRepr(value), prefix)
}

function showText(text: string, indent: number, prefix: string, page: Page): void {
  let before = prefix
  for (const line of splitLines(text)) {
    put(page, indent, page.colours.GREEN, page.strip ? stripEscapes(line) : line, before)
    before = ' '.repeat(prefix.length)
  }
}

function showList(list: readonly Value[], indent: number, page: Page): void {
  const colour = page.failed ? page.colours.RED : page.colours.GREEN
  for (const item of list) {
    if (isList(item) || isMap(item)) {
      put(page, indent, colour, '|_')
      show(item, indent + 2, isMap(item) ? '' : '- ', page)
    } else {
      show(item, indent, '- ', page)
    }
  }
}

function showMap(map: Mapping | Dict, indent: number, prefix: string, page: Page): void {
  const colour = page.failed ? page.colours.RED : page.colours.CYAN
  if (indent > 0) put(page, indent, colour, '----------')
  for (const [key, value] of sortedEntries(entries(map))) {
    put(page, indent, colour, pythonStr(key), prefix, ':')
    show(value, indent + 4, '', page)
  }
}

function put(page: Page, indent: number, colour: string, text: string, prefix = '', suffix = ''): void {
  page.lines.push(`${' '.repeat(indent)}${colour}${prefix}${text}${page.colours.ENDC}${suffix}`)
}
