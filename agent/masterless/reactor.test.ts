// A minion without a master that reacts to its own bus: what it runs, what it refuses, loops, and a crash in between.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type FakeSetup, fakeSetup, until } from '../fake-setup.ts'
import { localBusAddress } from '../local-bus/address.ts'
import { connectLocalBus, fireOnBus } from '../local-bus/client.ts'
import { createMinion, type Minion } from '../minion.ts'
import { openJournalLedger } from './journal-ledger.ts'

let fake: FakeSetup
let minion: Minion | undefined
afterEach(async () => {
  await minion?.stop()
  minion = undefined
  await fake.remove()
})

/** Starts it with one entry for each of these files. */
async function started(
  files: Readonly<Record<string, string>>,
  globs: Readonly<Record<string, string>>,
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  fake = await fakeSetup('http://127.0.0.1:9', 'file_client: local')
  await mkdir(join(fake.root, 'reactor'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(fake.root, 'reactor', name), text)
  const reactor = Object.entries(globs).map(([glob, name]) => ({ [glob]: [join(fake.root, 'reactor', name)] }))
  const setup = { ...fake.setup, config: { ...fake.setup.config, reactor } }
  await before()
  minion = createMinion(setup, fake.outside)
  await minion.start()
}

const bus = (): string => localBusAddress(join(fake.root, 'sock'), 'web1')
const fire = (tag: string, data = {}): Promise<boolean> => fireOnBus(bus(), tag, data)
const lines = async (): Promise<string> => readFile(join(fake.root, 'log'), 'utf8').catch(() => '')
async function logged(text: string): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await lines()).includes(text)) {
    if (Date.now() > end) throw new Error(`not in the log: ${text}; it says ${await lines()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const append = (what: string): string => `append:
  caller.cmd.run:
    - args:
      - cmd: 'echo ${what} >> {{ opts.data_dir }}/../log'
`

describe('a minion without a master', () => {
  it('runs caller reactions, with the event, the grains and its functions at hand', async () => {
    const files = { 'a.sls': append("{{ tag }} {{ data.who }} {{ grains.id }} {{ salt['test.echo']('asked') }}") }
    await started(files, { 'my/*': 'a.sls' })
    expect(await fire('my/tag', { who: 'ann' })).toBe(true)
    await logged('my/tag ann web1 asked')
    await fire('your/tag')
    expect((await lines()).trim().split('\n')).toHaveLength(1)
  })

  it('refuses what needs a master, says why, and does the rest', async () => {
    const file = `ping:\n  local.test.ping:\n    - tgt: '*'\n${append('done')}`
    await started({ 'a.sls': file, 'broken.sls': '{{' }, { go: 'a.sls', broken: 'broken.sls' })
    const watcher = await connectLocalBus(bus())
    const seen = await watcher.subscribe()
    const errors: string[] = []
    void (async () => {
      for await (const { tag, data } of seen) if (tag === 'brine/reactor/error') errors.push(String(data.error))
    })()
    await fire('go')
    await fire('broken')
    await logged('done')
    await until(() => errors.length === 2)
    expect(errors.join('\n')).toMatch(/local\.test\.ping needs a master/)
    watcher.close()
  })

  it('goes on with what a crash cut off', async () => {
    await started({ 'a.sls': append('{{ data.n }} resumed') }, { go: 'a.sls' }, async () => {
      const ledger = await openJournalLedger(join(fake.root, 'data/reactions'), () => 0)
      await ledger.keep({ id: '01JD0000000000000000000000', tag: 'go', data: { n: 7 }, source: 'minion' })
      await ledger.close()
    })
    await logged('7 resumed')
    await minion?.stop()
    minion = createMinion(
      { ...fake.setup, config: { ...fake.setup.config, reactor: [{ go: [join(fake.root, 'reactor/a.sls')] }] } },
      fake.outside,
    )
    await minion.start()
    await fire('go', { n: 8 })
    await logged('8 resumed')
    expect(await lines()).toBe('7 resumed\n8 resumed\n')
  })

  it('ends a loop', async () => {
    const file = `again:\n  caller.event.fire:\n    - args:\n      - data: {a: 1}\n      - tag: again\n${append('round')}`
    await started({ 'a.sls': file }, { again: 'a.sls' })
    await fire('again')
    await until(() => fake.said.some((line) => line.includes('by') && /times|loop|path|limit/i.test(line)))
    // What a round appends is beside what begins the next.
    await logged('round\nround\n')
    let rounds = 0
    for (let before = -1; rounds !== before; ) {
      before = rounds
      await new Promise((resolve) => setTimeout(resolve, 500))
      rounds = (await lines()).trim().split('\n').length
    }
    expect(rounds).toBeGreaterThan(1)
    expect(rounds).toBeLessThan(20)
  })
})
