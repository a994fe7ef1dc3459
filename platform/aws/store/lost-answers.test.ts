// DynamoDB did what was asked and its answer was lost: the SDK asks again, and meets what it wrote itself.
import { describe, expect, it } from 'vitest'
import type { Attributes, Dynamo, Expression, Written } from './dynamo.ts'
import { claimOf, claimUpdate } from './ledger-row.ts'
import { Payloads } from './payloads.ts'
import { Records } from './records.ts'
import { DynamoTokenStore } from './token-store.ts'

const clock = { now: () => 1_000_000 }
const records = new Records(
  new Payloads({ get: async () => undefined, put: async () => undefined, has: async () => false }),
)

/** A table of which each first answer is lost: what it stored refuses the second try. */
function losing(): Dynamo {
  const items = new Map<string, Attributes>()
  const put = async (_table: string, item: Attributes, _condition?: Expression): Promise<Written> => {
    const key = item.pk?.S ?? ''
    if (!items.has(key)) items.set(key, item)
    return { done: false, old: items.get(key) }
  }
  return { put } as unknown as Dynamo
}

describe('an id that may be used once', () => {
  it('is used by whoever wrote it, although the write was refused the second time', async () => {
    const tokens = new DynamoTokenStore(losing(), records, clock)
    expect(await tokens.useOnce('run/1', 2_000_000)).toBe(true)
    expect(await tokens.useOnce('run/1', 2_000_000)).toBe(false)
  })
})

describe('a claim', () => {
  const request = { key: 'E/0', jid: '20260101000000000001' }
  const lease = { owner: 'aws/1', now: 1, until: 2 }
  const stored = (mark: string, generation: number): Attributes => {
    const { values = {} } = claimUpdate(request, lease, {}, mark).set
    return {
      state: { S: 'running' },
      generation: { N: String(generation) },
      until: { N: '2' },
      ...(values[':mark'] === undefined ? {} : { mark: values[':mark'] }),
    }
  }

  it('is its own, although the write was refused the second time', () => {
    expect(claimOf(false, stored('a', 1), request, 'a')).toMatchObject({
      kind: 'claimed',
      generation: 1,
      resumed: false,
    })
  })

  it('of a later generation counts as resumed, since what stood before is not known any more', () => {
    expect(claimOf(false, stored('a', 2), request, 'a')).toMatchObject({
      kind: 'claimed',
      generation: 2,
      resumed: true,
    })
  })

  it('of the same owner at the same moment is another', () => {
    expect(claimOf(false, stored('b', 1), request, 'a')).toEqual({ kind: 'held', until: 2 })
  })

  it('that has ended meanwhile has ended', () => {
    const ended = { ...stored('a', 1), ending: { S: 'j{"state":"done"}' } }
    expect(claimOf(false, ended, request, 'a')).toMatchObject({ kind: 'ended' })
  })
})
