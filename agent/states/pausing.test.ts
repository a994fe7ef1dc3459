// Runs that are held, let go and ended before their next state, and runs that are asked for first.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isMapping, type Mapping, type Value } from '../../core/value/index.ts'
import { openCall } from '../call.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'
import { until } from '../fake-setup.ts'
import { ScratchTree } from '../filesystem/scratch-tree.ts'
import { execute, type Outcome } from '../modules/execute.ts'
import { StateRuns } from './state-runs.ts'

let minion: FakeMinion
const jid = '20261121200000000001'

beforeEach(async () => {
  minion = await fakeMinion()
})
afterEach(() => minion.close())

const three = (root: string): string =>
  ['a', 'b', 'c'].map((id) => `${id}:\n  file.touch:\n    - name: ${join(root, id)}\n`).join('')

/** A run under a job id of its own. */
function apply(signal = new AbortController().signal): Promise<Outcome> {
  const arg = [three(minion.fake.root)]
  return execute(minion.agent.view, { fun: 'state.template_str', arg, data: { jid }, signal })
}

const has = (id: string): boolean => existsSync(join(minion.fake.root, id))
const ids = (outcome: Outcome): string[] => {
  if (outcome.kind !== 'returned' || !isMapping(outcome.value)) throw new Error(JSON.stringify(outcome))
  return Object.values(outcome.value).map((one) => String((one as Mapping).__id__))
}
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400))

describe('a run', () => {
  it('waits before its next state, and goes on', async () => {
    expect(await minion.run('state.pause', [jid, 'b'])).toBe(null)
    const running = apply()
    await until(() => has('a'))
    await quiet()
    expect(has('b')).toBe(false)
    expect(await minion.run('state.get_pauses')).toEqual({ [jid]: { b: {} } })
    expect(await minion.run('state.resume', [jid, 'b'])).toBe(null)
    expect(ids(await running)).toEqual(['a', 'b', 'c'])
    expect(await minion.run('state.get_pauses')).toEqual({})
    expect(existsSync(join(minion.fake.root, 'cache/state_pause', jid))).toBe(false)
  })

  it('waits as a whole, and is let go as a whole', async () => {
    await minion.run('state.pause', [jid])
    await minion.run('state.pause', [jid, 'c'])
    const running = apply()
    await quiet()
    expect(has('a')).toBe(false)
    await minion.run('state.resume', [jid])
    expect(ids(await running)).toEqual(['a', 'b', 'c'])
  })

  it('goes on by itself after a while', async () => {
    await minion.run('state.pause', [jid, 'a'], { duration: 1 })
    const began = Date.now()
    expect(ids(await apply())).toEqual(['a', 'b', 'c'])
    expect(Date.now() - began).toBeGreaterThan(1000)
    expect(Date.now() - began).toBeLessThan(50_000)
  })

  it('ends before a state, and returns what it has done', async () => {
    await minion.run('state.soft_kill', [jid, 'b'])
    expect(ids(await apply())).toEqual(['a'])
    expect(has('b')).toBe(false)
  })

  it('is held by another process', async () => {
    const other = await openCall({ ...minion.fake.setup }, {}, minion.fake.outside)
    await other.cmd('state.pause', [jid], {})
    const running = apply()
    await quiet()
    expect(has('a')).toBe(false)
    await other.cmd('state.soft_kill', [jid], {})
    expect(await running).toMatchObject({ kind: 'returned', value: {} })
    await other.close()
  })

  it('that is killed while it waits is over', async () => {
    await minion.run('state.pause', [jid])
    const controller = new AbortController()
    const running = apply(controller.signal)
    await quiet()
    controller.abort()
    await running
  })

  it('is not led elsewhere by an odd job id', async () => {
    await minion.run('state.pause', ['../../outside'])
    expect(existsSync(join(minion.fake.root, 'cache/state_pause/______outside'))).toBe(true)
  })
})

describe('state.get_pauses', () => {
  it('knows the runs of others, and tells those it is asked for', async () => {
    const runs = new StateRuns(join(minion.fake.root, 'cache/proc'))
    const turn = await runs.begin('state.apply', jid, 0, new AbortController().signal)
    await minion.run('state.pause', [jid], { duration: 20 })
    await minion.run('state.soft_kill', [jid, 'x'])
    const told = { [jid]: { __all__: { duration: 20 }, x: { kill: true } } }
    expect(await minion.run('state.get_pauses')).toEqual(told)
    expect(await minion.run('state.get_pauses', [[jid]])).toEqual(told)
    expect(await minion.run('state.get_pauses', ['20261121200000000002'])).toEqual({})
    if (turn.kind === 'begun') turn.end()
  })
})

describe('a request', () => {
  let tree: ScratchTree
  beforeEach(async () => {
    tree = await ScratchTree.make()
    await tree.fill({
      'srv/top.sls': "base:\n  '*': [touch]\n",
      'srv/touch.sls': 'mark:\n  file.touch:\n    - name: $ROOT/mark\n',
      'srv/other/init.sls': '{}\n',
    })
    await minion.close()
    minion = await fakeMinion(`file_roots: {base: [${tree.root}/srv]}`)
  })
  afterEach(() => tree.remove())
  const only = (value: Value): Mapping => Object.values(value as Mapping)[0] as Mapping

  it('changes nothing, is told, and is run', async () => {
    expect(only(await minion.run('state.request', ['touch'], { pillar: { a: 1 } }))).toMatchObject({ result: null })
    expect(existsSync(join(tree.root, 'mark'))).toBe(false)
    const asked = (await minion.run('state.check_request')) as { default: Mapping }
    expect(asked).toEqual({
      default: { mods: 'touch', kwargs: { pillar: { a: 1 }, test: true }, test_run: expect.any(Object) },
    })
    expect(await minion.run('state.check_request', ['default'])).toEqual(asked.default)
    expect(await minion.outcome('state.check_request', ['other'])).toMatchObject({ words: "'other'" })
    expect(await minion.run('state.run_request', ['other'])).toEqual({})
    expect(only(await minion.run('state.run_request'))).toMatchObject({ result: true })
    expect(existsSync(join(tree.root, 'mark'))).toBe(true)
    expect(await minion.run('state.check_request')).toEqual({})
    expect(await minion.run('state.run_request')).toEqual({})
  })

  it('is of files of which some are in use', async () => {
    expect(await minion.run('state.show_state_usage')).toEqual({
      base: { used: ['touch'], unused: ['other', 'top'], count_all: 3, count_used: 1, count_unused: 2 },
    })
  })

  it('is forgotten, alone or with all', async () => {
    await minion.run('state.request', ['touch'], { name: 'one' })
    await minion.run('state.request', ['touch'], { name: 'two' })
    expect(Object.keys((await minion.run('state.check_request')) as Mapping)).toEqual(['one', 'two'])
    expect(await minion.run('state.clear_request', ['one'])).toBe(true)
    expect(await minion.run('state.clear_request', ['one'])).toBe(false)
    expect(await minion.run('state.clear_request')).toBe(true)
    expect(await minion.run('state.clear_request', ['one'])).toBe(true)
    expect(await minion.run('state.check_request')).toEqual({})
  })
})

describe('the cache', () => {
  it('is cleared of what a minion of Salt left', async () => {
    expect(await minion.run('state.clear_cache')).toEqual([])
    await mkdir(join(minion.fake.root, 'cache'), { recursive: true })
    await writeFile(join(minion.fake.root, 'cache/highstate.cache.p'), 'x')
    expect(await minion.run('state.clear_cache')).toEqual(['highstate.cache.p'])
    expect(await minion.run('state.clear_cache')).toEqual([])
    await expect(readFile(join(minion.fake.root, 'cache/highstate.cache.p'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
