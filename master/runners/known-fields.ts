// Maps whose fields are there only when something is known.
import type { Mapping, Value } from '../../core/value/index.ts'

/** The fields that are not undefined, in their order. */
export function knownFields(fields: Readonly<Record<string, Value | undefined>>): Mapping {
  const known: Mapping = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) known[name] = value
  return known
}
