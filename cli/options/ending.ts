// How a command ends before it does anything: help, version, or a mistake on its command line.
import type { CommandSpec } from './option.ts'

/** What to write and the exit code. */
export interface Ending {
  readonly kind: 'end'
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** A mistake on the command line. */
export const EXIT_USAGE = 64
/** No target, no function, or a compound command whose arguments do not add up. */
export const EXIT_INCOMPLETE = 42

/** The line that every help and every usage error begins with, and an empty one. */
export function usageText(spec: CommandSpec): string {
  return `Usage: ${spec.name} ${spec.usage}\n\n`
}

/** Ends with the usage and the mistake on stderr, exit code 64; `hint` is a further line. */
export function usageError(spec: CommandSpec, message: string, hint?: string): Ending {
  const lines = `${spec.name}: error: ${message}\n${hint === undefined ? '' : `${hint}\n`}`
  return { kind: 'end', exit: EXIT_USAGE, stdout: '', stderr: usageText(spec) + lines }
}

/** Ends well with a text on stdout. */
export function answer(stdout: string): Ending {
  return { kind: 'end', exit: 0, stdout, stderr: '' }
}
