// Reads the transcripts of real Salt: event streams in both forms, commands with their output, reactions.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json, StreamEvent } from './mask.ts'

/** What a command printed and how it ended. */
export interface Outcome {
  readonly exit: number | string
  readonly stdout: string
  readonly stderr: string
}

/** `events/<name>`: the stream in both forms and what the commands run meanwhile printed. */
export interface EventsTranscript {
  readonly pretty: readonly StreamEvent[]
  readonly raw: readonly StreamEvent[]
  readonly steps: readonly Partial<Outcome>[]
}

/** Parses a stream printed with `pretty=True`; a last event that was cut off is left out. */
export function parsePretty(text: string): StreamEvent[] {
  const events: StreamEvent[] = []
  for (const part of text.split(/^(?=\S[^\t\n]*\t\{)/m)) {
    const tab = part.indexOf('\t')
    const data = tab < 0 ? undefined : parse(part.slice(tab + 1))
    if (data !== undefined) events.push({ tag: part.slice(0, tab), data })
  }
  return events
}

/** Parses a stream printed one event a line; a last line that was cut off is left out. */
export function parseRaw(text: string): StreamEvent[] {
  return text.split('\n').flatMap((line) => {
    const tab = line.indexOf('\t')
    const data = tab < 0 ? undefined : parse(line.slice(tab + 1))
    return data === undefined ? [] : [{ tag: line.slice(0, tab), data }]
  })
}

/** JSON, or undefined where the text is cut off. Python writes NaN and Infinity, which no event here has. */
function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** `events/<name>` under the goldens, where it is there. */
export function readEvents(goldens: string, name: string): EventsTranscript | undefined {
  const base = join(goldens, 'events', name)
  if (!existsSync(`${base}.txt`)) return undefined
  const { steps } = JSON.parse(read(`${base}.json`))
  return { pretty: parsePretty(read(`${base}.txt`)), raw: parseRaw(read(`${base}.raw.txt`)), steps }
}

/** `cli/<name>` under the goldens, where it is there. */
export function readCommand(goldens: string, name: string): Outcome | undefined {
  const base = join(goldens, 'cli', name)
  if (!existsSync(`${base}.json`)) return undefined
  return { exit: JSON.parse(read(`${base}.json`)).exit, stdout: read(`${base}.out`), stderr: read(`${base}.err`) }
}

/** `reactor/<name>`: the bus after the event, where it is there. */
export function readReaction(goldens: string, name: string): readonly StreamEvent[] | undefined {
  const path = join(goldens, 'reactor', `${name}.events.txt`)
  return existsSync(path) ? parseRaw(read(path)) : undefined
}

/** True where an event of a pretty stream is printed as Python prints it: keys sorted, four spaces, ASCII. */
export function isPrettyPrinted(text: string): boolean {
  const events = parsePretty(text)
  // A float without a fraction, 0.0, is read as the number 0.
  const printed = text.replace(/(": -?\d+)\.0(?=,?$)/gm, '$1')
  return events.every(({ tag, data }) => printed.includes(`${tag}\t${printPretty(data)}\n`))
}

/** Python's `json.dumps(…, indent=4, sort_keys=True)`, for data without floats. */
export function printPretty(data: Json): string {
  const sort = (_: string, value: Json): Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return JSON.stringify(data, sort, 4).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
