// The wheel functions there are: adding some touches their own file and one line here.
import type { Keys } from '../keys.ts'
import type { FunctionTable } from '../run.ts'
import { keyWheel } from './key.ts'

/** All wheel functions by full name. */
export function createWheel(keys: Keys): FunctionTable {
  return new Map(Object.entries({ ...keyWheel(keys) }))
}
