// How watchers match tags.
import { describe, expect, it } from 'vitest'
import { type TagMatch, tagMatcher } from './tag.ts'

describe('tagMatcher', () => {
  it.each<[TagMatch, string, string, boolean]>([
    ['startswith', 'salt/', 'salt/auth', true],
    ['startswith', 'auth', 'salt/auth', false],
    ['endswith', 'auth', 'salt/auth', true],
    ['find', 't/a', 'salt/auth', true],
    ['regex', 'salt/\\w+$', 'salt/auth', true],
    ['regex', 'auth', 'salt/auth', false],
    ['fnmatch', 'salt/*', 'salt/auth', true],
    ['fnmatch', 'salt', 'salt/auth', false],
  ])('%s %j on %j is %j', (mode, wanted, tag, expected) => {
    expect(tagMatcher(wanted, mode)(tag)).toBe(expected)
  })

  it.each<TagMatch>(['startswith', 'endswith', 'find', 'regex', 'fnmatch'])(
    '%s takes everything for an empty tag',
    (mode) => expect(tagMatcher('', mode)('any')).toBe(true),
  )
})
