// Events fired again for reactors that came later: once, marked, and again only where that is asked for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMapping, type Mapping, parseJson } from '../../core/value/index.ts'
import { waitFor } from '../system/wait.ts'
import { expectShown } from './cookbook.ts'
import { type EmbeddedStage, embeddedStage } from './embedded.ts'

let stage: EmbeddedStage

beforeAll(async () => {
  stage = await embeddedStage('reactor: []\n', {
    'srv/reactor/note.sls':
      "note:\n  runner.event.send:\n    - args:\n        tag: noted/{{ data['n'] }}/{{ data._replay is defined }}\n",
  })
}, 180_000)
afterAll(() => stage.close())

async function replay(...args: string[]): Promise<Mapping> {
  const { stdout, exit } = await stage.run('event.replay', ...args, '--out', 'json')
  expect(exit).toBe(0)
  const told = parseJson(stdout)
  if (!isMapping(told)) throw new Error(stdout)
  return told
}

/** The notes in one order: those of two events have none. */
async function noted(): Promise<string[]> {
  const { events } = await stage.embedded.store.log.read('oldest', 10_000)
  return events
    .map(({ event: { tag } }) => tag)
    .filter((tag) => tag.startsWith('noted/'))
    .sort()
}

function notedTimes(count: number): Promise<string[]> {
  return waitFor(`${count} notes`, async () => {
    const tags = await noted()
    return tags.length === count ? tags : undefined
  })
}

describe('event.replay', { timeout: 180_000 }, () => {
  it('fires what was not reacted to, once, with a mark', async () => {
    const { fire } = stage.embedded.master
    const [first] = await fire(
      { tag: 'late/one', data: { n: 1 } },
      { tag: 'late/two', data: { n: 2 } },
      { tag: 'other', data: {} },
    )
    await stage.run('reactor.add', 'late/*', 'reactors=/srv/reactor/note.sls')

    const dry = await stage.run('event.replay', '--from', '1h', '--tag', 'late/*', '--dry-run')
    expect(dry.exit).toBe(0)
    expectShown('replay-dry', "brine-run event.replay --from 1h --tag 'late/*' --dry-run", dry.stdout, stage.root)
    expect(await noted()).toEqual([])

    const explained = await stage.run('reactor.explain', 'late/one')
    expect(explained.stdout).toContain('An entry matches now, and nothing was planned')

    expect(await replay('--from', '1h', '--tag', 'late/*')).toMatchObject({
      replayed: [{ event: first?.id, tag: 'late/one' }, { tag: 'late/two' }],
      reacted_before: 0,
    })
    expect(await notedTimes(2)).toEqual(['noted/1/True', 'noted/2/True'])
    expect((await stage.run('reactor.explain', 'late/one')).stdout).toContain(`A replay of ${first?.id}.`)
  })

  it('does not repeat a replay, nor what was reacted to, unless it is to be done again', async () => {
    await stage.embedded.master.fire({ tag: 'late/three', data: { n: 3 } })
    await notedTimes(3)
    expect(await replay('--tag', 'late/*')).toMatchObject({ replayed: [], reacted_before: 3 })
    expect(await replay('--tag', 'late/three', '--again')).toMatchObject({ replayed: [{ tag: 'late/three' }] })
    await notedTimes(4)
    expect(await noted()).toEqual(['noted/1/True', 'noted/2/True', 'noted/3/False', 'noted/3/True'])
  })

  it('takes only what lies between two times, and says what is no time', async () => {
    expect(await replay('--to', '2020-01-01', '--again')).toMatchObject({ replayed: [] })
    expect(await replay('--from', '2099-01-01', '--to', '2099-01-02')).toMatchObject({ replayed: [] })
    expect(await replay('limit=1', 'again=True', 'dry_run=True')).toMatchObject({ would_replay: [{}], beyond_limit: 2 })
    for (const args of [['--from', 'noon'], ['--from', '1h', '--to', '2h'], ['limit=0']])
      expect((await stage.run('event.replay', ...args)).exit).toBe(1)
  })

  it('is found with its id by event.list', async () => {
    const { stdout } = await stage.run('event.list', 'late/*', 'limit=2')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split('  ')[2]),
    ).toEqual(['late/three', 'late/three'])
    expect((await stage.run('event.list', 'never/*')).stdout).toBe('No such event is in the log.\n')
    expect((await stage.run('event.list', 'since=1h', 'limit=none')).exit).toBe(1)
  })
})
