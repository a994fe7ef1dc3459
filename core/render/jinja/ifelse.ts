// Salt's `ifelse()`: the first value whose matcher matches the minion, else the last argument.
import { callDatum } from './call.ts'
import { RootScope } from './context.ts'
import type { Datum, Kwargs } from './datum.ts'
import { newDict } from './dict.ts'
import { itemOf } from './lookup.ts'
import { PythonError } from './python-error.ts'
import type { Run } from './run.ts'
import { Undefined } from './undefined.ts'

const DEFAULT = 'SALT_IFELSE_FUNCTION_DEFAULT'

/** `ifelse(matcher, value, …, otherwise)`; matchers are targets, tried by `match.filter_by`. */
export function ifelse(args: readonly Datum[], kwargs: Kwargs, run: Run): Datum {
  if (args.length % 2 === 0) {
    throw new PythonError('SaltException', 'The ifelse function must have an odd number of arguments!')
  }
  const otherwise = args.at(-1) ?? null
  if (args.length === 1) return otherwise
  const pairs: [Datum, Datum][] = []
  for (let index = 0; index + 1 < args.length; index += 2) {
    const key = args[index] ?? null
    const matcher = key === true ? '*' : key === false ? 'SALT_IFELSE_MATCH_NOTHING' : key
    pairs.push([matcher, args[index + 1] ?? null])
  }
  const lookup = newDict([...pairs, [DEFAULT, otherwise]])
  const salt = new RootScope(run, false).resolve('salt') ?? run.undefined({ name: 'salt' })
  const match = itemOf(salt, 'match.filter_by', run)
  if (match instanceof Undefined) match.fail()
  const options = new Map(kwargs)
  options.set('default', DEFAULT)
  return callDatum(match, [lookup], options, run)
}
