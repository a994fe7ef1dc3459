// The ledger's contract, run against that of a minion without a master.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournalLedger } from '../../agent/masterless/journal-ledger.ts'
import type { Ledger } from '../../reaction/ports.ts'
import type { Subject } from './contract.ts'
import { describeLedgerContract } from './ledger.contract.ts'

async function subjectAt(directory: string, maxBytes: number): Promise<Subject<Ledger>> {
  const { ledger, close } = await openJournalLedger(join(directory, 'reactions'), () => 0, {
    maxBytes,
    oneProcess: false,
  })
  return {
    port: ledger,
    reopen: async () => {
      await close()
      return subjectAt(directory, maxBytes)
    },
    close: async () => {
      await close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

for (const [name, maxBytes] of [
  ['in a journal', 1e9],
  ['in a journal that is written anew with every write', 1],
] as const)
  describeLedgerContract(name, async () => subjectAt(await mkdtemp(join(tmpdir(), 'brine-ledger-')), maxBytes))
