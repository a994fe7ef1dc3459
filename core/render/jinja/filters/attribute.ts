// Looking up `attribute='a.b.0'` as Jinja's filters do.
import { type Datum, textOf } from '../datum.ts'
import { itemOf } from '../lookup.ts'
import type { Run } from '../run.ts'
import { Undefined } from '../undefined.ts'

/** The parts of a path: digits are indexes. */
function partsOf(attribute: Datum): Datum[] {
  if (attribute === null) return []
  const text = textOf(attribute)
  if (text === undefined) return [attribute]
  return text.split('.').map((part) => (/^\p{Nd}+$/u.test(part) ? Number(part) : part))
}

/** Jinja's `ignore_case`. */
export function ignoreCase(datum: Datum): Datum {
  return textOf(datum)?.toLowerCase() ?? datum
}

/** A function that looks the path up in an item, with a default where it meets nothing. */
export function attributeGetter(attribute: Datum, run: Run, otherwise: Datum = null): (item: Datum) => Datum {
  const parts = partsOf(attribute)
  return (item) => {
    let found = item
    for (const part of parts) {
      found = itemOf(found, part, run)
      if (otherwise !== null && found instanceof Undefined) found = otherwise
    }
    return found
  }
}

/** A function that looks several paths up, separated by commas: the values as a list. */
export function attributesGetter(attribute: Datum, run: Run, change: (value: Datum) => Datum): (item: Datum) => Datum {
  const text = textOf(attribute)
  const getters = (text === undefined ? [attribute] : text.split(',')).map((path) => attributeGetter(path, run))
  return (item) => getters.map((getter) => change(getter(item)))
}
