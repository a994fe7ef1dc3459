// Tests the reactor option and its changes.
import { describe, expect, it } from 'vitest'
import { Dict } from '../value/index.ts'
import { addReactor, deleteReactor, matchingFiles, parseReactorConfig } from './reactor-config.ts'

const files = (option: Parameters<typeof parseReactorConfig>[0], tag: string) =>
  matchingFiles(parseReactorConfig(option).config, tag).map(({ file }) => file)

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
    expect(matchingFiles(config, 'a').map(({ file }) => file)).toEqual(expected)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.index).toBe(index)
    expect(problems[0]?.message).toContain(message)
  })

  it('takes nothing for no reactors', () => {
    expect(parseReactorConfig(null)).toEqual({ config: { entries: [] }, problems: [] })
  })
})

describe('changes', () => {
  const { config } = parseReactorConfig([{ 'a/*': 'x' }, { b: 'y' }, { 'a/*': 'z' }])

  it('adds a glob once', () => {
    const added = addReactor(config, 'c', ['w'])
    expect(added.result).toEqual({ status: true, comment: 'Reactor added.' })
    expect(matchingFiles(added.config, 'c')).toEqual([{ glob: 'c', file: 'w' }])
    expect(addReactor(added.config, 'c', ['v']).result).toEqual({ status: false, comment: 'Reactor already exists.' })
    expect(matchingFiles(config, 'c')).toEqual([])
  })

  it('deletes the first of that very glob', () => {
    const deleted = deleteReactor(config, 'a/*')
    expect(deleted.result).toEqual({ status: true, comment: 'Reactor deleted.' })
    expect(matchingFiles(deleted.config, 'a/1')).toEqual([{ glob: 'a/*', file: 'z' }])
    expect(deleteReactor(config, 'a/1').result).toEqual({ status: false, comment: 'Reactor does not exists.' })
  })
})
