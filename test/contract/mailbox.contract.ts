// What every mailbox must do.
import { expect } from 'vitest'
import type { Clock, Mailbox, MailboxEntry } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

/** A mailbox and the time its entries expire by. */
export interface MailboxPorts {
  readonly mailbox: Mailbox
  readonly clock: Pick<Clock, 'now'>
}

const MINUTE = 60_000_000
const JID = '20261121100000000000'
const LATER = '20261121100000000001'

const cases: Cases<MailboxPorts> = {
  'keeps an entry for each of its minions, fetched as often as asked': async ({ port, reopen }) => {
    const entry = entryOf(JID, port.clock.now())
    await port.mailbox.put(['web1', 'web2'], entry)
    const { mailbox, clock } = await reopen()
    for (let time = 0; time < 2; time++) {
      for (const id of ['web1', 'web2']) expect(await mailbox.fetch(id, clock.now())).toEqual([entry])
    }
    expect(await mailbox.fetch('web3', clock.now())).toEqual([])
  },

  'notes the journal that an entry first went into': async ({ port, reopen }) => {
    const { mailbox, clock } = port
    const entry = entryOf(JID, clock.now())
    await mailbox.put(['web1', 'web2'], entry)
    expect(await mailbox.fetch('web1', clock.now(), 'one')).toEqual([entry])
    expect(await mailbox.fetch('web1', clock.now(), 'two')).toEqual([{ ...entry, fetched: true }])
    // A note may be lost in a crash, but not where anything was stored after it.
    await mailbox.put(['web1'], entryOf(LATER, clock.now()))
    const later = await reopen()
    const fetched = async (minion: string, journal?: string): Promise<(true | undefined)[]> =>
      (await later.mailbox.fetch(minion, later.clock.now(), journal)).map((each) => each.fetched)
    expect(await fetched('web1', 'one')).toEqual([undefined, undefined])
    expect(await fetched('web1', 'two')).toEqual([true, true])
    expect(await fetched('web1')).toEqual([undefined, undefined])
    expect(await fetched('web2', 'two')).toEqual([undefined])
  },

  'gives the oldest jid first': async ({ port: { mailbox, clock } }) => {
    const now = clock.now()
    await mailbox.put(['web1'], entryOf(LATER, now))
    await mailbox.put(['web1'], entryOf(JID, now))
    expect((await mailbox.fetch('web1', now)).map(({ jid }) => jid)).toEqual([JID, LATER])
  },

  'gives a part of it, and notes the journal of no other': async ({ port: { mailbox, clock } }) => {
    const jids = Array.from({ length: 7 }, (_, index) => `2026112110000000000${index}`)
    for (const jid of jids) await mailbox.put(['web1', 'web10'], entryOf(jid, clock.now()))
    const part = async (journal: string, after?: string): Promise<unknown[]> =>
      (await mailbox.fetch('web1', clock.now(), journal, { after, most: 3 })).map(({ jid, fetched }) => [jid, fetched])
    const as = (fetched: true | undefined, from: number): unknown[] =>
      jids.slice(from, from + 3).map((jid) => [jid, fetched])
    expect(await part('one')).toEqual(as(undefined, 0))
    expect(await part('two', jids[2])).toEqual(as(undefined, 3))
    expect(await part('two')).toEqual(as(true, 0))
    await mailbox.settle('web1', jids[2] ?? '')
    expect(await part('two', jids[2])).toEqual(as(undefined, 3))
    expect(await part('two', jids[5])).toEqual([[jids[6], undefined]])
    expect(await part('two', jids[6])).toEqual([])
  },

  'has one entry for a jid put twice': async ({ port: { mailbox, clock } }) => {
    const entry = entryOf(JID, clock.now())
    await Promise.all([mailbox.put(['web1'], entry), mailbox.put(['web1', 'web2'], entry)])
    await mailbox.put(['web1'], entry)
    expect(await mailbox.fetch('web1', clock.now())).toEqual([entry])
    expect(await mailbox.fetch('web2', clock.now())).toEqual([entry])
  },

  'lets go of an entry when it is settled': async ({ port, reopen }) => {
    const entries = [entryOf(JID, port.clock.now()), entryOf(LATER, port.clock.now())]
    for (const entry of entries) await port.mailbox.put(['web1', 'web2'], entry)
    await port.mailbox.settle('web1', JID)
    await port.mailbox.settle('web1', JID)
    await port.mailbox.settle('web3', JID)
    const { mailbox, clock } = await reopen()
    expect(await mailbox.fetch('web1', clock.now())).toEqual([entries[1]])
    expect(await mailbox.fetch('web2', clock.now())).toEqual(entries)
  },

  'fetches nothing expired': async ({ port: { mailbox, clock } }) => {
    const now = clock.now()
    await mailbox.put(['web1'], { ...entryOf(JID, now), expiry: now + 5 })
    await mailbox.put(['web1'], entryOf(LATER, now))
    expect((await mailbox.fetch('web1', now)).map(({ jid }) => jid)).toEqual([JID, LATER])
    expect((await mailbox.fetch('web1', now + 5)).map(({ jid }) => jid)).toEqual([LATER])
  },

  'drops all of one minion': async ({ port: { mailbox, clock } }) => {
    for (const jid of [JID, LATER]) await mailbox.put(['web1', 'web10', 'web'], entryOf(jid, clock.now()))
    await mailbox.drop('web1')
    expect(await mailbox.fetch('web1', clock.now())).toEqual([])
    for (const id of ['web10', 'web']) expect(await mailbox.fetch(id, clock.now())).toHaveLength(2)
  },

  'keeps to minion ids as they are': async ({ port: { mailbox, clock } }) => {
    const ids = ['db.example.com', 'ü→😀', 'a b', 'web*', '0']
    for (const [index, id] of ids.entries())
      await mailbox.put([id], entryOf(`2026112110000000001${index}`, clock.now()))
    for (const [index, id] of ids.entries()) {
      expect((await mailbox.fetch(id, clock.now())).map(({ jid }) => jid)).toEqual([`2026112110000000001${index}`])
    }
  },

  'holds entries for many minions': async ({ port: { mailbox, clock } }) => {
    const ids = Array.from({ length: 2000 }, (_, index) => `minion-${index}`)
    const entry = entryOf(JID, clock.now())
    await mailbox.put(ids, entry)
    expect(await mailbox.fetch('minion-1999', clock.now())).toEqual([entry])
  },

  'ends a wait when something comes': async ({ port: { mailbox, clock } }) => {
    const { signal } = new AbortController()
    const waits = [mailbox.wait('web1', signal), mailbox.wait('web1', signal)]
    setTimeout(() => void mailbox.put(['web1'], entryOf(JID, clock.now())), 20)
    await Promise.all(waits)
    expect(await mailbox.fetch('web1', clock.now())).toHaveLength(1)
  },

  'ends a wait at once when something is there': async ({ port: { mailbox, clock } }) => {
    await mailbox.put(['web1'], entryOf(JID, clock.now()))
    await mailbox.wait('web1', new AbortController().signal)
  },

  'ends a wait with its signal': async ({ port: { mailbox } }) => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 20)
    await mailbox.wait('web1', stop.signal)
    await mailbox.wait('web1', stop.signal)
    expect(stop.signal.aborted).toBe(true)
  },
}

function entryOf(jid: string, now: number): MailboxEntry {
  return { jid, envelope: `header.${jid}.signature`, expiry: now + 5 * MINUTE }
}

/** The contract of {@link Mailbox}. */
export function describeMailboxContract(adapter: string, make: MakeSubject<MailboxPorts>, skips?: Skips): void {
  describeContract<MailboxPorts>('Mailbox', adapter, cases, make, skips)
}
