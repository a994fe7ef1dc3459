// The ledger's contract, run against the one in memory that dry runs and tests use.
import { createMemoryLedger, emptyLedgerMemory, type LedgerMemory } from '../../reaction/index.ts'
import type { Ledger } from '../../reaction/ports.ts'
import type { Subject } from './contract.ts'
import { describeLedgerContract } from './ledger.contract.ts'

function subjectOver(memory: LedgerMemory): Subject<Ledger> {
  return {
    port: createMemoryLedger(memory, { oneProcess: false }),
    reopen: async () => subjectOver(memory),
    close: async () => undefined,
  }
}

describeLedgerContract('in memory', async () => subjectOver(emptyLedgerMemory()))
