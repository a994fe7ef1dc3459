// The no_return outputter: notices about minions that did not return.
import { entries, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import { sortedEntries } from '../../core/yaml-writer/sorted-entries.ts'
import { type Colours, colours } from './colour.ts'
import type { OutputOptions } from './outputter.ts'

/** Ids in cyan above their notices in red; anything else but maps and texts is left out. */
export function noReturn(data: Value, options: OutputOptions): string {
  return show(data, 0, colours(options.color))
}

function show(value: Value, indent: number, palette: Colours): string {
  const space = ' '.repeat(indent)
  if (typeof value === 'string') {
    return value
      .split('\n')
      .map((line) => `${palette.RED}${space}${line}${palette.ENDC}\n`)
      .join('')
  }
  if (!isMap(value)) return ''
  return sortedEntries(entries(value))
    .map(
      ([key, item]) => `${palette.CYAN}${space}${pythonStr(key)}${palette.ENDC}:\n${show(item, indent + 4, palette)}`,
    )
    .join('')
}
