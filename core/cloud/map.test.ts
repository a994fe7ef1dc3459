// Maps as Salt reads them, and in which order their machines are made: beside what its own code answered (3007.15).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Mapping } from '../value/index.ts'
import { inOrder, type MappedMachine, machinesThere, onlyNamed, readMap, renderMap } from './map.ts'

type Row = Readonly<Record<string, unknown>>
const rows: Row[] = readFileSync(join(import.meta.dirname, 'maps-by-salt.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const read = (text: string): readonly MappedMachine[] => readMap(renderMap('web.map', text))
const machine = (name: string, requires: readonly string[] = []): MappedMachine => ({
  ...{ name, requires, profile: 'p', over: {} },
})

describe('a map', () => {
  it.each(rows.filter(({ map }) => map !== undefined))('is read as Salt reads it: $map', ({ map, read: theirs }) => {
    const ours = read(String(map)).map(({ name, profile, over, requires }) => [
      profile,
      name,
      { ...over, ...(requires.length === 0 ? {} : { requires }) },
    ])
    expect(ours).toEqual(theirs)
  })

  it('is a template', () => {
    expect(read('{% for n in range(3) %}\nweb{{ n }}: [m{{ n }}]\n{% endfor %}').map(({ name }) => name)).toEqual([
      'm0',
      'm1',
      'm2',
    ])
  })

  it("takes Salt's older words for settings", () => {
    expect(read('web: [{a: {map_grains: {x: 1}}}]')[0]?.over).toEqual({ grains: { x: 1 } })
  })

  it.each([
    ['[a]', 'A map is profiles'],
    ['web:', 'has no machines'],
    ['web: {a: text}', "Below the machine 'a'"],
    ['web: [a]\ndb: [a]', "'a' stands in the map twice"],
    ['include: [b.map]', 'include is not followed'],
  ])('is refused: %s', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  it('is narrowed to some names', () => {
    expect(onlyNamed([machine('a'), machine('b')], ['b']).map(({ name }) => name)).toEqual(['b'])
    expect(onlyNamed([machine('a')], [])).toHaveLength(1)
  })
})

describe('machines that require others', () => {
  it.each(rows.filter(({ requires }) => requires !== undefined))('$requires', ({ requires, levels, error }) => {
    const machines = Object.entries(requires as Record<string, string[]>).map(([name, all]) => machine(name, all))
    if (error !== undefined) {
      expect(() => inOrder(machines, new Set())).toThrow(error === 'loop' ? 'dependency loop' : String(error))
      return
    }
    const ours = inOrder(machines, new Set()).flatMap((group, level) => group.map(({ name }) => [name, level]))
    expect(Object.fromEntries(ours)).toEqual(levels)
  })

  it('are not held up by those that are there', () => {
    expect(inOrder([machine('b', ['a'])], new Set(['a']))).toEqual([[machine('b', ['a'])]])
  })
})

it('tells which of what was told are there, and in a state', () => {
  const told: Mapping = {
    Errors: { nosuch: 'x' },
    ec2: { ec2: { a: { state: 'running' }, b: 'Absent', c: { state: 'stopped' } } },
  }
  expect(machinesThere(told)).toEqual(['a', 'c'])
  expect(machinesThere(told, ['stopped'])).toEqual(['c'])
})
