// The contracts of all ports, run against the embedded store.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { StoredReactorSet } from '../../master/ports.ts'
import { type EmbeddedStore, openEmbeddedStore } from '../../platform/embedded/store/index.ts'
import { describeAuditContract } from './audit.contract.ts'
import { describeBankStoreContract } from './bank-store.contract.ts'
import { describeClockContract } from './clock.contract.ts'
import { describeCloudStoreContract } from './cloud-store.contract.ts'
import { configuredEntries, describeConfigStoreContract } from './config-store.contract.ts'
import { describeConnectionsContract } from './connections.contract.ts'
import type { Subject } from './contract.ts'
import { describeDeliveryQueueContract } from './delivery-queue.contract.ts'
import { describeEventLogContract } from './event-log.contract.ts'
import { describeFileStoreContract, storedFiles } from './file-store.contract.ts'
import { describeJobStoreContract } from './job-store.contract.ts'
import { describeKeyRingContract } from './key-ring.contract.ts'
import { describeLedgerContract } from './ledger.contract.ts'
import { describeMailboxContract } from './mailbox.contract.ts'
import { describeMinionStoreContract } from './minion-store.contract.ts'
import { describeOrchestrationStoreContract } from './orchestration-store.contract.ts'
import { describeSignerContract } from './signer.contract.ts'
import { describeTimersContract } from './timers.contract.ts'
import { describeTokenStoreContract } from './token-store.contract.ts'
import { describeWriteOrderContract } from './write-order.contract.ts'

async function embedded(): Promise<Subject<EmbeddedStore>> {
  const directory = mkdtempSync(join(tmpdir(), 'brine-contract-'))
  for (const [saltenv, files] of Object.entries(storedFiles)) {
    for (const [path, text] of Object.entries(files)) {
      const full = join(directory, saltenv, path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, text)
    }
  }
  return subjectIn(directory)
}

async function subjectIn(directory: string): Promise<Subject<EmbeddedStore>> {
  const port = await openEmbeddedStore({
    dataDir: join(directory, 'data'),
    pkiDir: join(directory, 'pki'),
    fileRoots: { base: [join(directory, 'missing'), join(directory, 'base')], dev: [join(directory, 'dev')] },
    entries: configuredEntries,
    loadReactors,
  })
  return {
    port,
    reopen: async () => {
      await port.close()
      return subjectIn(directory)
    },
    close: async () => {
      await port.close()
      rmSync(directory, { recursive: true })
    },
  }
}

function loadReactors(entries: StoredReactorSet['entries']): StoredReactorSet {
  const references = [...new Set(entries.flatMap(({ files }) => files))]
  const files = references.map((reference) => ({ reference, name: `/srv/${reference}`, text: `# ${reference}` }))
  return { version: createHash('sha256').update(JSON.stringify(entries)).digest('hex'), entries, files }
}

/** A part of the store as a subject of its own. */
function only<P>(pick: (store: EmbeddedStore) => P): () => Promise<Subject<P>> {
  const picked = (subject: Subject<EmbeddedStore>): Subject<P> => ({
    port: pick(subject.port),
    reopen: async () => picked(await subject.reopen()),
    close: () => subject.close(),
  })
  return async () => picked(await embedded())
}

describeEventLogContract('embedded', embedded)
describeDeliveryQueueContract('embedded', embedded)
describeLedgerContract(
  'embedded',
  only(({ ledger }) => ledger),
)
describeJobStoreContract(
  'embedded',
  only(({ jobs }) => jobs),
)
describeMailboxContract('embedded', embedded)
describeTokenStoreContract('embedded', embedded)
describeKeyRingContract(
  'embedded',
  only(({ keys }) => keys),
)
describeMinionStoreContract(
  'embedded',
  only(({ minions }) => minions),
)
describeFileStoreContract(
  'embedded',
  only(({ files }) => files),
)
describeConfigStoreContract(
  'embedded',
  only(({ config }) => config),
)
describeSignerContract(
  'embedded',
  only(({ signer }) => signer),
)
describeAuditContract(
  'embedded',
  only(({ audit }) => audit),
)
describeOrchestrationStoreContract(
  'embedded',
  only(({ orchestrations }) => orchestrations),
)
describeWriteOrderContract(
  'embedded',
  only(({ writes, timers }) => ({ writes, timers })),
)
describeBankStoreContract(
  'embedded',
  only(({ banks }) => banks),
)
describeCloudStoreContract('embedded', embedded)
describeTimersContract(
  'embedded',
  only(({ timers }) => timers),
)
describeClockContract(
  'embedded',
  only(({ clock }) => clock),
)
describeConnectionsContract(
  'embedded',
  only(({ connections }) => ({
    connections,
    connect: async (minion: string, ring: () => void) => {
      const leave = connections.register(minion, ring)
      return async () => leave()
    },
  })),
)
