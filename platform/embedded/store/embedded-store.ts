// All ports of the embedded master over one data directory.
import { join } from 'node:path'
import type { IgnoresFile } from '../../../core/config/index.ts'
import { stampOf } from '../../../core/event/stamp.ts'
import type { Ports, StoredReactorSet, Tag } from '../../../master/ports.ts'
import { SystemClock } from '../../../reaction/system-clock.ts'
import { EmbeddedAudit } from './audit.ts'
import { type Backup, writeBackup } from './backup.ts'
import { EmbeddedBankStore } from './bank-store.ts'
import { EmbeddedCloudStore } from './cloud-store.ts'
import { EmbeddedConfigStore, type ReactorLoader } from './config-store.ts'
import { EmbeddedConnections } from './connections.ts'
import { EmbeddedDeliveryQueue } from './delivery-queue.ts'
import { EmbeddedEventLog } from './event-log.ts'
import { EmbeddedFileStore, type FileRoots } from './file-store.ts'
import { EmbeddedJobStore } from './job-store.ts'
import { EmbeddedKeyRing } from './key-ring.ts'
import { EmbeddedLedger } from './ledger.ts'
import { EmbeddedMailbox } from './mailbox.ts'
import { EmbeddedMinionStore } from './minion-store.ts'
import { type OpenStore, openStore } from './open-store.ts'
import { EmbeddedOrchestrationStore } from './orchestration-store.ts'
import { PayloadStore } from './payload-store.ts'
import { sweepAll } from './retention.ts'
import { type EmbeddedSigner, openSigner } from './signer.ts'
import { EmbeddedTimers } from './timers.ts'
import { EmbeddedTokenStore } from './token-store.ts'

/** Where an embedded store lives and how long it keeps what. */
export interface EmbeddedStoreOptions {
  /** Made where it is missing; one process at a time. Holds `store/` (LMDB), `payloads/` and `brine.lock`. */
  readonly dataDir: string
  /** Holds `master.pem` and `master.pub`, made where they are missing. */
  readonly pkiDir: string
  /** `file_roots`. @default none */
  readonly fileRoots?: FileRoots
  /** Files of them that nobody gets. @default none */
  readonly ignoresFile?: IgnoresFile
  /** The configured reactor entries. @default none */
  readonly entries?: StoredReactorSet['entries']
  /** Reads the files that entries lead to. @default a set without files */
  readonly loadReactors?: ReactorLoader
  /** Which tags the reactor wants; may be replaced later, before the first `receive`. @default all */
  readonly wants?: (tag: Tag) => boolean
  /** Events older than this go, once the reactor is past them. @default 7 days */
  readonly keepEventsSeconds?: number
  /** Events beyond this many go, oldest first. @default 1,000,000 */
  readonly keepEvents?: number | undefined
  /** Salt's `keep_jobs_seconds`; payloads are kept as long; 0 keeps both for good. @default 24 hours */
  readonly keepJobsSeconds?: number
  /** Plans and how their reactions ended. @default 7 days */
  readonly keepLedgerSeconds?: number | undefined
  /** @default 90 */
  readonly auditDays?: number | undefined
}

/** Every port, as the embedded adapter that fills it, and what only an embedded master needs. */
export interface EmbeddedStore extends Ports {
  readonly queue: EmbeddedDeliveryQueue
  readonly connections: EmbeddedConnections
  readonly config: EmbeddedConfigStore
  /** Names this start of this store: the owner of its leases. */
  readonly owner: string
  /** Removes what is not kept any more and writes what was put off; for a timer. Answers how many records went. */
  sweep(now: number): Promise<number>
  /** What is remembered while machines are made. */
  readonly clouds: EmbeddedCloudStore
  /** Writes the store as it is now into one file; see {@link writeBackup}. @default below the data directory, by the time */
  backup(path?: string): Promise<Backup>
  /** Writes what was put off, waits for what is being written, and lets go of the directory. */
  close(): Promise<void>
}

const DAY = 86_400

/**
 * Opens the store. Throws BrineErrors that say what to do: `store-locked`, `store-newer`, `store-older`, `store-open`,
 * `key-open`, `key-kind`, `key-read`. Later writes may reject with `disk-full` or `store-write`: nothing was stored then.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const signer = openSigner(options.pkiDir)
  const store = await openStore(options.dataDir)
  try {
    return portsOver(store, signer, options)
  } catch (error) {
    await store.close()
    throw error
  }
}

function portsOver(store: OpenStore, signer: EmbeddedSigner, options: EmbeddedStoreOptions): EmbeddedStore {
  const keepJobs = options.keepJobsSeconds ?? DAY
  const clock = new SystemClock()
  const log = new EmbeddedEventLog(store, clock, {
    seconds: options.keepEventsSeconds ?? 7 * DAY,
    events: options.keepEvents ?? 1_000_000,
  })
  const queue = new EmbeddedDeliveryQueue(store, log, clock, options.wants)
  const ledger = new EmbeddedLedger(store, options.keepLedgerSeconds ?? 7 * DAY)
  const minions = new EmbeddedMinionStore(store)
  const jobs = new EmbeddedJobStore(store, keepJobs)
  const mailbox = new EmbeddedMailbox(store, clock)
  const payloads = new PayloadStore(join(options.dataDir, 'payloads'), keepJobs)
  const tokens = new EmbeddedTokenStore(store, clock)
  const audit = new EmbeddedAudit(store, options.auditDays ?? 90)
  const orchestrations = new EmbeddedOrchestrationStore(store, keepJobs)
  const clouds = new EmbeddedCloudStore(store, clock)
  const swept = [queue, minions, log, ledger, jobs, mailbox, tokens, audit, orchestrations, clouds, payloads]
  return {
    bus: log,
    log,
    queue,
    ledger,
    keys: new EmbeddedKeyRing(store),
    minions,
    jobs,
    mailbox,
    connections: new EmbeddedConnections(),
    files: new EmbeddedFileStore(options.fileRoots ?? {}, payloads, options.ignoresFile),
    config: new EmbeddedConfigStore(store, options.loadReactors ?? withoutFiles, options.entries ?? []),
    signer,
    tokens,
    audit,
    timers: new EmbeddedTimers(store),
    banks: new EmbeddedBankStore(store),
    orchestrations,
    writes: store.commits,
    clouds,
    clock,
    owner: `embedded/${store.boot}`,
    sweep: (now) => sweepAll(swept, now),
    backup: async (
      path = join(options.dataDir, 'backups', `brine-${stampOf(clock.now()).replace(/\D/g, '')}.tar.gz`),
    ) => {
      await queue.sweep(clock.now())
      await minions.sweep()
      return writeBackup(store, join(options.dataDir, 'payloads'), path)
    },
    close: async () => {
      try {
        await queue.close()
        await minions.sweep()
      } finally {
        await store.close()
      }
    },
  }
}

function withoutFiles(entries: StoredReactorSet['entries']): StoredReactorSet {
  return { version: JSON.stringify(entries), entries, files: [] }
}
