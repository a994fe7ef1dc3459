// A command's surroundings that keep what it says.
import type { Io } from '../../cli/commands/io.ts'

/** What a command said, and its surroundings. */
export interface Captured {
  readonly io: Io
  stdout(): string
  stderr(): string
}

/** Surroundings with this environment; what is asked is answered by these lines, one after the other. */
export function captured(environment: NodeJS.ProcessEnv, lines: readonly string[] = []): Captured {
  let stdout = ''
  let stderr = ''
  const left = [...lines]
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    io: {
      out: async (text) => {
        stdout += text
      },
      err: (text) => {
        stderr += text
      },
      ask: async (question) => {
        stdout += question
        return left.shift()
      },
      input: async () => left.join('\n'),
      isTty: false,
      environment,
      interrupted: new AbortController().signal,
    },
  }
}
