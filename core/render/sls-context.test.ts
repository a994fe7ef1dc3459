// Tests the variables a template sees about itself.
import { describe, expect, it } from 'vitest'
import { reactorContext, templatePlace } from './sls-context.ts'

describe('templatePlace, as Salt 3008 says it', () => {
  it.each([
    ['/srv/reactor/auth.sls', '', { tplfile: 'auth.sls', tpldir: '.', tpldot: '', slspath: '', sls_path: '' }],
    ['/srv/salt/apache/init.sls', 'apache', { tplfile: 'apache/init.sls', tpldir: 'apache', slspath: 'apache' }],
    [
      '/srv/salt/a/b.sls',
      'a.b',
      { tplfile: 'a/b.sls', tpldir: 'a', slsdotpath: 'a', slscolonpath: 'a', sls_path: 'a' },
    ],
    ['/srv/salt/a/b/c.sls', 'a.b.c', { tpldot: 'a.b', slscolonpath: 'a:b', sls_path: 'a_b', slspath: 'a/b' }],
    ['/srv/salt/top.sls', 'top', { tplfile: 'top.sls', tpldir: '.', slspath: '' }],
    ['/var/cache/files/x.conf', 'apache/files/x.conf', { tplfile: 'apache/files/x.conf', tpldir: 'apache/files' }],
  ])('%s of %j', (path, sls, expected) => {
    expect(templatePlace(path, sls)).toMatchObject({ tplpath: path, ...expected })
  })
})

it('a reactor’s template knows the event and itself', () => {
  const facts = { tag: 'salt/auth', data: { id: 'a' }, grains: {}, pillar: {}, opts: {} }
  expect(reactorContext('/srv/reactor/x.sls', facts)).toMatchObject({
    tag: 'salt/auth',
    data: { id: 'a' },
    saltenv: 'base',
    sls: '',
    tmplpath: '/srv/reactor/x.sls',
    ...templatePlace('/srv/reactor/x.sls', ''),
  })
})
