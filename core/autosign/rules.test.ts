// Who is accepted and rejected by itself: lines as Salt reads them, and where Brine is stricter.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Mapping, Value } from '../value/index.ts'
import { type AutosignRules, autosignLines, autosignVerdict, grainsWeakness } from './rules.ts'
import { isGrainFile, isTrustedFile } from './trusted-file.ts'

const none: AutosignRules = { accept: [], reject: [], grains: {} }
const uuid = '38a1ba42-5ab2-4b45-8e2f-b8b6c6b07b0a'

/** Lines of which Brine takes fewer ids than Salt, or more: why, and which it takes. */
const different: Readonly<Record<string, readonly string[]>> = {
  // Salt anchors the first alternative at the front alone.
  'web|db': ['db'],
  // A dot of a name is a dot.
  'web1.example.org': ['web1.example.org'],
  'web.': [],
  // Python 3.11 takes flags at the front alone, and Salt has its anchor there.
  '(?i)WEB1': ['web1', 'WEB1'],
}

describe('a line', () => {
  const text = readFileSync(new URL('decided-by-salt.jsonl', import.meta.url), 'utf8')
  const recorded = text
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row) as { line: string; accepts: string[] })
  const ids = recorded.find(({ line }) => line === '*')?.accepts ?? []

  it.each(recorded)('$line', ({ line, accepts }) => {
    const [accept = ''] = autosignLines(line)
    const taken = ids.filter((id) => autosignVerdict({ ...none, accept: [accept] }, id, {}) !== undefined)
    expect(taken).toEqual(different[line] ?? accepts)
  })

  it.each<[string, string, boolean]>([
    ['web1', 'web1', true],
    ['web1', 'web10', false],
    ['web*', 'web10', true],
    ['web?', 'web1', true],
    ['web[0-9]', 'web1', true],
    ['web[0-9]', 'webx', false],
    ['*.example.org', 'a.example.org', true],
    ['*', 'x', true],
    ['web\\d+', 'web12', true],
    ['web\\d+', 'web12x', false],
    ['(web|db)\\d', 'db1', true],
    ['[', '[', true],
    ['(', 'x', false],
    // Stricter than Salt, which takes a dot for any character and anchors only the ends of alternatives.
    ['web1.example.org', 'web1xexample.org', false],
    ['web|db', 'db', true],
    ['web|db', 'webevil', false],
    ['web1', 'web1\n', false],
  ])('%j and %j: %s', (line, id, expected) => {
    expect(autosignVerdict({ ...none, accept: [line] }, id, {})?.kind === 'accept').toBe(expected)
    expect(autosignVerdict({ ...none, reject: [line] }, id, {})?.kind === 'reject').toBe(expected)
  })

  it('says nothing where it is a comment or empty', () => {
    expect(autosignLines('# all\n\n  web1  \n #x\nweb2 # no comment\n')).toEqual(['web1', 'web2 # no comment'])
  })
})

it('rejects before it accepts', () => {
  const rules = { ...none, accept: ['*'], reject: ['web1'], grains: { uuid: [uuid] } }
  expect(autosignVerdict(rules, 'web1', { uuid })).toEqual({ kind: 'reject', by: 'autoreject_file' })
  expect(autosignVerdict(rules, 'web2', {})).toEqual({ kind: 'accept', by: 'autosign_file' })
})

describe('grains', () => {
  it.each<[string, AutosignRules['grains'], Mapping, boolean]>([
    ['the one that is asked for', { uuid: ['other', uuid] }, { uuid }, true],
    ['another value', { uuid: [uuid] }, { uuid: `${uuid}0` }, false],
    ['none', { uuid: [uuid] }, {}, false],
    ['no files', {}, { uuid }, false],
    ['an empty file', { uuid: [] }, { uuid }, false],
    ['one of two', { uuid: [uuid], role: ['web'] }, { uuid }, false],
    ['a guess of two', { uuid: [uuid], role: ['web'] }, { role: 'web' }, false],
    ['both', { uuid: [uuid], role: ['web', 'db'] }, { uuid, role: 'db' }, true],
    ['more than is asked for', { uuid: [uuid] }, { uuid, os: 'x' }, true],
    ['what can be guessed', { role: ['web'] }, { role: 'web' }, false],
    ['a number, by its text', { serial: ['1234567890123456'] }, { serial: 1234567890123456n as Value }, true],
    ['nothing, by its text', { uuid: ['None'] }, { uuid: null }, false],
    ['a name of every map', { constructor: [uuid] } as never, {}, false],
  ])('%s', (_, grains, told, expected) => {
    expect(autosignVerdict({ ...none, grains }, 'web1', told)).toEqual(
      expected ? { kind: 'accept', by: 'autosign_grains_dir' } : undefined,
    )
  })

  it('that can be guessed are told of', () => {
    expect(grainsWeakness({ grains: {} })).toBeUndefined()
    expect(grainsWeakness({ grains: { role: ['web'], uuid: [uuid] } })).toBeUndefined()
    expect(grainsWeakness({ grains: { role: ['web'], os: ['Debian'] } })).toContain('(role, os) has 16 characters')
  })
})

describe('a file', () => {
  const root = { uid: 0, groups: [0, 5], permissive: false }
  it.each([
    [0o644, 7, root, true],
    [0o646, 7, root, false],
    [0o664, 5, root, false],
    [0o664, 5, { ...root, permissive: true }, true],
    [0o664, 7, { ...root, permissive: true }, false],
    [0o664, 7, { uid: 1000, groups: [1000], permissive: true }, true],
    [0o666, 5, { ...root, permissive: true }, false],
  ])('%o of group %s is trusted by %j: %s', (mode, gid, reader, expected) => {
    expect(isTrustedFile({ mode: 0o100000 | mode, gid }, reader)).toBe(expected)
  })

  it('that an editor left names no grain', () => {
    expect(['uuid', 'ec2:tags', '.uuid.swp', 'uuid~', 'uuid.bak', '.gitkeep'].filter(isGrainFile)).toEqual([
      'uuid',
      'ec2:tags',
    ])
  })
})
