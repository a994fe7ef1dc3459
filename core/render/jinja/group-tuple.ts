// The tuple that `groupby` gives: a pair whose parts also go by name.
import { Tuple } from '../../value/index.ts'
import type { Datum } from './datum.ts'

/** `(grouper, list)`. */
export class GroupTuple extends Tuple {
  static pair(grouper: Datum, list: Datum[]): Datum[] {
    const made = new GroupTuple() as Datum[]
    made.push(grouper, list)
    return made
  }
}
