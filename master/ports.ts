// What a master needs from outside: the ports that the embedded and the AWS platform fill, with their promises.
// Every promise that resolves means durable, unless a port says otherwise. Times are microseconds since 1970.
import type { Event, EventId, EventSource, Jid, MinionId, Tag } from '../core/event/event.ts'
import type { Mapping, Value } from '../core/value/value.ts'
import type { DeliverySource, StoredReactorSet } from '../reaction/ports.ts'

/** Where events are published. At least once; a repeated event id is dropped by the log and by the ledger. Order within one call is kept. */
export interface EventBus {
  publish(events: readonly Event[]): Promise<void>
}

/** A place in the log. Opaque to all but the log; compare only for equality. */
export type Cursor = string

/** An event with the cursor that follows it. */
export interface LoggedEvent {
  readonly cursor: Cursor
  readonly event: Event
}

/**
 * The log every event goes to, in one order that never changes.
 *
 * Promises: reading on from a cursor misses nothing and repeats nothing, as long as the events are retained; an older
 * cursor reads from the oldest event there is and says so (`truncated`). `follow` yields what was committed, perhaps
 * before it is durable; it ends with the signal.
 */
export interface EventLog {
  end(): Promise<Cursor>
  read(after: Cursor | 'oldest', limit: number): Promise<{ events: LoggedEvent[]; cursor: Cursor; truncated: boolean }>
  follow(after: Cursor | 'now', signal: AbortSignal): AsyncIterable<readonly LoggedEvent[]>
  find(id: EventId): Promise<LoggedEvent | undefined>
  /** Events from the newest back to the oldest there is, some at a time; who has enough leaves the loop. */
  back(): AsyncIterable<readonly Event[]>
  /** What a root led to, in the log's order; `truncated` where there is, or may be, more than so many. */
  ledBy(root: EventId, limit: number): Promise<{ events: Event[]; truncated: boolean }>
}

export type { Delivery, Settlement, StoredReactorSet } from '../reaction/ports.ts'

/**
 * Gives each event to the reactor until it is settled: at least once, in batches, in no promised order. A worker that
 * dies gets its unsettled deliveries again (or another worker does).
 */
export interface DeliveryQueue extends DeliverySource {
  /** Deliveries neither done nor dead. */
  depth(): Promise<number>
  dead(): Promise<{ event: Event; reason: string; at: number }[]>
  /** How many are dead, which may be a little late; those whose event cannot be read count, and none is read for it. */
  deadCount(): Promise<number>
  /** Puts a dead delivery back, or forgets it. False where there is none. */
  redrive(event: EventId, how: 'again' | 'discard'): Promise<boolean>
}

/** How a minion's key stands. */
export type KeyState = 'pending' | 'accepted' | 'rejected'

/** What is known of one minion id's keys. `epoch` outlives deletion, so that an id used again is another minion. */
export interface KeyRecord {
  readonly id: MinionId
  /** Rises with every acceptance and every deletion; a token is bound to one. */
  readonly epoch: number
  /** Absent after deletion. */
  readonly current?: {
    readonly state: KeyState
    /** PEM (SPKI). */
    readonly pub: string
    readonly since: number
    /** When `pend` was last fired. */
    readonly announced?: number
    /** What was verified about who it is (EC2 account, region, instance id, group). */
    readonly identity?: Mapping
  }
  /** Other keys that claimed the id, newest last, at most 10. */
  readonly denied: readonly { readonly pub: string; readonly at: number }[]
  /** Changes with each write; an update names the one it read. */
  readonly revision: number
}

/** The minions' public keys. `update` writes only over the revision that was read: false means read again. */
export interface KeyRing {
  get(id: MinionId): Promise<KeyRecord | undefined>
  list(): Promise<KeyRecord[]>
  update(next: Omit<KeyRecord, 'revision'>, over: number | undefined): Promise<boolean>
}

/** A minion as targets see it. */
export interface MinionRecord {
  readonly id: MinionId
  readonly grains: Mapping
  readonly version?: string
  readonly grainsAt?: number
}

/** Grains, mine and last-seen of accepted minions. Last-seen is written often and may be up to a minute late after a crash. */
export interface MinionStore {
  saveGrains(id: MinionId, grains: Mapping, version: string | undefined, at: number): Promise<void>
  seen(id: MinionId, at: number): Promise<void>
  lastSeen(): Promise<ReadonlyMap<MinionId, number>>
  /** All minions, from a snapshot that is at most a few seconds old. */
  all(): Promise<readonly MinionRecord[]>
  /** Keeps what a minion gives to others, in place of what it gave before. */
  saveMine(id: MinionId, mine: Mapping): Promise<void>
  /** What these minions give; those that give nothing are left out. */
  mines(ids: readonly MinionId[]): Promise<ReadonlyMap<MinionId, Mapping>>
  /** Forgets all of it. */
  remove(id: MinionId): Promise<void>
}

/** How the returners of a job are configured: Salt's `ret_config` and `ret_kwargs`. */
export interface ReturnerChoice {
  /** The name before the returner's in the minion's configuration. */
  readonly config?: string
  readonly kwargs?: Mapping
}

/** A job or a run as it is stored. */
export interface JobRecord {
  readonly jid: Jid
  readonly fun: Value
  readonly arg: readonly Value[]
  readonly tgt: Value
  readonly tgtType: string
  readonly user: string
  readonly ret: string
  readonly returner?: ReturnerChoice
  readonly minions: readonly MinionId[]
  readonly missing: readonly MinionId[]
  readonly at: number
  readonly expiry: number
  /** `<event id>/<ordinal>` of the reaction that made it. */
  readonly origin?: string
  readonly cause?: Event['cause']
  readonly metadata?: Mapping
}

/** A return as it is stored: the whole load of the `/ret` event. */
export interface StoredReturn {
  readonly id: MinionId
  readonly at: number
  readonly load: Mapping
}

/** Which jobs to list; newest first. */
export interface JobFilter {
  readonly limit: number
  readonly since?: number
  readonly until?: number
}

/**
 * Jobs and their returns, kept for `keep_jobs`.
 *
 * Promises: `create` is conditional: a jid belongs to the first origin. The first return of a minion for a job counts,
 * a repeat is told apart. A return for a job that is unknown (`brine-call`) is stored with a job made from it.
 */
export interface JobStore {
  create(job: JobRecord): Promise<'created' | 'repeated' | 'taken'>
  get(jid: Jid): Promise<JobRecord | undefined>
  list(filter: JobFilter): Promise<JobRecord[]>
  addReturn(jid: Jid, ret: StoredReturn): Promise<'new' | 'repeated'>
  returns(jid: Jid): Promise<StoredReturn[]>
}

/** A signed job waiting for one minion. */
export interface MailboxEntry {
  readonly jid: Jid
  /** Compact JWS. */
  readonly envelope: string
  readonly expiry: number
}

/** An entry as a minion fetches it: `fetched` where another journal of the minion had it before. */
export type FetchedEntry = MailboxEntry & { readonly fetched?: true }

/** Which part of a mailbox: jids that sort behind `after`, and no more than `most`. */
export interface MailboxPage {
  readonly after?: Jid | undefined
  readonly most?: number
}

/**
 * Jobs on their way. An entry goes on its accepted return or at expiry, never on fetch; the same jid twice is one entry.
 * `fetch` answers the oldest jids first and notes the journal that an entry first went into, where one is named; a master
 * that dies may lose the note.
 */
export interface Mailbox {
  put(minions: readonly MinionId[], entry: MailboxEntry): Promise<void>
  fetch(minion: MinionId, now: number, journal?: string, page?: MailboxPage): Promise<FetchedEntry[]>
  settle(minion: MinionId, jid: Jid): Promise<void>
  drop(minion: MinionId): Promise<void>
  /** Resolves when there may be something for the minion beside the jobs it knows, or when the signal ends. A hint. */
  wait(minion: MinionId, signal: AbortSignal, known?: ReadonlySet<Jid>): Promise<void>
}

/** Who is connected by a socket right now. A doorbell carries no content and may be lost: the minion also polls. */
export interface Connections {
  ring(minions: readonly MinionId[]): Promise<void>
  connected(): Promise<ReadonlySet<MinionId>>
}

/** A file under the roots. */
export interface StoredFile {
  readonly path: string
  /** SHA-256, hex. */
  readonly hash: string
  readonly size: number
  /** Four octal digits, as `mode: keep` takes it; absent where the store does not know. */
  readonly mode?: string
}

/** Bytes of a file. */
export interface FileRange {
  readonly offset: number
  readonly length: number
}

/** What there is of a saltenv beside its files: relative paths, sorted. */
export interface FileTree {
  readonly directories: readonly string[]
  /** Those of them that hold nothing. */
  readonly empty: readonly string[]
  /** Links, with what they say; also those that lead out of the root, behind which nothing is found. */
  readonly links: Readonly<Record<string, string>>
}

/** What became of a file that was to be written. */
export type FileWritten =
  | { readonly kind: 'written' }
  /** There is no such saltenv, or it has no root of that number. */
  | { readonly kind: 'no-environment' }
  | { readonly kind: 'no-root' }
  /** The path leads out of its root, through `..` or through links, or is no path of a file. */
  | { readonly kind: 'outside' }

/** `salt://` files of each saltenv, and payloads too large for a record. No path leaves its root. */
export interface FileStore {
  envs(): Promise<string[]>
  list(saltenv: string): Promise<StoredFile[]>
  /** What `list` says of one path. */
  find(saltenv: string, path: string): Promise<StoredFile | undefined>
  /** The whole file, or what there is of a range; fewer bytes where the file ends. */
  read(saltenv: string, path: string, range?: FileRange): Promise<Uint8Array | undefined>
  tree(saltenv: string): Promise<FileTree>
  /** Writes a whole file below the root of this number, 0 the first; whoever reads meanwhile has the old one or the new. */
  write(saltenv: string, path: string, bytes: Uint8Array, root: number): Promise<FileWritten>
  putPayload(hash: string, bytes: Uint8Array): Promise<void>
  payload(hash: string): Promise<Uint8Array | undefined>
}

/** The reactor set in force. A set that does not parse is never stored. Changes made at run time survive a restart. */
export interface ConfigStore {
  /** As the last change left it, whichever process made that. */
  reactors(): Promise<StoredReactorSet>
  /** Adds or removes entries over the given version; false means somebody was faster. */
  changeReactors(entries: StoredReactorSet['entries'], over: string): Promise<boolean>
}

/** The master's signing key (Ed25519). It never leaves the adapter. */
export interface Signer {
  /** A compact JWS of the text. */
  sign(payload: string): Promise<string>
  /** PEM (SPKI). */
  publicKey(): Promise<string>
}

/** Who a token speaks for. */
export interface TokenRecord {
  readonly kind: 'minion' | 'user'
  readonly name: string
  /** For a minion: the epoch of its key when it was given. */
  readonly epoch: number
  readonly expires: number
  readonly permissions?: Value
  /** For a user: how the log-in was proven, when (microseconds), and what the token is for. */
  readonly login?: {
    readonly eauth: string
    readonly groups: readonly string[]
    readonly start: number
    readonly use: 'session' | 'eauth' | 'ticket'
  }
}

/** Opaque tokens, kept only as hashes, and single-use ids. A user's token is 40 hexadecimal digits, as salt-api's are. */
export interface TokenStore {
  issue(record: TokenRecord): Promise<string>
  verify(token: string): Promise<TokenRecord | undefined>
  revoke(token: string): Promise<void>
  /** True the first time an id is used before its expiry. */
  useOnce(id: string, expires: number): Promise<boolean>
}

/** What was refused or changed by whom; append-only, kept for `audit_days`. */
export interface Audit {
  record(entry: {
    readonly at: number
    readonly who: string
    readonly what: string
    readonly detail: Mapping
  }): Promise<void>
  recent(
    limit: number,
  ): Promise<{ readonly at: number; readonly who: string; readonly what: string; readonly detail: Mapping }[]>
}

/** Work to do later. Fires at least once, after `at`; the same name replaces what was set. */
export interface Timers {
  set(name: string, at: number, data: Mapping): Promise<void>
  cancel(name: string): Promise<void>
  due(now: number, limit: number): Promise<{ readonly name: string; readonly at: number; readonly data: Mapping }[]>
}

/**
 * Values that runners keep for others, by bank (names with slashes between them) and key, for good. A bank is there as long
 * as it or one below it holds a key.
 */
export interface BankStore {
  /** In place of what there was. */
  store(bank: string, key: string, data: Value): Promise<void>
  fetch(bank: string, key: string): Promise<Value | undefined>
  /** The keys of a bank, and the names of the banks directly below it, sorted. */
  list(bank: string): Promise<string[]>
  /** Takes away a key, or a bank with all below it; false where there was nothing. */
  flush(bank: string, key?: string): Promise<boolean>
}

/** An orchestration as it is stored. `body` is text that only the master reads. */
export interface StoredOrchestration {
  readonly jid: Jid
  /** When it began. */
  readonly at: number
  readonly isDone: boolean
  readonly body: string
  /** Changes with each write; an update names the one it read. */
  readonly revision: number
}

/**
 * Orchestrations, kept as long as jobs once they are done, and for ever while they are not.
 *
 * Promises: `create` is false where the jid is taken; `update` writes only over the revision that was read, and answers
 * the new one. `unfinished` misses none that is not done.
 */
export interface OrchestrationStore {
  create(record: Omit<StoredOrchestration, 'revision'>): Promise<boolean>
  get(jid: Jid): Promise<StoredOrchestration | undefined>
  update(record: Omit<StoredOrchestration, 'revision'>, over: number): Promise<boolean>
  /** Newest first. */
  list(limit: number): Promise<StoredOrchestration[]>
  unfinished(): Promise<Jid[]>
}

/** Writes of several ports that build on one another. */
export interface WriteOrder {
  /**
   * Makes them so that none is durable unless all before it are; resolves when all are. Rejects as the first that fails,
   * and none after that one is made. A store that can makes them at once, so they may not wait for one another's answer.
   */
  inOrder(...writes: readonly (() => Promise<unknown>)[]): Promise<void>
}

/** The files of one kind of root, `file_roots` or `pillar_roots`. */
export type RootsFiles = Pick<FileStore, 'envs' | 'list' | 'read' | 'tree' | 'write'>

export type { Clock } from '../reaction/ports.ts'

/** All that a master is made of. */
export interface Ports {
  readonly bus: EventBus
  readonly log: EventLog
  readonly queue: DeliveryQueue
  readonly ledger: import('../reaction/ports.ts').Ledger
  readonly keys: KeyRing
  readonly minions: MinionStore
  readonly jobs: JobStore
  readonly mailbox: Mailbox
  readonly connections: Connections
  readonly files: FileStore
  readonly config: ConfigStore
  readonly signer: Signer
  readonly tokens: TokenStore
  readonly audit: Audit
  readonly timers: Timers
  readonly banks: BankStore
  readonly orchestrations: OrchestrationStore
  readonly writes: WriteOrder
  readonly clock: import('../reaction/ports.ts').Clock
}

export type { Event, EventId, EventSource, Jid, MinionId, Tag }
