// An exception inside a template, named as Python names it, before it is known where in which file it happened.

/** The names of Python's, Jinja's and Salt's exceptions that templates meet. */
export type ExceptionName =
  | 'TypeError'
  | 'ValueError'
  | 'KeyError'
  | 'IndexError'
  | 'AttributeError'
  | 'ZeroDivisionError'
  | 'OverflowError'
  | 'RuntimeError'
  | 'RecursionError'
  | 'UnicodeError'
  | 're.error'
  | 'UndefinedError'
  | 'SecurityError'
  | 'TemplateSyntaxError'
  | 'TemplateRuntimeError'
  | 'TemplateNotFound'
  | 'SaltException'
  | 'CommandExecutionError'
  | 'SaltInvocationError'
  | 'Budget'
  | 'Unavailable'

/**
 * Thrown inside evaluation only; rendering turns it into a TemplateError. The place is filled in on the way out, where
 * the frame that failed is left.
 */
export class PythonError extends Error {
  readonly exception: ExceptionName
  /** What to do about it, where the message alone does not say. */
  readonly advice: string | undefined
  /** The template's name and line that failed, once known. */
  place: { readonly name: string | undefined; readonly line: number; readonly source: string } | undefined
  /** The line Salt reports: errors inside blocks are reported at the block's tag. */
  saltLine: number | undefined
  /** The template that {@link saltLine} is of. */
  saltTemplate: { readonly name: string | undefined; readonly source: string } | undefined

  constructor(exception: ExceptionName, message: string, advice?: string) {
    super(message)
    this.exception = exception
    this.advice = advice
  }
}

/** A TypeError with Python's message. */
export function typeError(message: string): PythonError {
  return new PythonError('TypeError', message)
}

/** A ValueError with Python's message. */
export function valueError(message: string): PythonError {
  return new PythonError('ValueError', message)
}
