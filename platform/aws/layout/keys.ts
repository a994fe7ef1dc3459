// The keys of every record: one function a kind, so that two adapters never claim the same.
import { createHash } from 'node:crypto'
import type { EventId, Jid, MinionId } from '../../../core/event/event.ts'
import { listShards, mostReturnShards, returnsPerShard, timeShards } from './limits.ts'

/** An item's key. Partition keys begin with the kind of record; ids stand in them as they are. */
export interface ItemKey {
  readonly pk: string
  readonly sk: string
}

/** A number between 0 and `shards`, the same each time for the same text. */
export function shardOf(text: string, shards: number): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) % shards
}

const TIME_DIGITS = 16
/** Sort key of a record in order of time: 16 digits of microseconds, then what makes it unique. */
export function timeKey(at: number, unique: string): string {
  return `${digits(at, TIME_DIGITS)}#${unique}`
}

/** A number as text that sorts as the number does. */
function digits(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

/** Table State: lists of minions, one partition a shard. `changes` of a list tell who read it what to read again. */
export const lists = {
  keys: 'key',
  grains: 'grains',
} as const

/** A list of one record a minion. */
export type ListName = (typeof lists)[keyof typeof lists]

/** Partitions of a list. */
export function listPartitions(list: string): string[] {
  return Array.from({ length: listShards }, (_, shard) => `${list}#${shard}`)
}

/** One minion's record in a list. */
export function listKey(list: string, id: MinionId): ItemKey {
  return { pk: `${list}#${shardOf(id, listShards)}`, sk: id }
}

const HOUR = 3_600_000_000

/** The partition of a list's changes at a time (microseconds): one an hour. */
export function changesPartition(list: ListName, at: number): string {
  return `changes#${list}#${Math.floor(at / HOUR)}`
}

/** The partitions that hold a list's changes between two times, oldest first. */
export function changesPartitions(list: ListName, from: number, to: number): string[] {
  const first = Math.floor(from / HOUR)
  const hours = Math.floor(to / HOUR) - first + 1
  return Array.from({ length: Math.max(hours, 1) }, (_, hour) => `changes#${list}#${first + hour}`)
}

/** Table State: when a minion was last seen. */
export const seenList = 'seen'
/** Table State: what minions give to others. */
export const mineList = 'mine'

/** Table State: sockets, `<minion>/<connection>` in a list, and by connection. */
export const socketList = 'socket'
/** See {@link socketList}. A minion's id holds no slash. */
export function socketKey(id: MinionId, connection: string): ItemKey {
  return { pk: listKey(socketList, id).pk, sk: `${id}/${connection}` }
}
/** Whose a connection is. */
export function connectionKey(connection: string): ItemKey {
  return { pk: `connection#${connection}`, sk: '-' }
}

/** Table State: a token, by its hash; an id that was used, by its hash. */
export function tokenKey(hash: string): ItemKey {
  return { pk: `token#${hash}`, sk: '-' }
}
/** See {@link tokenKey}. */
export function usedKey(hash: string): ItemKey {
  return { pk: `used#${hash}`, sk: '-' }
}

/** Table State: the audit, table Jobs: jobs and orchestrations, in order of time. */
export function timePartitions(list: 'audit' | 'job-time' | 'orchestration-time'): string[] {
  return Array.from({ length: timeShards }, (_, shard) => `${list}#${shard}`)
}

/** Table State: timers, by name and by time. */
export function timerKey(name: string): ItemKey {
  return { pk: `timer#${createHash('sha256').update(name).digest('base64url')}`, sk: '-' }
}
/** The partition of timers in order of time. */
export const timerTimes = 'timer-time'

/** Table State: which reactor set is in force. */
export const reactorPointer: ItemKey = { pk: 'config', sk: 'reactors' }
/** Table State: who changes the reactor set now. */
export const reactorLock: ItemKey = { pk: 'config', sk: 'reactors-lock' }
/** Table State: who changes the files now. */
export const filesLock: ItemKey = { pk: 'config', sk: 'files-lock' }

/** Table State: what runners keep in a bank, by key. */
export function bankKey(bank: string, key: string): ItemKey {
  return { pk: bankPartition(bank), sk: key }
}
/** See {@link bankKey}. */
export function bankPartition(bank: string): string {
  return `bank#${bank}`
}
/** The partition of the banks there are. */
export const bankPlaces = 'banks'
/** Table State: who was present when presence was last looked at. */
export const presenceKey: ItemKey = { pk: 'presence', sk: '-' }

/** Table State: who watches the log over a socket; the sort key is the connection. */
export const watcherPartition = 'watcher'
/** See {@link watcherPartition}. */
export function watcherKey(connection: string): ItemKey {
  return { pk: watcherPartition, sk: connection }
}

/** Table State: which key speaks for an instance; launches under way; what a group gave up. */
export function instanceKey(instance: string): ItemKey {
  return { pk: `instance#${instance}`, sk: '-' }
}
/** Table State: a machine that is being made, by its name; one whose minion is awaited, by its instance. */
export function beginningKey(name: string): ItemKey {
  return { pk: `beginning#${name}`, sk: '-' }
}
/** See {@link beginningKey}. */
export function expectedKey(instance: string): ItemKey {
  return { pk: `expected#${instance}`, sk: '-' }
}
/** The partition of launches; the sort key is the instance. */
export const launchPartition = 'launch'
/** The partition of a group's instances that were given up. */
export function abandonedPartition(group: string): string {
  return `abandoned#${group}`
}

/** Table Jobs: a job. */
export function jobKey(jid: Jid): ItemKey {
  return { pk: `job#${jid}`, sk: '-' }
}

/** How many partitions the returns of a job to so many minions are spread over. */
export function returnShards(minions: number): number {
  return Math.min(Math.max(Math.ceil(minions / returnsPerShard), 1), mostReturnShards)
}
/** Table Jobs: a minion's return. */
export function returnKey(jid: Jid, id: MinionId, shards: number): ItemKey {
  return { pk: `return#${jid}#${shardOf(id, shards)}`, sk: id }
}
/** The partitions of a job's returns. */
export function returnPartitions(jid: Jid, shards: number): string[] {
  return Array.from({ length: shards }, (_, shard) => `return#${jid}#${shard}`)
}

/** Table Jobs: the entries of a minion's mailbox; the sort key is the jid. */
export function mailboxPartition(id: MinionId): string {
  return `mailbox#${id}`
}
/** Table Jobs: a signed job, once for all its minions. */
export function envelopeKey(jid: Jid): ItemKey {
  return { pk: `envelope#${jid}`, sk: '-' }
}

/** Table Jobs: an orchestration. */
export function orchestrationKey(jid: Jid): ItemKey {
  return { pk: `orchestration#${jid}`, sk: '-' }
}
/** The partition of orchestrations that are not done; the sort key is the jid. */
export const openOrchestrations = 'orchestration-open'

/** Table State: the partition of what orchestrations wait for, and with which token; the sort key is the jid. */
export const holdPartition = 'orchestration-hold'
/** See {@link holdPartition}. */
export function holdKey(jid: Jid): ItemKey {
  return { pk: holdPartition, sk: jid }
}
/** Table State: the orchestration that waits for the end of a job or a run. */
export function awaitedKey(jid: Jid): ItemKey {
  return { pk: `awaited#${jid}`, sk: '-' }
}
/** Table State: the partition of orchestrations that wait for events; the sort key is the jid. */
export const hearingPartition = 'orchestration-hears'
/** See {@link hearingPartition}. */
export function hearingKey(jid: Jid): ItemKey {
  return { pk: hearingPartition, sk: jid }
}

const POSITION_DIGITS = 15
/** Table Events: the events of a shard, in chunks; the sort key is the position of the chunk's last event. */
export function logPartition(shard: number): string {
  return `log#${shard}`
}
/** See {@link logPartition}. */
export function positionKey(position: number): string {
  return digits(position, POSITION_DIGITS)
}
/** Table Events: the id of this log; the end of a shard. */
export const logIdentity: ItemKey = { pk: 'log', sk: 'id' }
/** See {@link logIdentity}. */
export function logEnd(shard: number): ItemKey {
  return { pk: `log-end#${shard}`, sk: '-' }
}
/** Table Events: where an event is, by its id. */
export function eventKey(id: EventId): ItemKey {
  return { pk: `event#${id}`, sk: '-' }
}

/** Table Events: what a root led to; the sort key is the event's id. */
export function ledPartition(root: EventId): string {
  return `led#${root}`
}

/** Table Ledger: an event's plan; with the same partition, its reactions. */
export function planKey(event: EventId): ItemKey {
  return { pk: `plan#${event}`, sk: '-' }
}
const ORDINAL_DIGITS = 6
/** Table Ledger: how one reaction stands. The ledger's own key is `<event id>/<ordinal>`. */
export function reactionItemKey(key: string): ItemKey {
  const slash = key.lastIndexOf('/')
  return { pk: `plan#${key.slice(0, slash)}`, sk: `r${digits(Number(key.slice(slash + 1)), ORDINAL_DIGITS)}` }
}
/** Table Ledger: reactions planned for a root event and what it led to. */
export function rootKey(root: EventId): ItemKey {
  return { pk: `root#${root}`, sk: '-' }
}
/** Table Ledger: whose a window of `once_within` is. */
export function windowKey(key: string): ItemKey {
  return { pk: `window#${key}`, sk: '-' }
}
