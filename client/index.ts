// The library for other programs: connect, watch, publish, run.
export { type Connection, connect, type WatchedEvent, type WatchOptions } from './connection.ts'
export { type EventOptions, getEvent, iterEvents } from './events.ts'
export { type Arrival, type CommandOptions, LocalClient } from './local-client.ts'
export { type Address, Refused } from './transport.ts'
