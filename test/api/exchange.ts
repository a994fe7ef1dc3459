// HTTP exchanges as bytes over a socket, as the transcripts were made.
import { connect } from 'node:net'

/** An answer taken apart. */
export interface Answer {
  readonly status: string
  /** In the order in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Milliseconds for which a stream is read on once it holds what it was read for. */
const more = 500

/** Sends a request and reads until the server ends, or for so many milliseconds, or until `holds` says that all has come. */
export function exchange(
  port: number,
  request: string,
  readFor?: number,
  from = '127.0.0.1',
  holds: (text: string) => boolean = () => false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => socket.write(request))
    const chunks: Buffer[] = []
    const timer = readFor === undefined ? undefined : setTimeout(() => socket.destroy(), readFor)
    let last: NodeJS.Timeout | undefined
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (readFor !== undefined && holds(Buffer.concat(chunks).toString('utf8')))
        last ??= setTimeout(() => socket.destroy(), more)
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(timer)
      clearTimeout(last)
      resolve(parseAnswer(Buffer.concat(chunks).toString('utf8')))
    })
  })
}

/** A recorded or received answer. The body is put together where it came in chunks. */
export function parseAnswer(text: string): Answer {
  const end = /\r?\n\r?\n/.exec(text)
  const head = end === null ? text : text.slice(0, end.index)
  const rest = end === null ? '' : text.slice(end.index + end[0].length)
  const [status = '', ...lines] = head.split(/\r?\n/)
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  const chunked = headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked')
  return { status, headers, body: chunked ? joined(rest) : rest }
}

function joined(text: string): string {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const line = bytes.indexOf('\n', at)
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (Number.isNaN(size) || size === 0) return Buffer.concat(parts).toString('utf8')
    parts.push(bytes.subarray(line + 1, line + 1 + size))
    at = line + 1 + size
    while (bytes[at] === 13 || bytes[at] === 10) at++
  }
}
