// What file_ignore_regex and file_ignore_glob leave out: Salt's examples, and where its two looks differ.
import { describe, expect, it } from 'vitest'
import { ignoresFile } from './ignored-files.ts'
import { parseMasterConfig } from './master.ts'

describe('ignoresFile', () => {
  const svn = { file_ignore_regex: [String.raw`/\.svn($|/)`, String.raw`/\.git($|/)`], file_ignore_glob: [] }
  const globs = { file_ignore_regex: [], file_ignore_glob: ['*.pyc', '*/somefolder/*.bak', '*.sw[op]', 'secret/*'] }

  it.each([
    [svn, 'web/.git/config', true],
    [svn, '.git', true],
    [svn, '.gitignore', false],
    [svn, 'web/x.git/config', false],
    [globs, 'a/b.pyc', true],
    [globs, 'b.pyc', true],
    [globs, 'b.PYC', false],
    [globs, 'b.pyc/x', false],
    [globs, 'x/somefolder/a/b.bak', true],
    [globs, 'somefolder/b.bak', true],
    [globs, '.x.swo', true],
    [globs, 'secret/a/b', true],
    [globs, 'my/secret/a', false],
    [{ file_ignore_regex: ['^/srv/salt/a'], file_ignore_glob: ['/srv/salt/c*'] }, 'a/b', true],
    [{ file_ignore_regex: ['^/srv/salt/a'], file_ignore_glob: ['/srv/salt/c*'] }, 'c/b', true],
    [{ file_ignore_regex: ['^/srv/salt/a'], file_ignore_glob: ['/srv/salt/c*'] }, 'b/a', false],
    [{ file_ignore_regex: [], file_ignore_glob: [] }, 'a', false],
  ])('%j: %s', (keys, path, expected) => {
    expect(ignoresFile(keys)('/srv/salt/', path)).toBe(expected)
  })
})

it('takes one expression for a list of one, and refuses what is none', () => {
  const read = (text: string) => parseMasterConfig([{ name: 'master', text }])
  expect(read('file_ignore_regex: "[.]git"').config.file_ignore_regex).toEqual(['[.]git'])
  expect(read('file_ignore_regex: ["a", "(b"]').problems).toEqual([
    {
      severity: 'error',
      file: 'master',
      line: 1,
      message: "file_ignore_regex is ['a', '(b']. Allowed is a list of regular expressions in Python's syntax.",
    },
  ])
})
