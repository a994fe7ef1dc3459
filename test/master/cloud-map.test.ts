// `brine-cloud -m` against a master with machines in memory: what is printed, asked and made.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MapDesk, mapCommand } from '../../cli/commands/cloud-map.ts'
import type { CloudAction } from '../../cli/options/index.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import { type CloudStage, openCloudStage } from './cloud-stage.ts'

let stage: CloudStage
let folder: string
beforeEach(async () => {
  stage = await openCloudStage()
  folder = mkdtempSync(join(tmpdir(), 'brine-map-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await stage.running.close()
})

type What = Extract<CloudAction, { kind: 'map' }>['what']
const existing = { Message: 'Instance already exists, or is terminated and has the same name.' }

async function run(
  map: string | undefined,
  what: What,
  { names = [], making = {}, yes = true }: { names?: readonly string[]; making?: Mapping; yes?: boolean } = {},
) {
  const path = join(folder, 'web.map')
  if (map !== undefined) writeFileSync(path, map)
  const said = { exit: 0, out: '', err: '', asked: '', shown: undefined as Value | undefined, named: [] as string[] }
  const named = async (all: readonly string[]): Promise<number> => {
    said.named.push(...all)
    return 0
  }
  const desk: MapDesk = {
    run: async (fun, arg, kwarg) => {
      const { return: returned, success } = await stage.run(fun, kwarg, arg)
      return { return: returned, success, retcode: 0 }
    },
    confirmed: async (question) => {
      said.asked += question
      return yes
    },
    show: async (value) => {
      said.shown = value
    },
    failed: (trouble, text) => {
      said.err += `${trouble}${text}`
      return 1
    },
    destroy: named,
    act: named,
    making,
    io: {
      out: async (text) => {
        said.out += text
      },
      err: (text) => {
        said.err += text
      },
    },
  }
  said.exit = await mapCommand({ kind: 'map', path, names, what }, desk)
  return said
}

const map = `web: [web1, {web2: {size: t3.large, tag: {role: db}}}]
named:
  n1: {requires: [web2]}
nosuch: [x]
`

describe('a map is made', () => {
  it('after it was asked, those that there are not', async () => {
    await stage.run('profile', { prof: 'web', instances: 'web1' })
    const made = await run(map, { kind: 'make' })
    const nosuch =
      "The required profile, 'nosuch', defined in the map does not exist. The defined nodes, 'x', will not be created."
    expect(made.err).toBe(`[ERROR   ] ${nosuch}\nFound the following errors:\n  nosuch: ${nosuch}\n`)
    expect(made.asked).toBe(
      'The following virtual machines already exist:\n  web1\nThe following virtual machines are set to be created:\n  web2\n  n1\n',
    )
    expect(made).toMatchObject({
      exit: 0,
      shown: { web2: { size: 't3.large', state: 'running' }, n1: { image: 'ami-found' }, web1: existing },
    })
    expect(Object.keys(made.shown as Mapping)).toEqual(['web2', 'n1', 'web1'])
    expect(stage.machines.all.find(({ tags }) => tags.Name === 'web2')?.tags).toMatchObject({ role: 'db' })
    const again = await run(map, { kind: 'make' })
    expect(again).toMatchObject({ exit: 0, asked: '', shown: { web1: existing, web2: existing, n1: existing } })
    expect(stage.machines.all).toHaveLength(3)
  })

  it('not where it is not to be, and of some names alone', async () => {
    expect(await run(map, { kind: 'make' }, { yes: false })).toMatchObject({ exit: 0, shown: {} })
    expect(stage.machines.all).toEqual([])
    await run(map, { kind: 'make' }, { names: ['web1'], making: { parallel: true } })
    expect(stage.machines.all.map(({ tags }) => tags.Name)).toEqual(['web1'])
  })

  it('without their minions, where that is said', async () => {
    const { shown } = await run('joined: [j1]', { kind: 'make' }, { making: { deploy: false } })
    expect(shown).toMatchObject({ j1: { Error: { 'No Deploy': "'deploy' is not enabled. Not deploying." } } })
  })

  it('all at once, each group after what it requires', async () => {
    await run('web: [a, {b: {requires: [c]}}, c]', { kind: 'make' }, { making: { parallel: true } })
    expect(stage.machines.all.map(({ tags }) => tags.Name)).toEqual(['a', 'c', 'b'])
  })

  it('as far as it can be: what EC2 refuses stands behind the name', async () => {
    const made = await run('bad: [b1]\nweb: [{web1: {locaton: x}}, {web2: {provider: other}}, web3]', { kind: 'make' })
    expect(made.err).toContain("[ERROR   ] Failed to deploy 'b1'. Error: ")
    expect(made.shown).toMatchObject({
      b1: { Error: expect.stringContaining('Failed to deploy VM') },
      web1: { Error: expect.stringContaining('Did you mean') },
      web2: { Error: expect.stringContaining("Name it below a profile of 'other'") },
      web3: { state: 'running' },
    })
  })

  it.each([
    [undefined, 64, 'The specified map file does not exist: '],
    ['web: [', 64, 'There was an error generating the mapper.'],
    ['', 1, 'No nodes defined in this map'],
    ['web: [{a: {requires: [b]}}, {b: {requires: [a]}}]', 1, 'Uh-oh, that cloud map has a dependency loop!'],
    ['nosuch: [x]', 1, 'Found the following errors:\n  nosuch: '],
  ])('or it is said why not: %j', async (text, exit, message) => {
    expect(await run(text, { kind: 'make' })).toMatchObject({ exit, err: expect.stringContaining(message) })
    expect(stage.machines.all).toEqual([])
  })

  it('by the runner, from a file of the master’s too', async () => {
    expect((await stage.run('map_run', { map_data: { web: ['web1'] } })).return).toMatchObject({
      web1: { state: 'running' },
    })
    expect((await stage.run('map_run', { path: '/srv/nosuch.map' })).return).toContain('does not exist')
    expect((await stage.run('map_run')).return).toContain('map_data=')
  })
})

describe('of the machines of a map', () => {
  beforeEach(async () => {
    await stage.run('profile', { prof: 'web', instances: 'web1,web9' })
  })

  it('is told how they are, and which are absent', async () => {
    const { shown } = await run(map, { kind: 'query', query: 'list_nodes_select' })
    expect(shown).toEqual({
      Errors: { nosuch: "No provider for the mapped 'nosuch' profile was found. Skipped VMS: x" },
      'my-ec2': { ec2: { web1: { id: expect.any(String), state: 'running' }, web2: 'Absent' } },
      other: { ec2: { n1: 'Absent' } },
    })
  })

  it('those that are there are ended or changed, those in the state for it', async () => {
    expect((await run(map, { kind: 'destroy' })).named).toEqual(['web1'])
    expect((await run(map, { kind: 'action', fun: 'stop' })).named).toEqual(['web1'])
    expect((await run(map, { kind: 'action', fun: 'start' })).named).toEqual([])
    expect(await run(map, { kind: 'action', fun: 'show_instance' })).toMatchObject({
      exit: 1,
      err: expect.stringContaining("The use of 'show_instance' as an action is not supported"),
    })
    expect(await run(map, { kind: 'destroy' }, { names: ['web1'] })).toMatchObject({
      exit: 1,
      named: [],
      err: expect.stringContaining('Please choose to delete either the entire map file'),
    })
  })
})

it('another region is asked where one is named', async () => {
  await stage.run('profile', { prof: 'web', instances: 'web1' })
  expect((await stage.run('query', { location: 'eu-north-1' })).return).toEqual({})
  expect((await stage.run('list_locations', { provider: 'my-ec2', location: 'eu-north-1' })).return).toMatchObject({
    'my-ec2': { ec2: { locations: { region: 'eu-north-1' } } },
  })
})
