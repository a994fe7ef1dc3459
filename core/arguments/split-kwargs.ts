// A job's `arg` taken apart again, as the minion and salt-run do before they call the function.
import { entries, isMap, type Mapping, pythonStr, type Value } from '../value/index.ts'
import { isMarked, keywords, withoutMark } from './keywords.ts'
import { type SplitArguments, splitInput } from './parse-input.ts'
import type { Signature } from './signature.ts'

/**
 * Positional arguments and keywords of a job's `arg`: every map marked `__kwarg__` adds keywords, and so does a text
 * like `key=value` that reached the job as text. A later keyword of the same name wins.
 */
export function splitKwargs(args: readonly Value[]): SplitArguments {
  const arg: Value[] = []
  const pairs: [Value, Value][] = []
  for (const value of args) {
    if (isMap(value) && isMarked(value)) {
      pairs.push(...withoutMark(value))
      continue
    }
    const { kwarg } = splitInput([value])
    const named = entries(kwarg)
    if (named.length === 0) arg.push(value)
    else pairs.push(...named)
  }
  return { arg, kwarg: keywords(pairs) }
}

/**
 * Salt's complaint about keywords the function has no parameter for, `undefined` where all fit. It comes before any
 * other check, and the minion shows it as `ERROR executing 'mod.fun': <this>`.
 */
export function invalidKeywords(signature: Signature, kwarg: Mapping): string | undefined {
  if (signature.varKwargs === true) return undefined
  const known = new Set(signature.params.map((param) => param.name))
  const invalid = entries(kwarg).filter(([name]) => !known.has(String(name)))
  if (invalid.length === 0) return undefined
  const list = invalid.map(([name, value]) => `${pythonStr(name)}=${pythonStr(value)}`)
  return `The following keyword arguments are not valid: ${list.join(', ')}`
}
