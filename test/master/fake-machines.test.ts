// The contract of machines, run against those in memory, which the tests of `cloud.*` use.
import { describeMachinesContract } from '../contract/machines.contract.ts'
import { fakeMachines } from './fake-machines.ts'

describeMachinesContract('memory', async () => {
  const subject = { port: fakeMachines(), reopen: async () => subject, close: async () => undefined }
  return subject
})
