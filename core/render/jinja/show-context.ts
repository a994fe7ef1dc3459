// `show_full_context()`: the variables a template sees, as plain values.

import { RootScope } from './context.ts'
import { type Datum, isDict, plain, str, TemplateObject } from './datum.ts'
import { dictPairs, newDict } from './dict.ts'
import type { Run } from './run.ts'

/** Every variable of the render; what is no plain value as its text. */
export function showFullContext(run: Run): Datum {
  const scope = new RootScope(run, false)
  const pairs: [Datum, Datum][] = []
  for (const name of new Set(scope.names())) {
    const value = scope.resolve(name)
    if (value !== undefined) pairs.push([name, simple(value)])
  }
  return newDict(pairs)
}

function simple(datum: Datum): Datum {
  if (Array.isArray(datum)) return Array.from(datum, simple)
  if (isDict(datum)) return newDict(dictPairs(datum).map(([key, value]) => [key, simple(value)] as const))
  return datum instanceof TemplateObject ? (plain(datum) === datum ? str(datum) : plain(datum)) : datum
}
