// The contract of stores of clouds, run against the one in memory.
import { describeCloudStoreContract } from '../../test/contract/cloud-store.contract.ts'
import { createMemoryCloudStore } from './memory-store.ts'

const clock = { now: () => Date.now() * 1000 }

describeCloudStoreContract('memory', async () => {
  const port = { clouds: createMemoryCloudStore(clock.now), clock }
  const subject = { port, reopen: async () => subject, close: async () => undefined }
  return subject
})
