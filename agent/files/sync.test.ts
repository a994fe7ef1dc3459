// The user's own code: synced from the master, loaded, replaced, removed; Python refused with the way to write it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping, Value } from '../../core/value/index.ts'
import { type CallAgent, openCall } from '../call.ts'
import { useLab } from '../fake-lab.ts'
import { FakeMaster } from '../fake-master.ts'
import { type FakeSetup, fakeSetup } from '../fake-setup.ts'

const base = {
  '_modules/my_custom_module.mjs': `
export async function do_something({ salt, grains }) {
  await salt['event.send']('myco/my_custom_module/finished', { finished: true, message: 'The something is finished!' })
  return { says: await salt['test.echo']('hello'), role: grains.role }
}
export function greet(context, name, loud) { return loud ? name.toUpperCase() : name }
greet.params = 'name, loud=False'
greet.doc = 'Greet somebody.'
export function all(context, ...rest) { return rest }
`,
  '_states/mine.mjs': `
export async function present({ salt, test }, { name, words }) {
  if (test) return { name, result: null, changes: {}, comment: 'would say it' }
  return { name, result: true, changes: { said: await salt['test.echo'](words) }, comment: 'said' }
}
present.params = "name, words='nothing'"
present.doc = 'Say words.'
`,
  '_grains/extra.mjs': 'export function more() { return { flavour: "sweet" } }',
  'say.sls': 'it:\n  mine.present:\n    - words: hi\n',
}

const saltenv: Value = 'base'
let master: FakeMaster
let fake: FakeSetup
let agent: CallAgent

describe('a user’s code', () => {
  beforeEach(async () => {
    master = await FakeMaster.start()
    master.files = { base, dev: { '_modules/of_dev.mjs': 'export function f() { return "dev" }' } }
    fake = await fakeSetup(master.url, 'grains: {role: web}')
    agent = await openCall(fake.setup, {}, fake.outside)
  })

  afterEach(async () => {
    await agent.close()
    await master.stop()
    await fake.remove()
  })

  const cmd = (fun: string, args: Value[] = [], kwargs: Mapping = {}) => agent.cmd(fun, args, kwargs)

  it('is synced by kind, and told as Salt tells it', async () => {
    const all = (await cmd('saltutil.sync_all')) as Mapping
    expect(Object.keys(all)).toHaveLength(20)
    expect(all).toMatchObject({
      modules: ['modules.my_custom_module'],
      states: ['states.mine'],
      grains: ['grains.extra'],
      beacons: [],
    })
    expect(await cmd('saltutil.sync_modules')).toEqual([])
    expect(await cmd('grains.get', ['flavour'])).toBe('sweet')
    expect(await cmd('saltutil.sync_modules', [], { saltenv: 'dev' })).toEqual(['modules.of_dev'])
    expect(await cmd('of_dev.f')).toBe('dev')
    await expect(cmd('my_custom_module.greet', ['x'])).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('calls others, and fires events', async () => {
    await cmd('saltutil.sync_modules')
    expect(await cmd('my_custom_module.do_something')).toEqual({ says: 'hello', role: 'web' })
    expect(master.events[0]).toMatchObject({
      tag: 'myco/my_custom_module/finished',
      data: { data: { finished: true, message: 'The something is finished!' } },
    })
    expect(await cmd('my_custom_module.greet', ['ann'], { loud: true })).toBe('ANN')
    expect(await cmd('my_custom_module.all', [1], { a: 2 })).toEqual([1, { a: 2 }])
    expect(await cmd('sys.doc', ['my_custom_module.greet'])).toEqual({
      'my_custom_module.greet': '\n    Greet somebody.\n    ',
    })
  })

  it('is taken again when it changes', async () => {
    await cmd('saltutil.sync_modules')
    const text = 'export function greet() { return "other" }'
    master.files = { base: { ...base, '_modules/my_custom_module.mjs': text } }
    expect(await cmd('saltutil.sync_modules')).toEqual(['modules.my_custom_module'])
    expect(await cmd('my_custom_module.greet')).toBe('other')
  })

  it('has states of its own', async () => {
    await cmd('saltutil.sync_states', [saltenv])
    const ran = Object.values((await cmd('state.apply', ['say'])) as Mapping)[0]
    expect(ran).toMatchObject({ result: true, changes: { said: 'hi' }, comment: 'said', __id__: 'it' })
    const tested = Object.values((await cmd('state.apply', ['say'], { test: true })) as Mapping)[0]
    expect(tested).toMatchObject({ result: null, comment: 'would say it' })
    expect(await cmd('sys.list_state_functions', ['mine'])).toEqual(['mine.present'])
  })

  it('is refused in Python, unless there is the same in JavaScript', async () => {
    master.files = { base: { ...base, '_modules/my_custom_module.py': '', '_modules/old.py': 'def f(): pass' } }
    const words =
      /salt:\/\/_modules\/old\.py is Python, which this minion does not run\. Write it in JavaScript as _modules\/old\.mjs: export function my_function/
    await expect(cmd('saltutil.sync_modules')).rejects.toThrow(words)
    expect(await cmd('saltutil.sync_all')).toMatchObject({ modules: [] })
    expect(fake.said.filter((line) => words.test(line))).toHaveLength(2)
    expect(fake.said.join()).not.toContain('my_custom_module.py')
  })
})

describe('at its start', () => {
  const lab = useLab({ beforeEach, afterEach })

  it('a minion has the code of its master', async () => {
    lab.master.files = { base }
    const minion = await lab.started()
    await minion.joined
    const jid = lab.master.publish({ fun: 'my_custom_module.greet', arg: ['bob'] })
    while (!lab.master.returns.some((ret) => ret.jid === jid)) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(lab.master.returns.map((ret) => ret.return)).toEqual(['bob'])
  })
})
