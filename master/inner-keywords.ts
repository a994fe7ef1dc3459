// Keywords that Salt adds itself: their names begin with two underscores.
import type { Mapping } from '../core/value/index.ts'

/** The caller's own keywords: without those that were added. */
export function withoutInner(kwargs: Mapping): Mapping {
  return Object.fromEntries(Object.entries(kwargs).filter(([key]) => !key.startsWith('__')))
}
