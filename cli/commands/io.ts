// What a command reads and writes. stdout is the answer, stderr the talk.

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
  return {
    out: (text) =>
      new Promise((resolve) => {
        if (process.stdout.write(text)) resolve()
        else process.stdout.once('drain', resolve)
      }),
    err: (text) => void process.stderr.write(text),
    async ask(question) {
      const { createInterface } = await import('node:readline/promises')
      process.stdout.write(question)
      const reader = createInterface({ input: process.stdin })
      try {
        for await (const line of reader) return line
        return undefined
      } finally {
        reader.close()
      }
    },
    secret: askUnseen,
    async input() {
      const { text } = await import('node:stream/consumers')
      return text(process.stdin)
    },
    isTty: process.stdout.isTTY === true,
    environment: process.env,
    interrupted: interrupt.signal,
  }
}

/** Asks on stderr. On a terminal what is typed is not shown. */
async function askUnseen(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  const { Writable } = await import('node:stream')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  process.stderr.write(question)
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY === true })
  try {
    for await (const line of reader) return line
    return undefined
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
