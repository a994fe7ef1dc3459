// States applied by a minion: files of its master, their results, exit codes, events, and one run at a time.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isMapping, type Mapping, stringifyJson, type Value } from '../../core/value/index.ts'
import { type CallAgent, openCall } from '../call.ts'
import { FakeMaster } from '../fake-master.ts'
import { type FakeSetup, fakeSetup } from '../fake-setup.ts'
import { StateRuns } from './state-runs.ts'

let master: FakeMaster
let fake: FakeSetup
let agent: CallAgent

const base = {
  'good.sls': 'a:\n  test.succeed_with_changes\nb:\n  test.nop:\n    - onchanges: [{test: a}]\n',
  'bad.sls': 'ok: test.nop\nboom: test.fail_without_changes\nafter:\n  test.nop:\n    - require: [{test: boom}]\n',
  'map.sls': '{% set apache = salt["grains.filter_by"]({"default": {"pkg": "apache2"}}) %}',
  'apache/init.sls': '{% from "map.sls" import apache with context %}\n{{ apache.pkg }}: test.nop\n',
  'ask.sls': "{{ salt['cmd.run']('echo from-' ~ grains.role) }}: test.nop\n",
  'broken.sls': "{{ salt['cmd.run']('x', cwd='/nowhere') }}: test.nop\n",
  'missing.sls': "{{ salt['no.such']() }}: test.nop\n",
  'pillar.sls': "{{ pillar.get('who', 'nobody') }}: test.nop\n",
  'sub/top.jinja': '{% set a = 1 %}\n\n{{ nothere }}\n',
  'sub/init.sls': '{% from "./top.jinja" import a %}\n',
  'if.jinja': '{% set a = 1 %}\n{% if %}\n',
  'if.sls': 'x:\n{% from "if.jinja" import a %}\n',
  'changing.sls':
    "{% do pillar.made.update(by='changing') %}\ninclude: [changed]\n{{ pillar.made.by }} first: test.nop\n",
  'changed.sls': "{{ salt['pillar.get']('made:by') }} then, {{ salt['cmd.run']('echo asked') }}: test.nop\n",
  'events.sls': 'a:\n  test.nop:\n    - fire_event: done/it\nb:\n  test.nop:\n    - fire_event: True\nc: test.nop\n',
  'checked.sls':
    'a:\n  test.nop:\n    - onlyif: test -d /nowhere\nb:\n  test.nop:\n    - unless: [{fun: test.true}]\nc:\n  test.nop:\n    - check_cmd: [exit 3]\n',
}

async function opened(more = ''): Promise<void> {
  fake = await fakeSetup(master.url, `grains: {role: web}\n${more}`)
  agent = await openCall(fake.setup, {}, fake.outside)
}

beforeEach(async () => {
  master = await FakeMaster.start()
  master.files = { base, dev: { 'only.sls': 'd: test.nop\n' } }
})

afterEach(async () => {
  await agent.close()
  await master.stop()
  await fake.remove()
})

async function run(fun: string, args: Value[] = [], kwargs: Mapping = {}): Promise<{ ret: Value; code: number }> {
  const arg = Object.keys(kwargs).length === 0 ? args : [...args, { ...kwargs, __kwarg__: true }]
  const result = await agent.run({ fun, arg, words: [] })
  if (result.kind !== 'returned') throw new Error(JSON.stringify(result))
  return { ret: result.return, code: result.retcode }
}

/** Result and comment by ID. */
function told(ret: Value): Record<string, readonly [Value, Value]> {
  if (!isMapping(ret)) throw new Error(JSON.stringify(ret))
  return Object.fromEntries(
    Object.values(ret).map((state) => {
      const { __id__: id, result = null, comment = null } = state as Mapping
      return [String(id), [result, comment] as const]
    }),
  )
}

describe('state.apply', () => {
  it('runs the states of files in order, with their requisites', async () => {
    await opened()
    const { ret, code } = await run('state.apply', ['good'])
    expect(code).toBe(0)
    expect(Object.keys(ret as Mapping)).toEqual(['test_|-a_|-a_|-succeed_with_changes', 'test_|-b_|-b_|-nop'])
    expect((ret as Mapping)['test_|-a_|-a_|-succeed_with_changes']).toEqual({
      name: 'a',
      changes: { testing: { old: 'Unchanged', new: 'Something pretended to change' } },
      result: true,
      comment: 'Success!',
      __sls__: 'good',
      __run_num__: 0,
      start_time: expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{6}$/),
      duration: expect.any(Number),
      __id__: 'a',
    })
  })

  it('ends with 2 where a state fails, and says what could not run', async () => {
    await opened()
    const { ret, code } = await run('state.sls', ['bad'])
    expect(code).toBe(2)
    expect(told(ret)).toEqual({
      ok: [true, 'Success!'],
      boom: [false, 'Failure!'],
      after: [false, 'One or more requisite failed: bad.boom'],
    })
    expect(fake.said).toContain('error Failure!')
  })

  it.each([
    ['nosuch', {}, ["No matching sls found for 'nosuch' in env 'base'"]],
    [
      'good',
      { saltenv: 'nope' },
      ["No matching salt environment for environment 'nope' found", "No matching sls found for 'good' in env 'nope'"],
    ],
    [
      'broken',
      {},
      [
        expect.stringMatching(
          /^Rendering SLS 'base:broken' failed: Problem running salt function in Jinja template: .*\/nowhere.*; line 1/,
        ),
      ],
    ],
    [
      'missing',
      {},
      [
        expect.stringMatching(
          /^Rendering SLS 'base:missing' failed: Jinja variable 'salt\.utils\.templates\.AliasedLoader object' has no attribute 'no\.such'; line 1/,
        ),
      ],
    ],
  ])('ends with 1 where %s %j does not compile', async (mods, kwargs, words) => {
    await opened()
    expect(await run('state.apply', [mods], kwargs)).toEqual({ ret: words, code: 1 })
  })

  it('asks the minion’s functions while it renders, and imports with context', async () => {
    await opened()
    expect(told((await run('state.apply', ['apache,ask'])).ret)).toEqual({
      apache2: [true, 'Success!'],
      'from-web': [true, 'Success!'],
    })
  })

  it.each([
    ['sub', "'nothere' is undefined\nsalt://sub/top.jinja(3):\n---\n{% set a = 1 %}\n\n{{ nothere }}    <==="],
    ['if', "'end of statement block'\nsalt://if.jinja(2):\n---\n{% set a = 1 %}\n{% if %}    <==="],
  ])('names the included file that does not render: %s', async (name, words) => {
    await opened()
    const { ret, code } = await run('state.apply', [name])
    expect(ret).toEqual([expect.stringContaining(words)])
    expect(code).toBe(1)
  })

  it('shows a file what those before it changed of the pillar, and only within one run', async () => {
    await opened()
    const ids = async (name: string): Promise<string[]> => {
      const { ret } = await run('state.apply', [name], { pillar: { made: { by: 'pillar' } } })
      return Object.values(ret as Mapping).map((state) => String((state as Mapping).__id__))
    }
    expect(await ids('changing')).toEqual(['changing then, asked', 'changing first'])
    expect(await ids('changed')).toEqual(['pillar then, asked'])
  })

  it('takes pillar, test, exclude and saltenv from the command line', async () => {
    await opened()
    expect(told((await run('state.apply', ['pillar'], { pillar: { who: 'me' } })).ret)).toHaveProperty('me')
    const tested = await run('state.apply', [], { mods: 'good', test: true })
    expect(told(tested.ret).a?.[0]).toBeNull()
    expect(tested.code).toBe(0)
    const exclude = [{ id: 'after' }, { sls: 'good' }]
    expect(Object.keys(told((await run('state.apply', ['good,bad'], { exclude })).ret))).toEqual(['ok', 'boom'])
    expect(told((await run('state.apply', ['only'], { saltenv: 'dev' })).ret)).toHaveProperty('d')
  })

  it('checks before and after with real commands', async () => {
    await opened()
    expect(told((await run('state.apply', ['checked'])).ret)).toEqual({
      a: [true, 'onlyif condition is false'],
      b: [true, 'unless condition is true'],
      c: [false, 'check_cmd determined the state failed'],
    })
  })

  it('tells the master of states as they end, where it is asked to', async () => {
    await opened()
    const result = await agent.run({ fun: 'state.apply', arg: ['events'], words: [] })
    const { jid } = result as { jid: string }
    const fired = master.events.map(({ tag }) => tag)
    expect(fired).toEqual([`salt/state_result/${jid}/web1/done/it`, `salt/state_result/${jid}/web1/b`])
    expect(master.events[0]?.data).toMatchObject({
      jid,
      id: 'web1',
      cmd: '_minion_event',
      data: { ret: { name: 'a' } },
    })
    master.opts = { state_events: true }
    await agent.view.refreshPillar()
    await run('state.apply', ['events'])
    const [progress] = master.events.filter(({ tag }) => tag.includes('/prog/'))
    expect(progress?.tag).toMatch(/^salt\/job\/\d{20}\/prog\/web1\/2$/)
    expect(progress?.data).toMatchObject({ data: { len: 3, ret: { __id__: 'c' } } })
  })

  it('runs nothing beside another run, or waits for it', async () => {
    await opened()
    const runs = new StateRuns(join(fake.root, 'cache/proc'))
    const turn = await runs.begin('state.highstate', '20170523181440000001', 0, new AbortController().signal)
    const words = `The function "state.highstate" is running as PID ${process.pid} and was started at 2017, May 23 18:14:40.000001 with jid 20170523181440000001`
    expect(await run('state.apply', ['good'])).toEqual({ ret: [words], code: 1 })
    expect((await run('state.running')).ret).toEqual([words])
    const waiting = run('state.apply', ['good'], { queue: true })
    if (turn.kind !== 'begun') throw new Error('the first run did not begin')
    turn.end()
    expect((await waiting).code).toBe(0)
    expect((await run('state.running')).ret).toEqual([])
  })
})

describe('state.highstate', () => {
  it('says so where there is no top file', async () => {
    await opened()
    expect(await run('state.highstate')).toEqual({
      ret: {
        'no_|-states_|-states_|-None': {
          result: false,
          comment: 'No Top file or master_tops data matches found. Please see master log for details.',
          name: 'No States',
          changes: {},
          __run_num__: 0,
        },
      },
      code: 2,
    })
  })

  it('runs what the top file gives this minion', async () => {
    const top = "base:\n  'role:web':\n    - match: grain\n    - good\n  'db*': [bad]\n  'L@web1': [apache]\n"
    master.files = { base: { ...base, 'top.sls': top } }
    await opened()
    expect(Object.keys(told((await run('state.apply')).ret))).toEqual(['a', 'b', 'apache2'])
    expect((await run('state.show_top')).ret).toEqual({ base: ['good', 'apache'] })
    expect((await run('state.show_states')).ret).toEqual(['good', 'apache'])
  })
})

describe('single states', () => {
  it.each([
    ['state.single', ['test.nop'], { name: 'x' }, 0],
    ['state.single', ['test.fail_without_changes'], { name: 'x' }, 2],
    ['state.template_str', ['x: test.nop'], {}, 0],
    ['state.high', [{ x: { test: ['nop'] } }], {}, 0],
    ['state.sls_id', ['after', 'bad'], {}, 2],
  ] as [string, Value[], Mapping, number][])('%s %j %j ends with %i', async (fun, args, kwargs, code) => {
    await opened()
    expect((await run(fun, args, kwargs)).code).toBe(code)
  })

  it('refuses what is no state', async () => {
    await opened()
    expect(await run('state.single', ['no.such', 'x'])).toEqual({
      ret: ["Specified state 'no.such' was not found"],
      code: 1,
    })
    expect(await run('state.single', ['nodot', 'x'])).toEqual({ ret: 'Invalid function passed', code: 1 })
  })

  it('shows what there is', async () => {
    await opened()
    expect(stringifyJson((await run('state.show_sls', ['apache'])).ret)).toBe(
      '{"apache2": {"__sls__": "apache", "__env__": "base", "test": ["nop", {"order": 10000}]}}',
    )
    expect((await run('state.sls_exists', ['good'])).ret).toBe(true)
    expect((await run('state.id_exists', ['a,b', 'good'])).ret).toBe(true)
    expect((await run('state.id_exists', ['a,z', 'good'])).ret).toBe(false)
  })
})
