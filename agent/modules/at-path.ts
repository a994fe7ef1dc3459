// What is at a path, or a default.
import type { Value } from '../../core/value/index.ts'
import { traverse } from '../../core/value/traverse.ts'

/** The value at a path, `fallback` where it leads nowhere. A None that is there is answered. */
export function atPath(data: Value, path: Value, fallback: Value, delimiter = ':'): Value {
  const found = traverse(data, path, delimiter)
  return found === undefined ? fallback : found
}
