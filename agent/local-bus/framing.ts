// What goes over the local bus: one JSON map a line.
import type { Tag } from '../../core/event/event.ts'
import { isMapping, type Mapping, parseJson, stringifyJson, type Value } from '../../core/value/index.ts'

/** An event as it travels on the local bus; `data` has `_stamp`. */
export interface LocalEvent {
  readonly tag: Tag
  readonly data: Mapping
}

/** A line longer than this ends the connection. */
const longest = 16 * 1024 * 1024

/** One map as a line. */
export function encodeLine(value: Mapping): string {
  return `${stringifyJson(value, { ascii: false, separators: [',', ':'] })}\n`
}

/** Puts chunks together and gives back whole lines, parsed; lines that are no map are left out. Throws past 16 MiB without a line break. */
export function lineReader(onLine: (value: Mapping) => void): (chunk: string) => void {
  let rest = ''
  return (chunk) => {
    rest += chunk
    if (rest.length > longest) throw new Error('a line on the local bus is too long')
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const value = parsed(line)
      if (isMapping(value)) onLine(value)
    }
  }
}

function parsed(line: string): Value {
  try {
    return parseJson(line)
  } catch {
    return null
  }
}
