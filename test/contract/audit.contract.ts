// What every audit must do.
import { expect } from 'vitest'
import type { Audit } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

const AT = 1_763_719_200_000_000

const cases: Cases<Audit> = {
  'answers the newest entries first': async ({ port, reopen }) => {
    for (const at of [AT, AT + 2, AT + 1])
      await port.record({ at, who: 'fred', what: 'key.accept', detail: { id: 'web1' } })
    const audit = await reopen()
    await audit.record({ at: AT + 3, who: 'web1', what: 'fire.refused', detail: { tag: 'salt/job/1/new' } })
    expect(await audit.recent(2)).toEqual([
      { at: AT + 3, who: 'web1', what: 'fire.refused', detail: { tag: 'salt/job/1/new' } },
      { at: AT + 2, who: 'fred', what: 'key.accept', detail: { id: 'web1' } },
    ])
    expect((await audit.recent(10)).map(({ at }) => at)).toEqual([AT + 3, AT + 2, AT + 1, AT])
  },

  'keeps entries of one moment apart': async ({ port, reopen }) => {
    const record = (audit: Audit, n: number): Promise<void> =>
      audit.record({ at: AT, who: 'fred', what: 'x', detail: { n } })
    await Promise.all([1, 2, 3].map((n) => record(port, n)))
    const audit = await reopen()
    await record(audit, 4)
    expect((await audit.recent(10)).map(({ detail }) => detail.n).sort()).toEqual([1, 2, 3, 4])
  },
}

/** The contract of {@link Audit}. */
export function describeAuditContract(adapter: string, make: MakeSubject<Audit>, skips?: Skips): void {
  describeContract<Audit>('Audit', adapter, cases, make, skips)
}
