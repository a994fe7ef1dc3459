// The session, kept for this tab alone.
import type { Session } from './api.ts'

const KEY = 'brine-session'

/** The session of before a reload, if its token still holds. */
export function keptSession(): Session | undefined {
  const kept = sessionStorage.getItem(KEY)
  if (kept === null) return undefined
  const session = JSON.parse(kept) as Session
  return session.expire * 1000 > Date.now() ? session : undefined
}

/** Keeps it, or forgets the one there is. */
export function keepSession(session: Session | undefined): void {
  if (session === undefined) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, JSON.stringify(session))
}
