// The modules that templates compute with, against what Salt 3007.15 returned, and what is Brine's own about them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayTreeCases } from '../../../test/system/tree-replay.ts'
import { type FakeMinion, fakeMinion } from '../../fake-minion.ts'

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url))

let minion: FakeMinion
beforeAll(async () => {
  minion = await fakeMinion()
})
afterAll(() => minion.close())

describe('random.get_str', () => {
  it.each([
    [{ length: 16, punctuation: false }, /^[A-Za-z0-9]{16}$/],
    [{ length: 8, chars: 'ab' }, /^[ab]{8}$/],
    [{ length: 30, lowercase: false, uppercase: false, punctuation: false }, /^\d{30}$/],
  ])('%j', async (kwarg, pattern) => {
    expect(await minion.run('random.get_str', [], kwarg)).toMatch(pattern)
  })
  it('is another each time', async () => {
    expect(await minion.run('random.get_str')).not.toEqual(await minion.run('random.get_str'))
  })
})

describe('data', () => {
  it('is kept until it is forgotten', async () => {
    expect(await minion.run('data.update', ['k', 1])).toBe(true)
    expect(await minion.run('data.cas', ['k', 2, 5])).toBe(false)
    expect(await minion.run('data.cas', ['k', 2, 1])).toBe(true)
    expect(await minion.run('data.items')).toEqual({ k: 2 })
    expect(await minion.run('data.pop', ['k'])).toBe(2)
    expect(await minion.run('data.has_key', ['k'])).toBe(false)
    expect(await minion.run('data.dump', [{ a: 1, b: 2 }])).toBe(true)
    expect(await minion.run('data.get', [['a', 'b', 'c']])).toEqual([1, 2])
    expect(await minion.run('data.clear')).toBe(true)
    expect(await minion.run('data.load')).toEqual({})
  })
})

describe('what cannot be had', () => {
  it.each([
    ['sdb.get', ['sdb://a/b'], /pillar\.get/],
    ['sdb.get_or_set_hash', ['sdb://a/b'], /pillar\.get/],
    ['publish.publish', ['*', 'test.ping'], /mine\.get/],
    ['publish.full_data', ['*', 'test.ping'], /mine\.get/],
    ['publish.runner', ['manage.down'], /event\.send/],
  ])('%s says what to use instead', async (fun, arg, words) => {
    await expect(minion.run(fun, arg)).rejects.toThrow(words)
  })
})

describe('in a template', () => {
  it.each([
    [
      "{% set a = {'x': {'y': 1}} %}{% do salt['defaults.merge'](a, {'x': {'z': 2}}) %}{{ a | tojson }}",
      '{"x": {"y": 1, "z": 2}}',
    ],
    ["{% set a = {'x': 1} %}{% do salt['defaults.merge'](a, {'y': 2}, in_place=False) %}{{ a | tojson }}", '{"x": 1}'],
    ["{% set a = {'x': 1} %}{% do salt['slsutil.update'](a, {'y': 2}) %}{{ a | tojson }}", '{"x": 1, "y": 2}'],
    ["{{ salt['random.seed'](60, 'web1') }}", '52'],
    ["{% set r = salt['slsutil.renderer'](string='n: {{ 1 + 1 }}') %}{{ r | tojson }}", '{"n": 2}'],
  ])('%s', async (text, expected) => {
    expect(await minion.run('file.apply_template_on_contents', [text, 'jinja', {}, {}, 'base'])).toBe(expected)
  })

  it('a call of chance draws anew each time, and any other is asked once', async () => {
    const text = `{% for _ in range(3) %}{{ salt['random.get_str'](16, punctuation=False) }} {% endfor %}
{{ salt['random.rand_int'](1, 1) }}{{ salt['random.rand_int'](1, 1) }} {{ salt['cmd.run']('echo $$') == salt['cmd.run']('echo $$') }}`
    const rendered = await minion.run('file.apply_template_on_contents', [text, 'jinja', {}, {}, 'base'])
    const [drawn = '', rest] = String(rendered).split('\n')
    expect(new Set(drawn.trim().split(' ')).size).toBe(3)
    expect(drawn).toMatch(/^(?:[A-Za-z0-9]{16} ){3}$/)
    expect(rest).toBe('11 True')
  })

  it('a call of chance that fails says why', async () => {
    const text =
      "{{ salt['random.get_str'](chars='', lowercase=False, uppercase=False, digits=False, punctuation=False) }}"
    expect(await minion.run('file.apply_template_on_contents', [text, 'jinja', {}, {}, 'base'])).toMatchObject({
      result: false,
      comment: expect.stringContaining('There are no characters to choose from.'),
    })
  })

  it('a merge into data from outside is gone with the template', async () => {
    const text = "{% do salt['defaults.merge'](grains, {'made_up': 1}) %}{{ grains.made_up }}"
    expect(await minion.run('file.apply_template_on_contents', [text, 'jinja', {}, {}, 'base'])).toBe('1')
    expect(await minion.run('grains.get', ['made_up'])).toBe('')
  })
})
