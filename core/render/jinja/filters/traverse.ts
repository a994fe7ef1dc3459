// Salt's `traverse`: a value deep inside maps and lists by a path.
import { type Datum, isDict, TextObject, textOf } from '../datum.ts'
import { dictItem } from '../dict.ts'
import { collect } from '../iterate.ts'
import { asIndex } from '../numbers.ts'
import type { Run } from '../run.ts'
import { parseInteger } from './number.ts'

/** What stands at the path, or the default. A list is entered by index, or by a key of the maps in it. */
export function traverse(data: Datum, key: Datum, otherwise: Datum, delimiter: string, run: Run): Datum {
  const text = textOf(key)
  const path = text !== undefined ? text.split(delimiter) : asIndex(key) !== undefined ? [key] : collect(key, run)
  let at = data
  for (const step of path) {
    const next = stepInto(at, step)
    if (next === undefined) return otherwise
    at = next
  }
  return at
}

/** One step of a path, `undefined` where it leads nowhere. */
export function stepInto(at: Datum, step: Datum): Datum | undefined {
  if (Array.isArray(at)) {
    const text = textOf(step)
    const index = text === undefined ? asIndex(step) : asIndex(parseInteger(text, 10) ?? null)
    const key = index ?? step
    for (const item of at) {
      const found = isDict(item) ? dictItem(item, key) : undefined
      if (found !== undefined) return found
    }
    return index === undefined ? undefined : at.at(index)
  }
  if (isDict(at)) {
    const found = dictItem(at, step)
    if (found !== undefined) return found
    const number = /^-?\d+$/.test(textOf(step) ?? '') ? parseInteger(textOf(step) ?? '', 10) : undefined
    return number === undefined ? undefined : dictItem(at, number)
  }
  if (typeof at === 'string' || at instanceof TextObject) {
    const index = asIndex(step)
    return index === undefined ? undefined : Array.from(textOf(at) ?? '').at(index)
  }
  return undefined
}
