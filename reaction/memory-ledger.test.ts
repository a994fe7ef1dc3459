// The ledger in memory keeps the contract, as one process and as one of several.
import { type LedgerUnderTest, ledgerContract } from '../test/contract/ledger.ts'
import { createMemoryLedger, emptyLedgerMemory, type LedgerMemory } from './memory-ledger.ts'

function open(memory: LedgerMemory, oneProcess: boolean, boot = 1): LedgerUnderTest {
  return {
    ledger: createMemoryLedger(memory, { oneProcess }),
    owner: `p#${boot}`,
    ...(oneProcess && boot > 1 ? { earlier: `p#${boot - 1}` } : {}),
    again: async () => open(memory, oneProcess, boot + 1),
    close: async () => undefined,
  }
}

ledgerContract('memory, one process', async () => open(emptyLedgerMemory(), true))
ledgerContract('memory, several processes', async () => open(emptyLedgerMemory(), false))
