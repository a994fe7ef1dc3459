// Turns a regular expression in Python's syntax into a JavaScript one that matches the same text.
import { BrineError } from '../error.ts'
import { RegexReader } from './python-regex-reader.ts'

/** Where the expression has to match: Python's `re.match`, `re.search` and `re.fullmatch`. */
export type RegexAnchor = 'match' | 'search' | 'fullmatch'

/** How {@link pythonRegex} compiles. */
export interface PythonRegexOptions {
  /** @default 'match' */
  readonly anchor?: RegexAnchor
  /** As `re.IGNORECASE`. @default false */
  readonly ignoreCase?: boolean
  /** As `re.MULTILINE`. @default false */
  readonly multiLine?: boolean
  /** As `re.DOTALL`. @default false */
  readonly dotAll?: boolean
  /** Any of JavaScript's `g`, `y` and `d`. @default none */
  readonly flags?: string
}

/**
 * Compiles a Python expression: `(?P<n>…)`, `(?i)`, `(?x)`, scoped flags, `\A`, `\Z`, Unicode `\w` and `\d`, `$` before
 * a last newline, possessive and atomic groups. Groups keep their numbers and names unless atomic groups are used.
 * A reference to a group that took no part matches the empty text (in Python it fails).
 * Throws a BrineError `regex` for what Python refuses, and for conditional groups, which JavaScript cannot express.
 */
export function pythonRegex(pattern: string, options: PythonRegexOptions = {}): RegExp {
  const reader = new RegexReader(pattern, {
    ignoreCase: options.ignoreCase ?? false,
    multiLine: options.multiLine ?? false,
    dotAll: options.dotAll ?? false,
    ascii: false,
    verbose: false,
  })
  const source = reader.read()
  const anchor = options.anchor ?? 'match'
  const whole = anchor === 'search' ? source : `^(?:${source})${anchor === 'fullmatch' ? '(?![\\s\\S])' : ''}`
  try {
    return new RegExp(whole, `v${reader.ignoresCase ? 'i' : ''}${options.flags ?? ''}`)
  } catch (cause) {
    throw new BrineError(`Invalid regular expression '${pattern}': ${reasonOf(cause)}. Correct the pattern.`, {
      code: 'regex',
      cause,
    })
  }
}

function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return message.replace(/^Invalid regular expression: .*: /s, '').toLowerCase()
}
