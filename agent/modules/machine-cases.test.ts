// Clocks, names, schemas and settings against what Salt 3007.15 returned beside the same programs, and what is Brine's own.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayTreeCases } from '../../test/system/tree-replay.ts'
import { type FakeMinion, fakeMinion } from '../fake-minion.ts'
import { ScratchTree } from '../filesystem/scratch-tree.ts'

await replayTreeCases(new URL('machine-cases.jsonl', import.meta.url))

describe('the clock', () => {
  it('is set by programs, to what was said and is now', async () => {
    const path = process.env.PATH
    const tree = await ScratchTree.make()
    const minion = await fakeMinion()
    // A date that knows no seconds, as POSIX has it.
    const date = '#!/bin/sh\ncase "$*" in *.*) exit 1;; esac\necho "$*" >>"$0.asked"\n'
    await tree.fill({ 'bin/date': { text: date, mode: '755' } })
    process.env.PATH = `${tree.root}/bin`
    try {
      expect(await minion.run('system.set_system_date', ['2031-02-03'], { utc_offset: '+0000' })).toBe(true)
      expect(await minion.run('system.set_system_time', ['11:20 PM'], { utc_offset: '+0000' })).toBe(true)
      const asked = (await tree.told())['bin/date.asked'] as [string, string]
      expect(asked[1]).toMatch(/^-u 0203\d{4}2031\n-u \d{4}2320\d{4}\n$/)
      expect(await minion.outcome('system.set_system_date', ['2031-02-30'])).toMatchObject({ by: 'invocation' })
      expect(await minion.outcome('system.set_system_date_time', [2031, 2, 30])).toMatchObject({
        by: 'invocation',
        words: 'day is out of range for month',
      })
      expect(await minion.run('system.has_settable_hwclock')).toBe(false)
    } finally {
      process.env.PATH = path
      await tree.remove()
      await minion.close()
    }
  })
})

describe('what is not a function', () => {
  let minion: FakeMinion
  beforeAll(async () => {
    minion = await fakeMinion()
  })
  afterAll(() => minion.close())

  it('tells returners and renderers', async () => {
    expect(await minion.run('sys.list_returners')).toEqual(['eventbridge', 'syslog', 'webhook'])
    expect(await minion.run('sys.list_returners', ['s*'])).toEqual(['syslog'])
    expect(await minion.run('sys.list_returner_functions', ['syslog'])).toEqual(['syslog.returner'])
    expect(await minion.run('sys.returner_doc', ['syslog'])).toEqual({
      'syslog.returner': expect.stringMatching(/syslog[\s\S]*Options: syslog\./),
    })
    expect(await minion.run('sys.returner_argspec', ['webhook'])).toEqual({
      'webhook.returner': { args: ['ret'], defaults: null, varargs: null, kwargs: null },
    })
    expect(await minion.run('sys.list_renderers', ['j*'])).toEqual(['jinja', 'json'])
    expect(Object.keys((await minion.run('sys.renderer_doc')) as object)).toEqual(['jinja', 'json', 'yaml'])
  })

  it.each([
    ['sys.runner_doc', /runners are the master's/],
    ['sys.list_runner_functions', /brine-run --doc/],
    ['saltutil.runner', /only be done by the master/],
    ['saltutil.wheel', /only be done by the master/],
    ['saltutil.cmd', /only be done by the master/],
    ['saltutil.cmd_iter', /only be done by the master/],
  ])('%s is refused with words', async (fun, words) => {
    const arg =
      fun === 'saltutil.runner' || fun === 'saltutil.wheel' ? ['x.y'] : fun.startsWith('sys') ? [] : ['*', 'test.ping']
    expect(await minion.outcome(fun, arg)).toMatchObject({ by: 'command', words: expect.stringMatching(words) })
  })

  it('knows the code that was synchronized, and runs functions of its own', async () => {
    expect(await minion.run('saltutil.list_extmods')).toEqual({})
    const folder = join(minion.fake.root, 'cache/extmods/modules')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'mine.mjs'), '')
    expect(await minion.run('saltutil.list_extmods')).toEqual({ modules: ['mine'] })
    expect(await minion.run('saltutil.mmodule', ['base', 'test.echo', 'x'])).toBe('x')
    expect(await minion.run('saltutil.clear_job_cache', [12])).toBe(true)
  })
})
