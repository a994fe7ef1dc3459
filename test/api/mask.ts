// What of an exchange varies between two runs, taken out of it.
import type { Answer } from './exchange.ts'

/** Headers that say when and by what. */
const masked = new Set(['date', 'server', 'content-length'])

const texts: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{64}\b/g, '<token>'],
  [/\b[0-9a-f]{40}\b/g, '<token>'],
  [/(?<!\d)20\d{18}(?!\d)/g, '<jid>'],
  [/\b(?:[0-9a-f]{2}:){31}[0-9a-f]{2}\b/g, '<finger>'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\b/g, '<date>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\b/g, '<stamp>'],
  [/((?<![A-Za-z])"?(?:start|expire|ts)"?: )\d+(\.\d+)?/g, '$10'],
  [/\b\d{4}, [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d\.\d{6}\b/g, '<date>'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>'],
  [/brine-run\b/g, 'salt-run'],
  [/\bbrine '\*'/g, "salt '*'"],
]

/** Text without what varies. */
export function maskText(text: string): string {
  return texts.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text)
}

/** An answer as lines to compare: status, headers by name, body. */
export function comparable({ status, headers, body }: Answer): { status: string; headers: string[]; body: unknown } {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  return {
    status,
    headers: headers
      .filter(([name]) => !masked.has(name))
      .map(([name, value]) => maskText(`${name}: ${value}`))
      .sort(),
    body: bodyOf(type, maskText(body)),
  }
}

function bodyOf(type: string, body: string): unknown {
  if (type.startsWith('application/json')) return read(body)
  return type.startsWith('text/event-stream') ? framesOf(body) : body
}

/** What Python writes may be no JSON: NaN is a number there. */
function read(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** The frames of a stream without what only ours has: their ids and comments. What carries a credential is redacted. */
function framesOf(body: string): string[] {
  const [first = '', ...rest] = body.split(/(?<=^retry: 400\n)/)
  const frames = rest
    .join('')
    .split('\n\n')
    .map((frame) =>
      frame
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('id:') && !line.startsWith(':'))
        .join('\n')
        .replace(/"(X-Auth-Token|Cookie)": "[^"]*"/g, '"$1": "<redacted>"'),
    )
    .filter((frame) => frame !== '')
  return [first, ...frames.map(sortedData).sort()]
}

/** The order of the fields of an event says nothing. */
function sortedData(frame: string): string {
  return frame.replace(/^data: (.*)$/m, (_, json: string) => `data: ${JSON.stringify(sorted(read(json) as never))}`)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  )
}
