// Python's regular expressions as templates use them, compiled once.
import { BrineError } from '../../error.ts'
import { pythonRegex, type RegexAnchor } from '../../target/python-regex.ts'
import { type Datum, textOf, typeName } from './datum.ts'
import { PythonError, typeError } from './python-error.ts'
import type { Run } from './run.ts'

const cache = new Map<string, RegExp>()

/** The expression; `flags` are JavaScript's. Throws Python's `re.error`. */
export function regexOf(
  pattern: Datum,
  anchor: RegexAnchor,
  ignoreCase: boolean,
  multiLine: boolean,
  run: Run,
  flags = '',
): RegExp {
  const source = textOf(pattern)
  if (source === undefined)
    throw typeError(`first argument must be string or compiled pattern, not ${typeName(pattern)}`)
  run.charge(1)
  const key = `${anchor}${ignoreCase ? 'i' : ''}${multiLine ? 'm' : ''}/${flags}/${source}`
  const known = cache.get(key)
  if (known !== undefined) {
    known.lastIndex = 0
    return known
  }
  try {
    const regex = pythonRegex(source, { anchor, ignoreCase, multiLine, flags })
    if (cache.size > 500) cache.clear()
    cache.set(key, regex)
    return regex
  } catch (error) {
    if (error instanceof BrineError) throw new PythonError('re.error', reasonOf(error.message))
    throw error
  }
}

/** The reason alone, out of a message that repeats the pattern and gives advice. */
function reasonOf(message: string): string {
  return message.replace(/^Invalid regular expression '[\s\S]*': /, '').replace(/\. Correct the pattern\.$/, '')
}
