// Tests where file references lead.
import { describe, expect, it } from 'vitest'
import { expandFileGlob, globFolder, parseReference, type ReactorRoots } from './reaction-files.ts'

const roots: ReactorRoots = {
  reactor: '/home/me/reactors',
  base: '/home/me/salt',
  hasSrvReactor: false,
  hasSrvSalt: false,
}

describe('parseReference', () => {
  it.each([
    ['/srv/reactor/auth.sls', '/home/me/reactors/auth.sls'],
    ['/srv/reactor/glob.d/*.sls', '/home/me/reactors/glob.d/*.sls'],
    ['/srv/salt/reactor/x.sls', '/home/me/salt/reactor/x.sls'],
    ['/srv/other/x.sls', '/srv/other/x.sls'],
    ['auth.sls', '/home/me/reactors/auth.sls'],
    ['./auth.sls', '/home/me/reactors/auth.sls'],
  ])('%s leads to %s where there is no /srv', (reference, path) => {
    expect(parseReference(reference, roots)).toEqual({ kind: 'path', path })
  })

  it('leaves /srv alone where its folders exist', () => {
    const there = { ...roots, hasSrvReactor: true, hasSrvSalt: true }
    expect(parseReference('/srv/reactor/a.sls', there)).toEqual({ kind: 'path', path: '/srv/reactor/a.sls' })
    expect(parseReference('/srv/salt/a.sls', there)).toEqual({ kind: 'path', path: '/srv/salt/a.sls' })
  })

  it.each([
    ['salt://reactor/x.sls', 'reactor/x.sls', 'base'],
    ['salt://reactor/x.sls?saltenv=dev', 'reactor/x.sls', 'dev'],
    ['salt://x.sls?saltenv=', 'x.sls', 'base'],
    ['salt://x.sls?env=dev', 'x.sls', 'base'],
    ['salt:///x.sls', 'x.sls', 'base'],
  ])('%s is %s of %s', (reference, path, saltenv) => {
    expect(parseReference(reference, roots)).toEqual({ kind: 'salt', path, saltenv })
  })
})

describe('expandFileGlob', () => {
  const listing = ['/r/c.sls', '/r/a.sls', '/r/.hidden.sls', '/r/d/b.sls', '/r/d/e/f.sls', '/r/[x].sls', '/r/B.sls']

  it.each([
    ['/r/*.sls', ['/r/B.sls', '/r/[x].sls', '/r/a.sls', '/r/c.sls']],
    ['/r/.*.sls', ['/r/.hidden.sls']],
    ['/r/**.sls', ['/r/B.sls', '/r/[x].sls', '/r/a.sls', '/r/c.sls']],
    ['/r/**/*.sls', ['/r/d/b.sls']],
    ['/r/[ab].sls', ['/r/a.sls']],
    ['/r/[!a].sls', ['/r/B.sls', '/r/c.sls']],
    ['/r/[[]x].sls', ['/r/[x].sls']],
    ['/r/a.sls', ['/r/a.sls']],
    ['/r/missing.sls', []],
    ['/r/{a,c}.sls', []],
    ['/?/a.sls', ['/r/a.sls']],
  ])('%s', (glob, found) => {
    expect(expandFileGlob(glob, listing)).toEqual(found)
  })
})

describe('globFolder', () => {
  it.each([
    ['/r/*.sls', '/r'],
    ['/r/a.sls', '/r'],
    ['/r/*/a.sls', '/r'],
    ['/*.sls', '/'],
    ['/a.sls', '/'],
    ['x/*', 'x'],
  ])('%s lies under %s', (glob, folder) => {
    expect(globFolder(glob)).toBe(folder)
  })
})
