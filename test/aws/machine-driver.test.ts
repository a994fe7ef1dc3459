// What keeps orchestrations in the state machine: what they wait for, their news, and who has no execution.
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Orchestration } from '../../master/orchestrate/record.ts'
import { executionName, type TurnOrder } from '../../platform/aws/layout/index.ts'
import { MachineDriver } from '../../platform/aws/orchestration/driver.ts'
import type { ExecutionState, Executions } from '../../platform/aws/orchestration/executions.ts'
import { wakeConcerned } from '../../platform/aws/orchestration/wake.ts'
import { type AwsStore, openAwsStore } from '../../platform/aws/store/aws-store.ts'
import { DynamoHolds } from '../../platform/aws/store/orchestration-holds.ts'
import { waitFor } from '../system/wait.ts'
import { emulatorClients, makeResources, type Resources } from './resources.ts'

const minute = 60_000_000

let resources: Resources
let store: AwsStore
beforeAll(async () => {
  resources = await makeResources({ tables: true })
  store = openAwsStore({ places: resources.places, clients: emulatorClients() })
})
afterAll(() => resources.remove())

/** A machine whose executions stand as the test says, and records that the test writes. */
function stand(now = 0) {
  const states = new Map<string, ExecutionState>()
  const started: TurnOrder[] = []
  const returned: string[] = []
  const executions: Executions = {
    start: async (order) => {
      const name = executionName(order.jid, order.part)
      if (states.has(name)) return
      states.set(name, 'running')
      started.push(order)
    },
    state: async ({ jid, part }) => states.get(executionName(jid, part)) ?? 'none',
    goOn: async (token) => void returned.push(token),
  }
  const records = new Map<string, Pick<Orchestration, 'status' | 'at' | 'request'>>()
  const clock = { now: () => now }
  const holds = new DynamoHolds(store.dynamo, clock)
  const driver = new MachineDriver(
    {
      get: async (jid) => records.get(jid) as Orchestration | undefined,
      unfinished: async () => [...records].filter(([, { status }]) => status === 'running').map(([jid]) => jid),
    },
    { executions, holds, clock },
  )
  const add = (at = 0): string => {
    const jid = `2026112105293${String(randomInt(10_000_000)).padStart(7, '0')}`
    const request = { jid, fun: 'state.orchestrate', funArgs: [], mods: 'orch.deploy', user: 'root' }
    records.set(jid, { status: 'running', at, request })
    return jid
  }
  return { driver, holds, executions, states, started, returned, records, add }
}

/** As the state machine leaves it: refused where there are other news. */
const hold = (jid: string, token: string) =>
  store.dynamo.update(
    'State',
    { pk: 'orchestration-hold', sk: jid },
    { text: 'SET #token = :token', names: { '#token': 'token' }, values: { ':token': { S: token } } },
  )

describe('what orchestrations wait for', () => {
  const awaited = { jids: ['20261121052932000001'], events: ['my/go/*'] }

  it('is new once, is found by jid and by tag, and its news return the token', async () => {
    const { holds, executions, returned, add } = stand()
    const jid = add()
    const opened = await holds.open(jid)
    expect(opened.news).toBe(0)
    expect(await holds.wait(jid, opened, { awaited, wakeAt: 5, part: 1 })).toBe(true)
    const again = await holds.open(jid)
    expect(again).toEqual({ news: 0, awaited, wakeAt: 5, part: 1 })
    expect(await holds.wait(jid, again, { awaited, wakeAt: 6, part: 1 })).toBe(false)
    for (const [tag, concerned] of [
      ['salt/job/20261121052932000001/ret/web1', [jid]],
      ['salt/run/20261121052932000001/ret', [jid]],
      ['my/go/1', [jid]],
      ['salt/job/20261121052932000001/new', []],
      ['my/gone', []],
    ] as const)
      expect(await holds.concerned([tag])).toEqual(concerned)
    await hold(jid, 'token-1')
    await wakeConcerned(['my/go/1', 'my/go/2', 'my/other'], holds, executions)
    expect(returned).toEqual(['token-1'])
    expect((await holds.open(jid)).news).toBe(1)
    await holds.close(jid)
  })

  it('is no news once it is over', async () => {
    const { holds, executions, returned, add } = stand()
    const jid = add()
    await holds.wait(jid, await holds.open(jid), { awaited, wakeAt: 5, part: 1 })
    await hold(jid, 'token-2')
    await holds.close(jid)
    await wakeConcerned(['salt/job/20261121052932000001/ret/web1', 'my/go/1'], holds, executions)
    expect(returned).toEqual([])
    expect(await holds.get(jid)).toBeUndefined()
  })
})

describe('an orchestration without an execution', () => {
  it('gets its first where none was begun, but not before it is late', async () => {
    const { driver, started, add } = stand(10 * minute)
    const late = add(0)
    add(10 * minute - 1)
    expect(await driver.mend()).toBe(1)
    expect(started).toEqual([{ jid: late, sls: 'orch.deploy', user: 'root', part: 1, turns: 0 }])
    expect(await driver.mend()).toBe(0)
  })

  it.each([
    ['ended', 1, [4]],
    ['running', 0, []],
    ['aborted', 0, []],
  ] as const)('whose last one has %s: %i others are begun', async (state, mended, parts) => {
    const { driver, holds, states, started, add } = stand(10 * minute)
    const jid = add()
    await holds.wait(jid, await holds.open(jid), { awaited: { jids: [], events: [] }, wakeAt: 5 * minute, part: 3 })
    states.set(executionName(jid, 3), state)
    expect(await driver.mend()).toBe(mended)
    expect(started.map(({ part }) => part)).toEqual(parts)
    await holds.close(jid)
  })

  it('is left alone for as long as its turn is not due', async () => {
    const { driver, holds, started, add } = stand(10 * minute)
    const jid = add()
    await holds.wait(jid, await holds.open(jid), { awaited: { jids: [], events: [] }, wakeAt: 9 * minute, part: 1 })
    expect(await driver.mend()).toBe(0)
    expect(started).toEqual([])
    await holds.close(jid)
  })

  it.each([
    ['after a turn', true],
    ['in its first turn', false],
  ])('that a person aborted %s goes on where one asks for its end', async (_when, isNoted) => {
    const { driver, holds, states, started, records, add } = stand()
    const jid = add()
    const opened = await holds.open(jid)
    if (isNoted) await holds.wait(jid, opened, { awaited: { jids: [], events: [] }, wakeAt: 0, part: 1 })
    states.set(jid, 'aborted')
    const finished = driver.unlessHandedOver(driver.finished(jid), 90_000)
    await waitFor('another execution', () => (started.length > 0 ? true : undefined))
    const record = records.get(jid)
    if (record === undefined) throw new Error('gone')
    records.set(jid, { ...record, status: 'done' })
    expect((await finished)?.status).toBe('done')
    expect(started.map(({ part }) => part)).toEqual([2])
    await holds.close(jid)
  })
})

describe('a run that waits for an orchestration', () => {
  it('is over when that goes on by itself, and has its outcome where it ends soon', async () => {
    const { driver, records, add } = stand()
    const jid = add()
    const outcome = async (): Promise<string> => {
      await driver.begin(jid)
      return (await driver.finished(jid)).status
    }
    expect(await driver.unlessHandedOver(outcome(), 0)).toBeUndefined()
    const record = records.get(jid)
    if (record === undefined) throw new Error('gone')
    records.set(jid, { ...record, status: 'done' })
    expect(await driver.unlessHandedOver(outcome(), 90_000)).toBe('done')
    expect(await driver.unlessHandedOver(Promise.resolve('a runner'), 0)).toBe('a runner')
  })
})
