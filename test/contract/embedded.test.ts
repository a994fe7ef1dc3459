// The contracts of all ports, run against the embedded store.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedStore, openEmbeddedStore } from '../../platform/embedded/store/index.ts'
import type { Subject } from './contract.ts'
import { describeDeliveryQueueContract } from './delivery-queue.contract.ts'
import { describeEventLogContract } from './event-log.contract.ts'
import { describeJobStoreContract } from './job-store.contract.ts'
import { describeLedgerContract } from './ledger.contract.ts'
import { describeMailboxContract } from './mailbox.contract.ts'

async function embedded(): Promise<Subject<EmbeddedStore>> {
  const directory = mkdtempSync(join(tmpdir(), 'brine-contract-'))
  return subjectIn(directory)
}

async function subjectIn(directory: string): Promise<Subject<EmbeddedStore>> {
  const port = await openEmbeddedStore({ dataDir: join(directory, 'data'), pkiDir: join(directory, 'pki') })
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

/** One port of the store as a subject of its own. */
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
