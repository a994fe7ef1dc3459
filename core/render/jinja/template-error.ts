// What rendering throws: where in which template, the line itself with a caret, Salt's words and what to do.
import { BrineError } from '../../error.ts'
import { type ExceptionName, PythonError } from './python-error.ts'

/** The place and words of a {@link TemplateError}. */
export interface TemplateErrorDetails {
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  /** The text of the line. */
  readonly source: string | undefined
  /** The first line of the message Salt would log. */
  readonly saltMessage: string
  /** Where Salt places the error if that is not in the template that was rendered, but in one it includes or imports. */
  readonly included: { readonly name: string; readonly line: number; readonly source: string } | undefined
  /** Python's name of the exception, or `Budget` or `Unavailable`. */
  readonly exception: ExceptionName
}

/** The only error rendering throws besides Need. Its code is `template`, or `template-budget` for a limit. */
export class TemplateError extends BrineError {
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  readonly source: string | undefined
  readonly saltMessage: string
  readonly included: TemplateErrorDetails['included']
  readonly exception: ExceptionName

  constructor(message: string, details: TemplateErrorDetails, cause: unknown) {
    super(message, { code: details.exception === 'Budget' ? 'template-budget' : 'template', cause })
    this.file = details.file
    this.line = details.line
    this.column = details.column
    this.source = details.source
    this.saltMessage = details.saltMessage
    this.included = details.included
    this.exception = details.exception
  }
}

const VARIABLE: ReadonlySet<ExceptionName> = new Set(['UndefinedError'])
const SYNTAX: ReadonlySet<ExceptionName> = new Set(['TemplateSyntaxError', 'TemplateRuntimeError', 'SecurityError'])
const SALT: ReadonlySet<ExceptionName> = new Set(['CommandExecutionError', 'SaltInvocationError'])

/** Its first line: the line number follows the whole of a message, and so is lost to one of several lines. */
function saltMessage(error: PythonError, line: number | undefined): string {
  return wholeMessage(error, line).split('\n', 1)[0] ?? ''
}

function wholeMessage(error: PythonError, line: number | undefined): string {
  const where = line === undefined ? '' : `; line ${line}`
  if (VARIABLE.has(error.exception)) return `Jinja variable ${error.message}${where}`
  if (SYNTAX.has(error.exception)) return `Jinja syntax error: ${error.message}${where}`
  if (SALT.has(error.exception)) return `Problem running salt function in Jinja template: ${error.message}${where}`
  return `Jinja error: ${error.message}`
}

/** Turns what evaluation threw into a TemplateError; `file` and `text` are those of the template that was rendered. */
export function templateError(thrown: unknown, file: string | undefined, text: string): TemplateError {
  const error = asPythonError(thrown)
  const line = error.place?.line ?? error.saltLine
  const name = error.place?.name ?? file
  const source = line === undefined ? undefined : (error.place?.source ?? text).split(/\r\n|\r|\n/)[line - 1]
  const column = source === undefined ? undefined : columnOf(source, error.message)
  const where = [name ?? 'template', line, column].filter((part) => part !== undefined).join(':')
  const salt = saltMessage(error, error.saltLine ?? line)
  const lines = [`${where}: ${error.message}`]
  if (source !== undefined) lines.push(`  ${source}`, `  ${caret(source, column ?? 1)}`)
  if (error.advice !== undefined) lines.push(error.advice)
  return new TemplateError(
    lines.join('\n'),
    {
      file: name,
      line,
      column,
      source,
      saltMessage: salt,
      included: includedIn(error, text),
      exception: error.exception,
    },
    thrown,
  )
}

function includedIn(
  { saltLine: line, saltTemplate: template }: PythonError,
  text: string,
): TemplateErrorDetails['included'] {
  if (line === undefined || template?.name === undefined || template.source === text) return undefined
  return { name: template.name, line, source: template.source }
}

function caret(source: string, column: number): string {
  return `${source.slice(0, column - 1).replace(/[^\t]/g, ' ')}^`
}

/** Where in the line the name stands that the message quotes; else the first tag. */
function columnOf(source: string, message: string): number | undefined {
  for (const [, quoted] of [...message.matchAll(/'([^']+)'/g)].reverse()) {
    const at = quoted === undefined || quoted === '' ? -1 : source.indexOf(quoted)
    if (at >= 0) return at + 1
  }
  const tag = source.search(/\{[{%]/)
  return tag < 0 ? undefined : tag + 1
}

function asPythonError(thrown: unknown): PythonError {
  if (thrown instanceof PythonError) return thrown
  if (thrown instanceof RangeError && thrown.message.includes('call stack')) {
    return new PythonError('RecursionError', 'maximum recursion depth exceeded', 'The template nests too deep.')
  }
  if (thrown instanceof BrineError) return new PythonError('ValueError', thrown.message)
  return new PythonError('RuntimeError', thrown instanceof Error ? thrown.message : String(thrown))
}
