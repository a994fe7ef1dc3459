// Tickets: tokens that open one event stream, once, for addresses that others keep.
import type { Clock, TokenStore } from '../ports.ts'

/** Seconds a ticket is good for. */
export const ticketSeconds = 60

/** Marks a ticket as taken; true the first time. Whether it is a ticket, and whose, its caller has looked at. */
export function takeOnce(tokens: TokenStore, ticket: string, clock: Pick<Clock, 'now'>): Promise<boolean> {
  return tokens.useOnce(`ticket ${ticket}`, clock.now() + ticketSeconds * 1_000_000)
}
