// What every job store must do.
import { expect } from 'vitest'
import { Float, type Mapping } from '../../core/value/value.ts'
import type { JobStore, StoredReturn } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'
import { jobOf } from './samples.ts'

const AT = 1_763_719_200_000_000
const JIDS = ['20261121100000000000', '20261121100000000001', '20261121100000000002', '20261121100000000003']

const cases: Cases<JobStore> = {
  'keeps a job as it is': async ({ port, reopen }) => {
    const cause = { root: 'r', parent: 'p', depth: 1, path: ['a\nb'] }
    const job = jobOf(JIDS[0] ?? '', {
      origin: 'e/0',
      cause,
      metadata: { n: new Float(3) },
      arg: [2n ** 60n, { __kwarg__: true }],
    })
    expect(await port.create(job)).toBe('created')
    const jobs = await reopen()
    expect(await jobs.get(job.jid)).toEqual(job)
    expect(await jobs.get('20261121100000009999')).toBeUndefined()
  },

  'gives a jid to the first origin': async ({ port: jobs }) => {
    const job = jobOf(JIDS[0] ?? '', { origin: 'e/0' })
    expect(await jobs.create(job)).toBe('created')
    expect(await jobs.create({ ...job, user: 'somebody else' })).toBe('repeated')
    expect(await jobs.create({ ...job, origin: 'e/1' })).toBe('taken')
    expect(await jobs.create(jobOf(job.jid))).toBe('taken')
    expect(await jobs.get(job.jid)).toEqual(job)
  },

  'knows two jobs without an origin apart': async ({ port: jobs }) => {
    expect(await jobs.create(jobOf(JIDS[0] ?? ''))).toBe('created')
    expect(await jobs.create(jobOf(JIDS[0] ?? ''))).toBe('taken')
  },

  'gives a jid to one of many at once': async ({ port: jobs }) => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => jobs.create(jobOf(JIDS[0] ?? '', { origin: `e/${index}` }))),
    )
    expect(answers.filter((answer) => answer === 'created')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(9)
  },

  'lists jobs newest first, within times': async ({ port: jobs }) => {
    for (const [index, jid] of JIDS.entries()) await jobs.create(jobOf(jid, { at: AT + index }))
    const list = async (filter: Parameters<JobStore['list']>[0]): Promise<string[]> =>
      (await jobs.list(filter)).map(({ jid }) => jid)
    expect(await list({ limit: 10 })).toEqual([...JIDS].reverse())
    expect(await list({ limit: 2 })).toEqual([JIDS[3], JIDS[2]])
    expect(await list({ limit: 10, since: AT + 1, until: AT + 2 })).toEqual([JIDS[2], JIDS[1]])
    expect(await list({ limit: 1, until: AT })).toEqual([JIDS[0]])
    expect(await list({ limit: 10, since: AT + 4 })).toEqual([])
  },

  'keeps the first return of a minion': async ({ port, reopen }) => {
    const jid = JIDS[0] ?? ''
    await port.create(jobOf(jid))
    await port.create(jobOf(JIDS[1] ?? ''))
    const first = returnOf('web1', { return: new Float(1) })
    expect(await port.addReturn(jid, first)).toBe('new')
    expect(await port.addReturn(jid, returnOf('web1', { return: 'forged' }))).toBe('repeated')
    expect(await port.addReturn(jid, returnOf('web2'))).toBe('new')
    expect(await port.addReturn(JIDS[1] ?? '', returnOf('web1'))).toBe('new')
    const jobs = await reopen()
    expect(byId(await jobs.returns(jid))).toEqual([first, returnOf('web2')])
    expect(await jobs.returns(JIDS[2] ?? '')).toEqual([])
  },

  'takes one of many returns at once': async ({ port: jobs }) => {
    const jid = JIDS[0] ?? ''
    await jobs.create(jobOf(jid))
    const answers = await Promise.all(Array.from({ length: 10 }, () => jobs.addReturn(jid, returnOf('web1'))))
    expect(answers.filter((answer) => answer === 'new')).toHaveLength(1)
  },

  'makes a job of a return nobody asked for': async ({ port: jobs }) => {
    const load: Mapping = {
      jid: JIDS[0] ?? '',
      id: 'web1',
      fun: 'test.arg',
      fun_args: [1, 'a'],
      return: true,
      retcode: 0,
    }
    expect(await jobs.addReturn(JIDS[0] ?? '', { id: 'web1', at: AT + 7, load })).toBe('new')
    expect(await jobs.get(JIDS[0] ?? '')).toMatchObject({
      jid: JIDS[0],
      fun: 'test.arg',
      arg: [1, 'a'],
      tgt: 'web1',
      tgtType: 'glob',
      minions: ['web1'],
      at: AT + 7,
    })
    expect((await jobs.list({ limit: 5 })).map(({ jid }) => jid)).toEqual([JIDS[0]])
    expect(await jobs.create(jobOf(JIDS[0] ?? '', { origin: 'e/0' }))).toBe('taken')
  },

  'holds a large return whole': async ({ port: jobs }) => {
    const jid = JIDS[0] ?? ''
    const ret = returnOf('web1', { return: 'ü'.repeat(400_000) })
    await jobs.create(jobOf(jid))
    await jobs.addReturn(jid, ret)
    expect(await jobs.returns(jid)).toEqual([ret])
  },
}

function returnOf(id: string, more: Mapping = {}): StoredReturn {
  return { id, at: AT, load: { id, fun: 'test.ping', fun_args: [], return: true, retcode: 0, success: true, ...more } }
}

function byId(returns: readonly StoredReturn[]): StoredReturn[] {
  return [...returns].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The contract of {@link JobStore}. */
export function describeJobStoreContract(adapter: string, make: MakeSubject<JobStore>, skips?: Skips): void {
  describeContract<JobStore>('JobStore', adapter, cases, make, skips)
}
