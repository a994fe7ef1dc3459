// The raw outputter: the return as Python's str() prints it.
import { pythonStr, type Value } from '../../core/value/index.ts'

/** Python's text of the data on one line; a text is itself. */
export function raw(data: Value): string {
  return pythonStr(data)
}
