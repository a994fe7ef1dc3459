// The reactor set: which files a tag leads to, in which order, and how fast.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchTag } from '../core/event/tag-glob.ts'
import { createReactorSet, mayMatch } from './reactor-set.ts'

const stored = {
  version: 'v1',
  entries: [
    { glob: 'salt/minion/*/start', files: ['/srv/a.sls', '/srv/d/*.sls'] },
    { glob: 'salt/auth', files: ['/srv/auth.sls'] },
    { glob: 'salt/*', files: ['/srv/a.sls', '/srv/gone.sls'] },
    { glob: '*', files: ['/srv/all.sls'] },
    { glob: 'brine/reactor/*', files: ['/srv/errors.sls'] },
  ],
  files: [
    { reference: '/srv/a.sls', name: '/srv/a.sls', text: 'a' },
    { reference: '/srv/d/*.sls', name: '/srv/d/1.sls', text: '1' },
    { reference: '/srv/d/*.sls', name: '/srv/d/2.sls', text: '2' },
    { reference: '/srv/auth.sls', name: '/srv/auth.sls', text: 'auth' },
    { reference: '/srv/all.sls', name: '/srv/all.sls', text: 'all' },
    { reference: '/srv/errors.sls', name: '/srv/errors.sls', text: 'errors' },
  ],
}

describe('createReactorSet', () => {
  const set = createReactorSet(stored)
  const names = (tag: string) => set.matching({ tag, data: {} }).map(({ glob, name }) => `${glob} → ${name}`)

  it('answers files in config order, each once, at its first entry', () => {
    expect(names('salt/minion/web1/start')).toEqual([
      'salt/minion/*/start → /srv/a.sls',
      'salt/minion/*/start → /srv/d/1.sls',
      'salt/minion/*/start → /srv/d/2.sls',
      'salt/* → /srv/gone.sls',
      '* → /srv/all.sls',
    ])
    expect(names('salt/auth').slice(0, 2)).toEqual(['salt/auth → /srv/auth.sls', 'salt/* → /srv/a.sls'])
  })

  it('answers the same the second time', () => {
    const event = { tag: 'salt/auth', data: {} }
    expect(set.matching(event)).toBe(set.matching(event))
  })

  it('says that a reference leads to no file', () => {
    const gone = set.matching({ tag: 'salt/x', data: {} }).find(({ name }) => name === '/srv/gone.sls')
    expect(gone).toMatchObject({ text: '', hash: '', error: expect.stringContaining('no file matches /srv/gone.sls') })
  })

  it('shows brine/ tags only to globs that begin with brine/', () => {
    expect(names('brine/reactor/error')).toEqual(['brine/reactor/* → /srv/errors.sls'])
    expect(mayMatch('*', 'brine/x')).toBe(false)
    expect(mayMatch('brine*', 'brine/x')).toBe(false)
    expect(mayMatch('*', 'brines/x')).toBe(true)
  })

  it('hashes the text', () => {
    expect(set.matching({ tag: 'salt/auth', data: {} })[0]?.hash).toBe(
      'bdf49c3c3882102fc017ffb661108c63a836d065888a4093994398cc55c2ea2f',
    )
  })

  it('agrees with fnmatch for any globs and tags', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '?', '[ab]', '[!a]', 'ab')
    const glob = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))
    const tag = fc
      .array(fc.constantFrom('a', 'b', '/', 'ab'), { minLength: 1, maxLength: 5 })
      .map((list) => list.join(''))
    fc.assert(
      fc.property(fc.uniqueArray(glob, { maxLength: 6 }), fc.array(tag, { maxLength: 6 }), (globs, tags) => {
        const any = createReactorSet({
          version: '',
          entries: globs.map((each) => ({ glob: each, files: [each] })),
          files: globs.map((each) => ({ reference: each, name: each, text: each })),
        })
        for (const each of tags) {
          expect(any.matching({ tag: each, data: {} }).map(({ name }) => name)).toEqual(
            globs.filter((one) => matchTag(one, each)),
          )
        }
      }),
    )
  })
})
