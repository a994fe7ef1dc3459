// Shows which pillars are compiled when targets look into them, and which are known.
import { expect, it } from 'vitest'
import { createPillar, type PillarSource } from './pillar.ts'
import type { MinionRecord } from './ports.ts'

const minute = 60_000_000

/** A master without files, whose one source of values counts how often it is asked for whom. */
function stage() {
  const asked: string[] = []
  let now = 0
  const source: PillarSource = {
    files: { envs: async () => [], list: async () => [], read: async () => undefined },
    external: [{ name: 'counting', pillar: async ({ id }) => ({ n: asked.push(id) }) }],
    merging: { strategy: 'smart', lists: false },
    safeErrors: true,
    top: 'top.sls',
    envOrder: [],
    withOpts: false,
    error: (message) => {
      throw new Error(message)
    },
  }
  const pillars = createPillar({
    source,
    options: { nodegroups: {} },
    opts: {},
    answers: {} as never,
    clock: { now: () => now } as never,
  })
  const minion = (id: string) => ({ id, grains: {} }) as MinionRecord
  return { pillars, asked, minion, pass: (microseconds: number) => (now += microseconds) }
}

it('compiles a pillar once a minute, whoever else is asked for between', async () => {
  const { pillars, asked, minion, pass } = stage()
  await pillars.known([minion('web1'), minion('db1')])
  expect([...(await pillars.known([minion('db1')])).keys()]).toEqual(['db1'])
  await pillars.known([minion('web1'), minion('db1')])
  expect(asked).toEqual(['web1', 'db1'])
  pass(minute + 1)
  await pillars.known([minion('web1')])
  expect(asked).toEqual(['web1', 'db1', 'web1'])
})

it('compiles anew what was forgotten', async () => {
  const { pillars, asked, minion } = stage()
  await pillars.known([minion('web1'), minion('db1')])
  await pillars.forget(['web1'])
  await pillars.known([minion('web1'), minion('db1')])
  expect(asked).toEqual(['web1', 'db1', 'web1'])
})
