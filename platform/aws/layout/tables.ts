// The DynamoDB tables of one master: what each is for, and the attributes all of them share.

/** One table: its keys, and the attribute that holds an item's end (seconds since 1970, DynamoDB's TTL). */
export interface TableShape {
  readonly name: TableName
  readonly partition: 'pk'
  readonly sort: 'sk'
  readonly expires: 'ttl'
  readonly about: string
}

/** The names of the tables, as the environment and the constructs use them. */
export type TableName = 'State' | 'Jobs' | 'Events' | 'Ledger'

const shape = (name: TableName, about: string): TableShape => ({
  name,
  partition: 'pk',
  sort: 'sk',
  expires: 'ttl',
  about,
})

/**
 * All tables, on demand. No index of DynamoDB's own is used: one lags behind its table, and what is listed has to be what
 * was written. Lists are partitions of their own instead (`keys.ts`).
 *
 * TTL only frees space, hours late or, on emulators, never: whoever reads an item with an end checks it.
 */
export const tables: readonly TableShape[] = [
  shape('State', 'keys, minions, sockets, tokens, audit, timers, the pointer to the reactor set'),
  shape('Jobs', 'jobs, returns, mailboxes'),
  shape('Events', 'the event log'),
  shape('Ledger', 'plans, claims and how they ended'),
]
