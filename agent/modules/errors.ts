// What a function throws, by how its caller is told of it. The names are Salt's.
import { BrineError } from '../../core/error.ts'
import type { Mapping } from '../../core/value/index.ts'
import { nestedText } from '../../core/value/nested-text.ts'

/** Something the function did went wrong: `ERROR: <message>`. */
export class CommandExecutionError extends BrineError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'command', cause })
  }
}

/** As CommandExecutionError, with data about what happened: `errors`, and what was changed all the same. */
export class InformedCommandError extends CommandExecutionError {
  readonly changes: Mapping
  /** The message without the changes, for a state that returns them beside it. */
  readonly withoutChanges: string

  constructor(message: string, info: Mapping & { readonly changes: Mapping }) {
    super(informed(message, info))
    const { changes, ...rest } = info
    this.changes = changes
    this.withoutChanges = Object.keys(rest).length === 0 ? message : informed(message, rest)
  }
}

function informed(message: string, info: Mapping): string {
  const sentence = /[.?!]$/.test(message) ? message : `${message}.`
  return `${sentence} Additional info follows:\n\n${nestedText(info).trimEnd()}`
}

/** A program the function needs is not there. */
export class CommandNotFoundError extends BrineError {
  constructor(message: string) {
    super(message, { code: 'command-not-found' })
  }
}

/** The function was called the wrong way: `ERROR executing 'x.y': <message>`. */
export class SaltInvocationError extends BrineError {
  constructor(message: string) {
    super(message, { code: 'invocation' })
  }
}

/** Arguments do not fit: the message is Python's, and the caller gets the function's doc with it. */
export class ArgumentError extends BrineError {
  constructor(message: string) {
    super(message, { code: 'arguments' })
  }
}

/** Any other exception, under the name it has in Python: `KeyError`, `ValueError`, … */
export class PythonError extends BrineError {
  readonly type: string
  constructor(type: string, message: string) {
    super(message, { code: 'exception' })
    this.type = type
  }
}

/** A function nobody has, called by another function. */
export class MissingFunctionError extends PythonError {
  constructor(fun: string) {
    super('KeyError', `'${fun}'`)
  }
}

/** What Python prints when nobody catches it; the frames are ours. */
export function tracebackOf(error: unknown): string {
  const type = error instanceof PythonError ? error.type : error instanceof Error ? error.name : 'Exception'
  const message = error instanceof Error ? error.message : String(error)
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = [...stack.matchAll(/^\s+at (?:(?:async )?(\S+) \()?(.*?):(\d+):\d+\)?$/gm)].slice(0, 12).reverse()
  const lines = frames.map(
    ([, name, file, line]) => `  File "${(file ?? '').replace('file://', '')}", line ${line}, in ${name ?? '<module>'}`,
  )
  return ['Traceback (most recent call last):', ...lines, message === '' ? type : `${type}: ${message}`, ''].join('\n')
}
