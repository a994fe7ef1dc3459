// The pure functions of `salt[…]`, as Salt's modules answer.
import { describe, expect, it } from 'vitest'
import { Dict, type Value } from '../../value/index.ts'
import type { Environment } from './environment.ts'
import { SALT_FUNCTIONS } from './salt-functions.ts'

const environment: Environment = {
  context: {
    grains: { os_family: 'Debian', roles: ['web', 'db'], ip: { eth0: ['10.0.0.1'] }, none: null },
    pillar: { a: { b: 1, l: [1] }, master: { m: 2 } },
    opts: { id: 'master01', a: { z: 9 } },
  },
}

function call(name: string, args: Value[], kwargs: Record<string, Value> = {}): Value {
  const found = SALT_FUNCTIONS[name]
  if (found === undefined) throw new Error(`${name} is not there`)
  return found(args, kwargs, environment)
}

/** A map whose keys are numbers, as templates write them. */
const numbered = new Dict([
  [2, 'two'],
  [3, 'three'],
])

describe('the pure functions of salt', () => {
  it.each<[string, Value[], Record<string, Value>, Value]>([
    ['grains.get', ['os_family'], {}, 'Debian'],
    ['grains.get', ['ip:eth0:0'], {}, '10.0.0.1'],
    ['grains.get', ['ip/eth0'], { delimiter: '/' }, ['10.0.0.1']],
    ['grains.get', ['nope'], {}, ''],
    ['grains.get', ['nope', 'x'], {}, 'x'],
    ['grains.get', ['none', 'x'], {}, null],
    ['grains.item', ['os_family', 'nope'], {}, { os_family: 'Debian', nope: '' }],
    ['grains.has_value', ['ip:eth0'], {}, true],
    ['pillar.get', ['a:b'], {}, 1],
    ['pillar.get', ['a'], { default: { b: 0, c: 3 }, merge: true }, { b: 1, c: 3, l: [1] }],
    ['pillar.get', ['a:l'], { default: [0, 1], merge: true }, [0, 1]],
    ['pillar.get', ['zz'], { pillarenv: 'dev' }, ''],
    ['pillar.keys', ['a'], {}, ['b', 'l']],
    ['config.get', ['id'], {}, 'master01'],
    ['config.get', ['os_family'], {}, 'Debian'],
    ['config.get', ['m'], {}, 2],
    ['config.get', ['a'], { merge: 'recurse' }, { b: 1, l: [1], z: 9 }],
    ['config.get', ['nope', 'x'], {}, 'x'],
    ['grains.filter_by', [{ Debian: 1, RedHat: 2 }], {}, 1],
    ['grains.filter_by', [{ d: 1, 'we*': 2 }], { grain: 'roles' }, 2],
    ['grains.filter_by', [{ x: 1, default: { a: 1 } }], { merge: { b: 2 } }, { a: 1, b: 2 }],
    ['grains.filter_by', [{ Debian: { a: 1 }, base: { a: 0, c: 3 } }], { base: 'base' }, { a: 1, c: 3 }],
    ['grains.filter_by', [{ x: 1 }], {}, null],
    ['grains.filter_by', [numbered], { default: 3 }, 'three'],
    ['grains.filter_by', [numbered], { default: '3' }, null],
    [
      'slsutil.merge',
      [
        { a: { b: 1 }, l: [1] },
        { a: { c: 2 }, l: [2] },
      ],
      {},
      { a: { b: 1, c: 2 }, l: [2] },
    ],
    ['slsutil.merge', [{ l: [1] }, { l: [1, 2] }], { merge_lists: true }, { l: [1, 2] }],
    ['slsutil.merge', [{ a: 1, b: 2 }, { a: 3 }], { strategy: 'list' }, { a: [1, 3], b: 2 }],
    ['slsutil.boolstr', [true], { true: 'on', false: 'off' }, 'on'],
    ['test.echo', ['x'], {}, 'x'],
    ['hashutil.md5_digest', ['a'], {}, '0cc175b9c0f1b6a831c399e269772661'],
    ['log.info', ['x'], {}, true],
  ])('%s(%j, %j)', (name, args, kwargs, answer) => {
    expect(call(name, args, kwargs)).toEqual(answer)
  })

  it('refuse what Salt refuses', () => {
    expect(() => call('grains.filter_by', [{ Debian: 1 }], { merge: 5 })).toThrow('must be a dictionary')
    expect(() => call('slsutil.update', [1, {}])).toThrow('non-dict')
    expect(() => call('pillar.keys', ['zz'])).toThrow('Pillar key not found: zz')
    expect(() => call('grains.get', [])).toThrow("get() missing 1 required positional argument: 'key'")
  })

  it('change nothing they are given', () => {
    const dest = { a: { b: 1 } }
    call('slsutil.update', [dest, { a: { b: 2 } }])
    expect(dest).toEqual({ a: { b: 1 } })
  })
})
