// Entries that ask more than a glob: shown, explained, held back, refused by the breaker; over a restart too.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Caller } from '../../client/index.ts'
import { isMapping, type Mapping, parseJson } from '../../core/value/index.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'
import { expectShown, pageFile } from './cookbook.ts'

const NOTE = (word: string): string =>
  `${word}:\n  runner.event.send:\n    - args:\n        tag: ${word}/{{ data.get('n') or data['data']['n'] }}\n`

let lab: Lab
beforeAll(async () => {
  lab = await createLab({ master: `auto_accept: True\nreactor_breaker: 3\n${pageFile('asks.conf')}` })
  lab.write('srv/reactor/clean.sls', NOTE('cleaned'))
  lab.write('srv/reactor/door.sls', NOTE('opened'))
  await lab.startMaster()
}, 180_000)
afterAll(() => lab.close())

async function shows(name: string, line: string): Promise<Mapping> {
  const wanted = line.split(' ').slice(1)
  const { stdout, stderr, exit } = await lab.run('brine-run', wanted)
  expect([exit, stderr]).toEqual([0, ''])
  expectShown(name, line, stdout, lab.root)
  const value = parseJson((await lab.run('brine-run', [...wanted, '--out', 'json'])).stdout)
  if (!isMapping(value)) throw new Error(`${line} answers no map`)
  return value
}

const disk = (host: string, n: number, used = 95, state = 'full'): Promise<void> =>
  lab.connection().fire(`shop/disk/${n}`, { host, n, used, state })

/** Waits until the newest event with the tag was planned. */
const planned = (tag: string): Promise<Mapping> =>
  waitFor(`${tag} to be planned`, async () => {
    const request = { client: 'runner' as const, fun: 'reactor.explain', arg: [tag], kwarg: {} }
    const { return: found } = await lab.connection().run(request)
    return isMapping(found ?? null) && (found as Mapping).planned !== undefined ? (found as Mapping) : undefined
  })

describe('an entry that asks more than a glob', { timeout: 180_000 }, () => {
  it('is listed as it was written', async () => {
    const { stdout, exit } = await lab.run('brine-run', ['reactor.list', '--out', 'yaml'])
    expect(exit).toBe(0)
    expectShown('list-asks', 'brine-run reactor.list --out yaml', stdout, lab.root)
    const listed = await lab.connection().run({ client: 'runner', fun: 'reactor.list', arg: [], kwarg: {} })
    expect(listed.return).toMatchObject([{ 'shop/disk/*': { once_within: '5m', group_by: 'data.host' } }, {}])
  })

  it('reacts to data that match, and says what differs in other data', async () => {
    await disk('db1', 1)
    await lab.waitForEvent({ tag: 'cleaned/1' })
    await disk('db1', 2, 85)
    const told = await shows('explain-asks', 'brine-run reactor.explain shop/disk/2')
    expect(told).toMatchObject({ files: [], entries: [{ matched: false, reason: expect.stringContaining('85') }, {}] })
  })

  it('reacts once within the time for each group, over a restart too', async () => {
    await disk('db1', 3)
    await planned('shop/disk/3')
    const told = await shows('explain-held', 'brine-run reactor.explain shop/disk/3')
    expect(told).toMatchObject({ files: [{ outcome: 'held', error: { code: 'once-within' } }] })
    await disk('db2', 4, 90, 'almost full')
    await lab.waitForEvent({ tag: 'cleaned/4' })
    await lab.stopMaster('SIGKILL')
    await lab.startMaster()
    await disk('db1', 5)
    expect(await planned('shop/disk/5')).toMatchObject({ files: [{ outcome: 'held' }] })
    expect(lab.events.map(({ tag }) => tag).filter((tag) => tag.startsWith('cleaned/'))).toEqual([
      'cleaned/1',
      'cleaned/4',
    ])
  })

  it('is refused by the breaker above so many reactions a minute, which is told once', async () => {
    lab.startMinion('gate')
    await lab.waitForEvent({ tag: 'salt/minion/gate/start' })
    const { BRINE_CONFIG_DIR: configDir = '' } = lab.minionEnv('gate')
    // From one process: a command for each might take longer than the minute.
    const caller = new Caller({ configDir })
    for (let n = 11; n <= 15; n++) {
      expect(await caller.cmd('event.send', 'shop/door/front', { n })).toBe(true)
      if (n <= 13) await lab.waitForEvent({ tag: `opened/${n}` })
    }
    await caller.close()
    await lab.waitForEvent({ tag: 'brine/reactor/throttled', has: { minion: 'gate', glob: 'shop/door/*' } })
    await waitFor('the last to be refused', async () => {
      const told = await planned('shop/door/front')
      return JSON.stringify(told).includes('"refused"') ? true : undefined
    })
    const told = await shows('explain-throttled', 'brine-run reactor.explain shop/door/front')
    expect(told).toMatchObject({ files: [{ outcome: 'refused', error: { code: 'throttled' } }] })
    const tags = lab.events.map(({ tag }) => tag)
    expect(tags.filter((tag) => tag.startsWith('opened/'))).toEqual(['opened/11', 'opened/12', 'opened/13'])
    expect(tags.filter((tag) => tag === 'brine/reactor/throttled')).toHaveLength(1)

    const { stdout } = await lab.run('brine-run', [
      'event.replay',
      '--tag',
      'shop/door/*',
      '--dry-run',
      '--out',
      'json',
    ])
    expect(parseJson(stdout)).toMatchObject({ would_replay: [{ tag: 'shop/door/front' }, {}], reacted_before: 3 })
  })
})
