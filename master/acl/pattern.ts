// A pattern of external_auth: a Python regular expression that has to match from the beginning, as `re.match`.
import { pythonRegex } from '../../core/target/index.ts'
import { pythonStr, type Value } from '../../core/value/index.ts'

const compiled = new Map<string, RegExp | undefined>()
const most = 5000

/**
 * Whether a text begins with what the pattern says. `test.ping` so allows `test.ping_all` too, as in Salt: end it with `$`
 * where that matters. A pattern that is no text or does not compile allows nothing.
 */
export function allows(pattern: Value, text: string): boolean {
  if (typeof pattern !== 'string') return false
  return regexOf(pattern)?.test(text) === true
}

/** {@link allows} of an argument, by its Python text; `null` in the configuration allows any. */
export function allowsArgument(pattern: Value, argument: Value): boolean {
  return pattern === null || allows(pattern, pythonStr(argument))
}

function regexOf(pattern: string): RegExp | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern)
  let regex: RegExp | undefined
  try {
    regex = pythonRegex(pattern)
  } catch {
    // What does not compile allows nothing; `checkGrants` tells the operator at start.
    regex = undefined
  }
  if (compiled.size >= most) compiled.clear()
  compiled.set(pattern, regex)
  return regex
}
