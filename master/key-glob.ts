// A minion's id as a glob that means it alone.
import type { MinionId } from '../core/event/event.ts'

/** A glob that matches this id and no other. */
export function literalGlob(id: MinionId): string {
  return id.replace(/[[*?]/g, '[$&]')
}
