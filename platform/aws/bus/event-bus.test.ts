// What PutEvents refuses in part: only that is sent again.
import type { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../../master/ports.ts'
import { Payloads } from '../store/payloads.ts'
import { EventBridgeBus } from './event-bus.ts'

const payloads = new Payloads({ get: async () => undefined, put: async () => undefined, has: async () => false })

/** A bus that refuses an entry for so many calls; `calls` has the tags of each. */
function refusing(times: (tag: string) => number): { readonly bus: EventBridgeBus; readonly calls: string[][] } {
  const calls: string[][] = []
  const tries = new Map<string, number>()
  const send = async ({ input }: PutEventsCommand) => {
    const tags = (input.Entries ?? []).map(({ DetailType = '' }) => DetailType)
    calls.push(tags)
    const Entries = tags.map((tag) => {
      const before = tries.get(tag) ?? 0
      tries.set(tag, before + 1)
      return before < times(tag) ? { ErrorCode: 'ThrottlingException' } : { EventId: tag }
    })
    return { Entries, FailedEntryCount: Entries.filter((entry) => 'ErrorCode' in entry).length }
  }
  const client = { send } as unknown as EventBridgeClient
  return { bus: new EventBridgeBus(client, 'bus', payloads, { now: () => 1 }), calls }
}

const events = (...tags: string[]): Event[] => tags.map((tag) => ({ id: tag, tag, data: {}, source: 'master' }))

describe('publishing', () => {
  it('sends again what was refused, and nothing else', async () => {
    const { bus, calls } = refusing((tag) => (tag === 'b' ? 2 : 0))
    await bus.publish(events('a', 'b', 'c'))
    expect(calls).toEqual([['a', 'b', 'c'], ['b'], ['b']])
  })

  it('says so where the bus refuses for good, after some tries', async () => {
    const { bus, calls } = refusing((tag) => (tag === 'b' ? 100 : 0))
    await expect(bus.publish(events('a', 'b'))).rejects.toMatchObject({ code: 'throttled' })
    expect(calls.slice(1).every((tags) => tags.join() === 'b')).toBe(true)
  })

  it('sends ten at a time', async () => {
    const { bus, calls } = refusing(() => 0)
    await bus.publish(events(...Array.from({ length: 23 }, (_, index) => `t${index}`)))
    expect(calls.map((tags) => tags.length)).toEqual([10, 10, 3])
  })
})
