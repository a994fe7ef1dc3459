// The library for other programs: connect, watch, publish, run.
export { type Connection, connect, connectOver, type WatchedEvent, type WatchOptions } from './connection.ts'
export { type EventOptions, getEvent, iterEvents } from './events.ts'
export { type Arrival, type CommandOptions, LocalClient } from './local-client.ts'
export { type Address, type Exchange, Refused, type Transport, transportOver } from './transport.ts'
