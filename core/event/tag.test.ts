// Building and matching tags.
import { describe, expect, it } from 'vitest'
import { TAG_MATCHES, type TagMatch, tagify, tagMatcher } from './tag.ts'

describe('tagify', () => {
  it.each<[string | string[], string, string | undefined, string]>([
    ['new', 'job', undefined, 'salt/job/new'],
    [['20261121052555620700', 'ret', 'web1'], 'job', undefined, 'salt/job/20261121052555620700/ret/web1'],
    ['start', '', 'x', 'x/start'],
    ['', '', undefined, 'salt'],
  ])('%j under %j', (suffix, prefix, base, expected) => {
    expect(tagify(suffix, prefix, base)).toBe(expected)
  })
})

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

  it('takes everything for an empty tag', () => {
    for (const mode of TAG_MATCHES) expect(tagMatcher('', mode)('any')).toBe(true)
  })
})
