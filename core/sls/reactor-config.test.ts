// Tests the reactor option.
import { describe, expect, it } from 'vitest'
import type { Mapping } from '../value/index.ts'
import { Dict } from '../value/index.ts'
import { entryValue, groupKey } from './entry-conditions.ts'
import { entryMatcher } from './entry-matcher.ts'
import { parseReactorConfig, type ReactorConfig } from './reactor-config.ts'

const matchingFiles = ({ entries }: ReactorConfig, tag: string) =>
  entryMatcher(entries)(tag).flatMap((index) => entries[index]?.files ?? [])
const files = (option: Parameters<typeof parseReactorConfig>[0], tag: string) =>
  matchingFiles(parseReactorConfig(option).config, tag)

describe('parseReactorConfig', () => {
  it('lets every match contribute in config order, without taking repeats out', () => {
    const option = [{ 'salt/*': 'one.sls' }, { 'salt/auth': ['two.sls', 'one.sls'] }, { '*': ['one.sls'] }]
    expect(files(option, 'salt/auth')).toEqual(['one.sls', 'two.sls', 'one.sls', 'one.sls'])
    expect(files(option, 'other')).toEqual(['one.sls'])
  })

  it.each([
    ['a map instead of a list', { a: ['x'] }, [], -1, 'reactor is a map, not a list'],
    ['text', '/etc/reactor.yaml', [], -1, 'reactor is text, not a list'],
    ['an entry that is text', ['a', { a: 'x' }], ['x'], 0, 'The entry is text, not a map'],
    ['two keys', [{ a: 'x', b: 'y' }], [], 0, 'The entry has 2 keys'],
    ['no key', [{}], [], 0, 'The entry has 0 keys'],
    ['a number for a glob', [new Dict([[5, 'x']])], [], 0, 'The glob 5 is a number'],
    ['no files', [{ a: null }], [], 0, "'a' leads to empty"],
    ['a map for a file', [{ a: [{ x: 1 }, 'y'] }], ['y'], 0, "'a' lists {'x': 1}"],
  ])('reports %s and goes on', (_, option, expected, index, message) => {
    const { config, problems } = parseReactorConfig(option)
    expect(matchingFiles(config, 'a')).toEqual(expected)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.index).toBe(index)
    expect(problems[0]?.message).toContain(message)
  })

  it('takes nothing for no reactors', () => {
    expect(parseReactorConfig(null)).toEqual({ config: { entries: [] }, problems: [] })
  })
})

describe('an entry written as a map', () => {
  const written = {
    sls: ['a', 'b'],
    match: { state: [{ prefix: 'f' }], n: [1] },
    once_within: '5m',
    group_by: ['data.id', 'tag'],
  }
  const parse = (map: Parameters<typeof parseReactorConfig>[0]) => parseReactorConfig([{ 'x/*': map }])

  it('holds files and conditions, and is shown as it was written', () => {
    const { config, problems } = parse(written)
    expect(problems).toEqual([])
    expect(config.entries).toEqual([
      {
        glob: 'x/*',
        files: ['a', 'b'],
        match: '{"state": [{"prefix": "f"}], "n": [1]}',
        onceWithin: 300,
        groupBy: ['data.id', 'tag'],
      },
    ])
    expect(config.entries.map(entryValue)).toEqual([written])
    expect(parse({ sls: 'a', once_within: 90, group_by: 'data.id' }).config.entries.map(entryValue)).toEqual([
      { sls: ['a'], once_within: '90s', group_by: 'data.id' },
    ])
  })

  it.each<[string, Parameters<typeof parseReactorConfig>[0], string]>([
    [
      'no files',
      { match: { a: [1] } },
      "'x/*': the entry has no sls. Name the files it leads to: sls: [/srv/reactor/….sls].",
    ],
    [
      'an unknown key',
      { sls: 'a', once: '5m' },
      "'x/*': there is no key once in an entry. There are: sls, match, once_within, group_by.",
    ],
    [
      'a bad pattern',
      { sls: 'a', match: { state: 'full' } },
      '\'x/*\': match: data.state: "full" is text, not a list. Write ["full"].',
    ],
    [
      'a bad time',
      { sls: 'a', once_within: 'soon' },
      "'x/*': once_within: soon is no time between 1s and 7d. Write 30s, 5m, 2h or 1d.",
    ],
    [
      'a bad field',
      { sls: 'a', once_within: '5m', group_by: 'id' },
      "'x/*': group_by: id names no field. Write tag, or a path like data.id, or a list of them.",
    ],
    [
      'a group of nothing',
      { sls: 'a', group_by: 'tag' },
      "'x/*': group_by says what once_within counts apart, and there is no once_within. Add one, or take it out.",
    ],
  ])('is refused for %s', (_, map, message) => {
    expect(parse(map)).toEqual({ config: { entries: [] }, problems: [{ index: 0, message, isError: true }] })
  })

  it('tells groups by their values, and a missing one from an empty one', () => {
    const key = (data: Mapping) => groupKey(['data.a.b', 'tag'], { tag: 't', data })
    expect(key({ a: { b: 1 } })).toBe(key({ a: { b: 1 }, c: 2 }))
    expect(new Set([key({ a: { b: 1 } }), key({ a: { b: '1' } }), key({}), key({ a: { b: null } })]).size).toBe(4)
  })
})
