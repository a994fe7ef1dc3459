// Bells that API Gateway does not take, or whose socket is gone.
import { describe, expect, it } from 'vitest'
import { BrineError } from '../../../core/error.ts'
import { socketLease } from '../layout/index.ts'
import { type Post, SocketConnections } from './connections.ts'
import type { Attributes, Dynamo } from './dynamo.ts'

const now = 10 ** 15

/** A table in which each minion has one socket, named like it. */
function table(): { readonly dynamo: Dynamo; readonly closed: string[] } {
  const closed: string[] = []
  const dynamo = {
    all: async (_table: string, _pk: string, { beginning = '' }): Promise<Attributes[]> => [
      { sk: { S: `${beginning}of-${beginning.slice(0, -1)}` }, end: { N: String(now + (socketLease / 2) * 1000) } },
    ],
    delete: async (_table: string, { pk }: { pk: string }) => {
      closed.push(pk)
      return { done: true, old: undefined }
    },
  }
  return { dynamo: dynamo as unknown as Dynamo, closed }
}

function ringing(post: Post) {
  const { dynamo, closed } = table()
  const connections = new SocketConnections(dynamo, { now: () => now }, post)
  return { ring: () => connections.ring(['a', 'b']), closed }
}

describe('ringing', () => {
  it('goes on where API Gateway is too busy for a bell', async () => {
    const heard: string[] = []
    const { ring, closed } = ringing(async (connection) => {
      if (connection === 'of-a') throw new BrineError('too many', { code: 'throttled' })
      heard.push(connection)
      return 'sent'
    })
    await ring()
    expect([heard, closed]).toEqual([['of-b'], []])
  })

  it('forgets a socket that is gone', async () => {
    const { ring, closed } = ringing(async (connection) => (connection === 'of-a' ? 'gone' : 'sent'))
    await ring()
    expect(closed).toEqual([expect.stringContaining('of-a')])
  })

  it('tells of what no other time mends', async () => {
    const { ring } = ringing(async () => Promise.reject(new Error('AccessDenied')))
    await expect(ring()).rejects.toThrow('AccessDenied')
  })
})
