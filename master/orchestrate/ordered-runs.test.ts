// Runs that are ordered: once, anew where they were cut off, and never twice where they may not.
import { beforeEach, describe, expect, it } from 'vitest'
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { LoggedEvent } from '../ports.ts'
import type { RunRequest } from '../run.ts'
import { OrderedRuns } from './ordered-runs.ts'
import type { RunPart } from './record.ts'
import type { RunsCall } from './run-calls.ts'

const jid = '20261121052932933731'
const longest = 60
const second = 1_000_000

let now: number
let orders: [jid: string, times: number][]
let requests: RunRequest[]
let told: number
let ends: Map<string, unknown>
let children: Set<string>
let isLambdaDown: boolean

const runs = new OrderedRuns({
  order: async (request, times) => {
    if (isLambdaDown) throw new Error('no')
    orders.push([request.jid, times])
    requests.push(request)
  },
  longest,
  longestQueued: 10 * longest,
  log: { find: async (id) => ends.get(id) as LoggedEvent | undefined },
  orchestrations: {
    get: async (child) =>
      children.has(child) ? { jid: child, at: 0, isDone: false, body: '', revision: 1 } : undefined,
  },
  clock: { now: () => now },
})
const start = {
  place: { user: 'root', ended: () => undefined },
  tell: async () => void told++,
}
const callOf = (...parts: RunPart[]): RunsCall => ({ kind: 'runs', began: 0, told: [], parts })
const item = { name: 'a', client: 'runner', fun: 'jobs.active', arg: [], kwarg: {} } as const

beforeEach(() => {
  now = 0
  orders = []
  requests = []
  told = 0
  ends = new Map()
  children = new Set()
  isLambdaDown = false
})

describe('ordered runs', () => {
  it('are told and ordered by the first turn that finds them stored, and then waited for', async () => {
    const ordered = await runs.poll(callOf({ jid, item }), start)
    expect(orders).toEqual([[jid, 1]])
    const again = await runs.poll(ordered, start)
    expect(again.parts[0]).toBe(ordered.parts[0])
    expect([orders.length, told]).toEqual([1, 1])
  })

  it('are ordered as steps, whose events Salt tells in its own way', async () => {
    await runs.poll(callOf({ jid, item: { ...item, client: 'wheel', kwarg: { a: 1 } } }), start)
    const asked = { client: 'wheel', fun: 'jobs.active', arg: [], kwarg: { a: 1 } }
    expect(requests).toEqual([{ ...asked, user: 'root', jid, isStep: true }])
  })

  it('are ordered the same way where the order came to nothing', async () => {
    isLambdaDown = true
    await expect(runs.poll(callOf({ jid, item }), start)).rejects.toThrow('no')
    isLambdaDown = false
    await runs.poll(callOf({ jid, item }), start)
    expect(orders).toEqual([[jid, 1]])
  })

  it('end as their event tells', async () => {
    const ordered = await runs.poll(callOf({ jid, item }), start)
    ends.set(derivedEventId(jid, 'ret'), { event: { data: { return: [1], success: true } } })
    expect((await runs.poll(ordered, start)).parts[0]?.end).toEqual({ returned: [1], success: true })
  })

  it('are ordered anew when nobody can be at them any more, and given up in the end', async () => {
    let call = await runs.poll(callOf({ jid, item }), start)
    ends.set(derivedEventId(jid, 'new'), { event: { data: { _stamp: '1970-01-01T00:00:05.000000' } } })
    now = 5 * second
    for (let times = 2; times <= 3; times++) {
      now += (longest - 1) * second
      expect((await runs.poll(call, start)).parts).toEqual(call.parts)
      now += second
      call = await runs.poll(call, start)
      expect(call.parts[0]?.ordered?.times).toBe(times)
      expect(orders.at(-1)).toEqual([jid, times])
    }
    now += longest * second
    const [part] = (await runs.poll(call, start)).parts
    expect(part?.end).toMatchObject({ success: false, returned: expect.stringContaining('interrupted') })
    expect(orders).toHaveLength(3)
  })

  it('wait in a queue for longer than they may take', async () => {
    const call = await runs.poll(callOf({ jid, item }), start)
    now += (11 * longest - 1) * second
    expect((await runs.poll(call, start)).parts).toEqual(call.parts)
    now += second
    expect((await runs.poll(call, start)).parts[0]?.ordered?.times).toBe(2)
  })

  it('may be orchestrations, which go on by themselves for as long as they like', async () => {
    const ordered = await runs.poll(callOf({ jid, item }), start)
    children.add(jid)
    now += 1000 * longest * second
    expect((await runs.poll(ordered, start)).parts).toEqual(ordered.parts)
    expect(orders).toHaveLength(1)
  })
})
