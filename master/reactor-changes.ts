// Changes to the reactor set made at run time, kept apart from the configuration: an edit of either is seen.
import type { StoredReactorSet } from './ports.ts'

type Entries = StoredReactorSet['entries']

/** Configured entries that were deleted at run time, and entries that were added. */
export interface ReactorChanges {
  readonly removed: Entries
  readonly added: Entries
}

/** The entries in force: the configured ones without the deleted, then the added. */
export function withChanges(configured: Entries, { removed, added }: ReactorChanges): Entries {
  return [...without(configured, removed), ...added]
}

/** What makes the wanted entries of the configured ones. */
export function changesBetween(configured: Entries, wanted: Entries): ReactorChanges {
  return { removed: without(configured, wanted), added: without(wanted, configured) }
}

/** What is left of a list when each entry of another was taken out once. */
function without(list: Entries, other: Entries): Entries {
  const rest = other.map(nameOf)
  return list.filter((entry) => {
    const index = rest.indexOf(nameOf(entry))
    if (index >= 0) rest.splice(index, 1)
    return index < 0
  })
}

function nameOf({ glob, files, match, onceWithin, groupBy }: Entries[number]): string {
  return JSON.stringify([glob, files, match, onceWithin, groupBy])
}
