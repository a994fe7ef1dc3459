// What a command reads and writes. stdout is the answer, stderr the talk.
import type { Interface } from 'node:readline'

/** A command's surroundings. */
export interface Io {
  /** Writes an answer; resolves when it was taken, so that a slow reader is waited for. */
  out(text: string): Promise<void>
  /** Writes what an outputter printed, where that is not `out`: `--out-file`. */
  readonly print?: (text: string) => Promise<void>
  err(text: string): void
  /** One line of input, without its end; undefined at the end of input. */
  ask(question: string): Promise<string | undefined>
  /** The same, unseen while it is typed. @default `ask` */
  readonly secret?: (question: string) => Promise<string | undefined>
  /** All of standard input. */
  input(): Promise<string>
  readonly isTty: boolean
  readonly environment: NodeJS.ProcessEnv
  /** Ends when the user interrupts. */
  readonly interrupted: AbortSignal
}

/** The process's own. A reader that went away (`| head`) ends the command quietly. */
export function processIo(): Io {
  const interrupt = new AbortController()
  process.once('SIGINT', () => interrupt.abort())
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  const piped = pipedLines()
  return {
    out: (text) =>
      new Promise((resolve) => {
        if (process.stdout.write(text)) resolve()
        else process.stdout.once('drain', resolve)
      }),
    err: (text) => void process.stderr.write(text),
    async ask(question) {
      process.stdout.write(question)
      return process.stdin.isTTY === true ? typedLine(false) : piped()
    },
    async secret(question) {
      process.stderr.write(question)
      const line = await (process.stdin.isTTY === true ? typedLine(true) : piped())
      process.stderr.write('\n')
      return line
    },
    async input() {
      const { text } = await import('node:stream/consumers')
      return text(process.stdin)
    },
    isTty: process.stdout.isTTY === true,
    environment: process.env,
    interrupted: interrupt.signal,
  }
}

/** A line from the terminal, which gives one at a time. */
async function typedLine(unseen: boolean): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  const { Writable } = await import('node:stream')
  // A reader that believes in a terminal echoes what is typed to its output.
  const hidden = { output: new Writable({ write: (_chunk, _encoding, done) => done() }), terminal: true }
  const reader = createInterface({ input: process.stdin, ...(unseen ? hidden : {}) })
  try {
    for await (const line of reader) return line
    return undefined
  } finally {
    reader.close()
  }
}

/** The lines of what is piped in, one a call: one reader for all of them, since it takes more than a line at once. */
function pipedLines(): () => Promise<string | undefined> {
  let opened: { readonly reader: Interface; readonly lines: AsyncIterator<string> } | undefined
  return async () => {
    if (opened === undefined) {
      const { createInterface } = await import('node:readline')
      const reader = createInterface({ input: process.stdin })
      opened = { reader, lines: reader[Symbol.asyncIterator]() }
    }
    const { reader, lines } = opened
    reader.resume()
    const { value, done } = await lines.next()
    // What is left open must not keep the program from ending.
    reader.pause()
    return done === true ? undefined : value
  }
}
