// Targets on a small fleet, with what Salt answers for each.
import { describe, expect, it } from 'vitest'
import { BrineError } from '../error.ts'
import { Dict, type Value } from '../value/index.ts'
import { compileTarget } from './compile.ts'
import type { TargetMinion } from './target.ts'
import { compileTop } from './top.ts'

const FLEET: readonly TargetMinion[] = [
  {
    id: 'web1',
    grains: {
      os: 'Debian',
      roles: ['web', 'nginx'],
      cpus: 4,
      on: true,
      none: null,
      ipv4: ['127.0.0.1', '10.0.1.11'],
      ipv6: ['::1', '2001:db8::21'],
      ec2: { tags: { env: 'prod', team: 'a:b' } },
      nested: { list: [{ k: 'v' }, { k2: 'v2' }], empty: [] },
    },
    pillar: { env: 'prod', users: new Dict([[1000, { name: 'bob' }]]), db: { host: 'db1', port: 5432 } },
  },
  { id: 'db1', grains: { os: 'Ubuntu', roles: 'db', ipv4: ['10.0.2.5'] }, pillar: { env: 'stage' } },
  { id: 'a,b', grains: {}, pillar: {} },
]
const NODEGROUPS = {
  web: 'web*',
  both: 'N@web or N@dbs',
  dbs: ['db1'],
  loop: 'N@loop',
  loose: 'web* or db*',
  some: 'web[1]',
}

function matched(type: string, target: Value): string[] {
  const test = compileTarget(type, target, { nodegroups: NODEGROUPS })
  return FLEET.filter(test).map(({ id }) => id)
}

describe('compileTarget', () => {
  it.each<[string, Value, string[]]>([
    ['glob', 'web*', ['web1']],
    ['glob', 'WEB1', []],
    ['glob', ['web1'], []],
    ['pcre', 'web|db', ['web1', 'db1']],
    ['pcre', 'eb1', []],
    ['list', 'web1,db1', ['web1', 'db1']],
    ['list', 'web1, db1', ['web1']],
    ['list', 'x,a,b', ['a,b']],
    ['list', ['web1', 'x'], ['web1']],
    ['list', '', []],
    ['grain', 'os:debian', ['web1']],
    ['grain', 'os:*', ['web1', 'db1']],
    ['grain', 'os', []],
    ['grain', '*', []],
    ['grain', '*:*', ['web1', 'db1']],
    ['grain', 'roles:db', ['db1']],
    ['grain', 'roles:ng*', ['web1']],
    ['grain', 'cpus:4', ['web1']],
    ['grain', 'on:True', ['web1']],
    ['grain', 'none:none', ['web1']],
    ['grain', 'ec2:tags:env', ['web1']],
    ['grain', 'ec2:tags:team:a:b', ['web1']],
    ['grain', 'nested:list:k:v', ['web1']],
    ['grain', 'nested:list:-1:k2:v2', ['web1']],
    ['grain', 'nested:empty:*', []],
    ['grain_pcre', 'os:DEB', ['web1']],
    ['grain_pcre', 'os:[', []],
    ['grain_pcre', 'os:\\D+$', []],
    ['pillar', 'users:1000:name:bob', ['web1']],
    ['pillar', 'db:*:5432', ['web1']],
    ['pillar_exact', 'env:PROD', ['web1']],
    ['pillar_exact', 'env:p*', []],
    ['pillar_pcre', 'env:(prod|x)', ['web1']],
    ['ipcidr', '10.0.1.0/24', ['web1']],
    ['ipcidr', '10.0.1.0/255.255.255.0', ['web1']],
    ['ipcidr', '10.0.1.11/24', []],
    ['ipcidr', '2001:0DB8::0021', ['web1']],
    ['ipcidr', '2001:db8::/32', ['web1']],
    ['ipcidr', '10.0.1', []],
    ['nodegroup', 'both', ['web1', 'db1']],
    ['nodegroup', 'loop', []],
    ['nodegroup', 'nosuch', []],
    ['nodegroup', 'constructor', []],
    ['nodegroup', 'some', ['web1']],
    ['compound', 'web* or G@os:Ubuntu', ['web1', 'db1']],
    ['compound', 'not web*', ['db1', 'a,b']],
    ['compound', '* not web*', ['db1', 'a,b']],
    ['compound', 'not ( web* or db* )', ['a,b']],
    ['compound', 'not web* and G@os:*', ['db1']],
    ['compound', 'G|@ec2|tags|env|prod', ['web1']],
    ['compound', 'S@10.0.1.5/24', []],
    ['compound', 'not S@10.0.1.5/24', ['web1', 'db1', 'a,b']],
    ['compound', 'N@both and not N@web', ['db1']],
    ['compound', 'not N@loose', ['db1', 'a,b']],
    ['compound', 'web1 or N@loop', []],
    ['compound', 'web1 db1', []],
    ['compound', 'web1 ( db1 )', []],
    ['compound', '* or web1 ( db1 )', ['web1', 'db1', 'a,b']],
    ['compound', '( ) or web1', ['web1']],
    ['compound', 'and web1', []],
    ['compound', 'web1 AND db1', []],
    ['compound', 'not not web1', []],
    ['compound', '(web1)', []],
    ['compound', 'R@x or web1', []],
    ['compound', 'X@x or web1', ['web1']],
    ['compound', 'M@web1', ['web1']],
    ['compound', 'T@x or db1', ['db1']],
    ['compound', 'L@web1,db1', ['web1', 'db1']],
    ['compound', 'E@(?i)WEB and I@env:prod', ['web1']],
    ['compound', ['web1', 'or', 'db1'], ['web1', 'db1']],
    ['compound', '', []],
    ['compound', null, []],
    ['compound_pillar_exact', 'I@env:p*', []],
    ['compound_pillar_exact', 'I@env:prod', ['web1']],
  ])('%s %j', (type, target, ids) => {
    expect(matched(type, target)).toEqual(ids)
  })

  it.each([
    ['range', '%web', 'target', 'range server'],
    ['grains', 'os:x', 'target', 'Use one of: glob, pcre'],
    ['pcre', '(', 'regex', 'missing )'],
    ['compound', 'E@[', 'regex', 'unterminated character set'],
  ])('refuses %s %s', (type, target, code, words) => {
    expect.assertions(2)
    try {
      compileTarget(type, target)
    } catch (error) {
      if (!(error instanceof BrineError)) throw error
      expect(error.code).toBe(code)
      expect(error.message).toContain(words)
    }
  })

  it('takes another delimiter', () => {
    expect(FLEET.filter(compileTarget('grain', 'ec2|tags|team|a:b', { delimiter: '|' }))).toHaveLength(1)
  })
})

describe('compileTop', () => {
  it.each<[string, Value[], string[]]>([
    ['web* or db*', ['core'], ['web1', 'db1']],
    ['env:prod', [{ match: 'pillar' }, 'x'], ['web1']],
    ['env:prod', [{ match: 'pillar' }, { match: 'glob' }], []],
    ['both', [{ match: 'nodegroup' }], ['web1', 'db1']],
  ])('%s with %j', (target, data, ids) => {
    expect(FLEET.filter(compileTop(target, data, NODEGROUPS)).map(({ id }) => id)).toEqual(ids)
  })
})
