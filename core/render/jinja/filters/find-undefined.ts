// Salt's serializing filters give an undefined back where their input holds one.

import { checkSize } from '../budget.ts'
import { type Datum, isDict } from '../datum.ts'
import { dictValues } from '../dict.ts'
import type { Run } from '../run.ts'
import { Undefined } from '../undefined.ts'

/** An undefined with the messages of all that the input holds, `undefined` where it holds none. */
export function findUndefined(input: Datum, run: Run): Undefined | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  if (input instanceof Undefined) return input.strict ? new Undefined({ hint: input.message }, true) : undefined
  if (!Array.isArray(input) && !isDict(input)) return undefined
  checkSize(input)
  const messages: string[] = []
  const seen = new Set<Datum>()
  const visit = (datum: Datum): void => {
    if (typeof datum !== 'object' || datum === null || seen.has(datum)) return
    seen.add(datum)
    if (datum instanceof Undefined) {
      if (datum.strict) messages.push(datum.message)
    } else if (Array.isArray(datum)) datum.forEach(visit)
    else if (isDict(datum)) dictValues(datum).forEach(visit)
  }
  visit(input)
  return messages.length === 0 ? undefined : run.undefined({ hint: messages.join('\n') })
}
