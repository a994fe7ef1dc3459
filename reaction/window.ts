// Whose a window of `once_within` is: the one rule that every ledger keeps.
import type { WindowHolder, WindowRequest } from './ports.ts'

/** The holder after a request: the one there is where its window is open or its event asks again, else the asker. */
export function holderOf(known: WindowHolder | undefined, { event, at, until }: WindowRequest): WindowHolder {
  if (known === undefined) return { event, at, until }
  const isOpen = at < known.until && until > known.at
  return known.event === event || isOpen ? known : { event, at, until }
}
