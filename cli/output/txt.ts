// The txt outputter: every line of a return after the minion's id.
import { entries, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import { splitLines } from '../../core/value/python-lines.ts'
import type { OutputOptions } from './outputter.ts'
import { pprint } from './pprint.ts'

/** `id: line` for each line of text, `id: value` for the rest; a text outside a map as it is. */
export function txt(data: Value, options: OutputOptions): string {
  if (typeof data === 'string') return `${data}\n`
  if (!isMap(data)) return `${pprint(data, options)}\n`
  let text = ''
  for (const [key, value] of entries(data)) {
    const lines = typeof value === 'string' ? splitLines(value) : [pythonStr(value)]
    for (const line of lines) text += `${pythonStr(key)}: ${line}\n`
  }
  return text
}
