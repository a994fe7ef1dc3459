// The engine: both forms of a configuration, turns and intervals, state runs, errors, changes while it runs.
import { describe, expect, it } from 'vitest'
import type { Mapping, Value } from '../../core/value/index.ts'
import { silentLog } from '../outside.ts'
import type { BeaconEvent, BeaconKind } from './beacon.ts'
import { type BeaconParts, Beacons } from './beacons.ts'
import { customBeacon } from './custom.ts'

/** A kind that tells what it is given to tell, and keeps what was done to it. */
function sample(name: string, tell: () => BeaconEvent[]) {
  const done: string[] = []
  const kind: BeaconKind = {
    name,
    doc: '',
    validate: (options) => (options.bad === true ? 'it is bad' : undefined),
    open: () => {
      done.push('open')
      return { look: tell, quiet: () => void done.push('quiet'), close: () => void done.push('close') }
    },
  }
  return { kind, done }
}

function beaconsOf(configured: Value, kinds: readonly BeaconKind[], more: Partial<BeaconParts> = {}) {
  const told: { tag: string; data: Mapping }[] = []
  const said: string[] = []
  const beacons = new Beacons({
    id: 'larry',
    loopInterval: 1,
    configured,
    pillar: () => ({}),
    kinds: () => kinds,
    world: { now: () => 0, log: { ...silentLog, error: (message) => said.push(message) }, run: async () => null },
    isStateRunning: () => false,
    emit: (tag, data) => told.push({ tag, data }),
    ...more,
  })
  const turns = async (count: number): Promise<number> => {
    for (let turn = 0; turn < count; turn++) await beacons.turn()
    return told.length
  }
  return { beacons, told, said, turns }
}

describe('what a beacon tells', () => {
  it('is flat, and beside that whole in data, with its tag', async () => {
    const { kind } = sample('inotify', () => [{ tag: '/etc/f', path: '/etc/f', change: 'IN_MODIFY' }])
    const { told, turns } = beaconsOf({ inotify: [] }, [kind])
    await turns(1)
    const fields = { id: 'larry', path: '/etc/f', change: 'IN_MODIFY' }
    const tag = 'salt/beacon/larry/inotify//etc/f'
    expect(told).toEqual([{ tag, data: { ...fields, data: fields, tag } }])
  })

  it('ends in a slash where the beacon names no tag, and carries the name it is configured by', async () => {
    const { kind } = sample('load', () => [{ '1m': 2 }])
    const { told, turns } = beaconsOf({ second: [{ beacon_module: 'load' }] }, [kind])
    await turns(1)
    expect(told.map(({ tag }) => tag)).toEqual(['salt/beacon/larry/second/'])
  })

  it('is its error where it throws; the others go on', async () => {
    const broken = sample('broken', () => {
      throw new Error('no such file')
    })
    const { kind } = sample('whole', () => [{ a: 1 }])
    const { told, turns } = beaconsOf({ broken: {}, whole: {} }, [broken.kind, kind])
    await turns(1)
    expect(told[0]).toMatchObject({
      tag: 'salt/beacon/larry/broken/',
      data: { id: 'larry', error: 'no such file', data: {} },
    })
    expect(told[1]).toMatchObject({ tag: 'salt/beacon/larry/whole/', data: { a: 1 } })
  })
})

describe('when it is looked at', () => {
  const cases: [name: string, options: Value, turns: number, looks: number][] = [
    ['every turn', [], 3, 3],
    ['the first turn only begins to count', [{ interval: 1 }], 3, 2],
    ['every third second', [{ interval: 3 }], 10, 3],
    ['in the form of a map', { interval: 3 }, 10, 3],
    ['never where disabled', [{ enabled: false }], 3, 0],
    ['once', [{ run_once: true }], 3, 1],
    ['not where its options are wrong', [{ bad: true }], 3, 0],
  ]
  it.each(cases)('%s', async (_, options, turns, looks) => {
    const { kind } = sample('x', () => [{ a: 1 }])
    expect(await beaconsOf({ x: options }, [kind]).turns(turns)).toBe(looks)
  })

  it('counts loop_interval', async () => {
    const { kind } = sample('x', () => [{ a: 1 }])
    expect(await beaconsOf({ x: [{ interval: 10 }] }, [kind], { loopInterval: 5 }).turns(5)).toBe(2)
  })

  it('says once what cannot run', async () => {
    const { kind } = sample('x', () => [])
    const { said, turns } = beaconsOf({ x: [{ bad: true }], unknown: [] }, [kind])
    await turns(3)
    expect(said).toEqual([
      'Beacon x configuration invalid, not running.\nit is bad',
      'Beacon unknown configuration invalid, not running.\nThere is no beacon of the kind unknown: there are x.',
    ])
  })

  it('is off with all the others', async () => {
    const { kind } = sample('x', () => [{ a: 1 }])
    expect(await beaconsOf({ x: [], enabled: false }, [kind]).turns(3)).toBe(0)
  })
})

describe('a state run', () => {
  it('keeps silent those that ask for it, and what they saw of it', async () => {
    let runs = true
    const [quiet, loud] = [sample('quiet', () => [{ a: 1 }]), sample('loud', () => [{ a: 1 }])]
    const { beacons, told, turns } = beaconsOf(
      { quiet: [{ disable_during_state_run: true }], loud: [] },
      [quiet.kind, loud.kind],
      { isStateRunning: () => runs },
    )
    runs = false
    await turns(1)
    runs = true
    await turns(2)
    runs = false
    beacons.stateRunEnded()
    await turns(1)
    const tags = told.map(({ tag }) => tag.split('/')[3])
    expect(tags.filter((name) => name === 'quiet')).toHaveLength(2)
    expect(tags.filter((name) => name === 'loud')).toHaveLength(4)
    expect(quiet.done).toEqual(['open', 'quiet'])
    expect(loud.done).toEqual(['open'])
  })

  it('that begins during a look takes its events along', async () => {
    let runs = false
    const { kind } = sample('x', () => {
      runs = true
      return [{ a: 1 }]
    })
    const { turns } = beaconsOf({ x: { disable_during_state_run: true } }, [kind], { isStateRunning: () => runs })
    expect(await turns(1)).toBe(0)
  })

  it('that begins and ends during a look does so too', async () => {
    const looked: string[] = []
    const { kind } = sample('x', () => {
      if (looked.push('') === 1) made.beacons.stateRunEnded()
      return [{ a: 1 }]
    })
    const made = beaconsOf({ x: { disable_during_state_run: true } }, [kind])
    expect(await made.turns(1)).toBe(0)
    expect(await made.turns(1)).toBe(1)
  })
})

describe('changes while it runs', () => {
  it('adds, modifies, disables, enables, deletes and resets', async () => {
    const { kind, done } = sample('x', () => [{ a: 1 }])
    const { beacons, turns } = beaconsOf({}, [kind])
    expect(beacons.add('x', [])).toMatchObject({ complete: true, comment: 'Added new beacon item: x' })
    expect(await turns(1)).toBe(1)
    expect(beacons.modify('x', [{ interval: 100 }]).comment).toBe('Updating settings for beacon item: x')
    expect(await turns(3)).toBe(1)
    expect(done).toEqual(['open', 'close'])
    beacons.modify('x', [])
    expect(beacons.setEnabled(false, 'x')).toMatchObject({ beacons: { x: [{ enabled: false }] } })
    expect(await turns(1)).toBe(1)
    expect(beacons.setEnabled(true, 'x')).toMatchObject({ beacons: { x: [{ enabled: true }] } })
    expect(await turns(1)).toBe(2)
    expect(beacons.delete('x').comment).toBe('Deleting beacon item: x')
    expect(beacons.delete('x').comment).toBe('Beacon item x not found.')
    expect(await turns(1)).toBe(2)
    beacons.add('x', { a: 1 })
    expect(beacons.setEnabled(false).beacons).toEqual({ x: { a: 1 }, enabled: false })
    expect(beacons.reset().beacons).toEqual({})
  })

  it('leaves the pillar to the master, and puts the configuration over it', () => {
    const { kind } = sample('x', () => [])
    const { beacons } = beaconsOf({ both: ['opts'] }, [kind], { pillar: () => ({ x: [], both: ['pillar'] }) })
    expect(beacons.add('x', [])).toMatchObject({
      complete: false,
      comment: 'Cannot update beacon item x, because it is configured in pillar.',
    })
    expect(beacons.delete('x').complete).toBe(false)
    expect(beacons.all()).toEqual({ x: [], both: ['opts'] })
    expect(beacons.all({ pillar: false })).toEqual({ both: ['opts'] })
  })
})

describe('a beacon a user wrote', () => {
  const now = () => ({ grains: { os: 'Debian' }, pillar: {}, opts: {} })
  it('tells what its function returns, with a context of its own', async () => {
    const exported = {
      validate: (config: Mapping) => [config.most !== undefined, 'most is needed'],
      beacon: ({ context, grains }: { context: Record<string, number>; grains: Mapping }, config: Mapping) => {
        context.count = (context.count ?? 0) + 1
        return context.count > Number(config.most) ? [{ tag: 'many', count: context.count, os: grains.os }] : []
      },
    }
    const kind = customBeacon('counter', exported, now)
    const { told, said, turns } = beaconsOf({ counter: [{ most: 2 }], c2: [{ beacon_module: 'counter' }] }, [
      kind ?? sample('none', () => []).kind,
    ])
    await turns(3)
    expect(told).toMatchObject([{ tag: 'salt/beacon/larry/counter/many', data: { count: 3, os: 'Debian' } }])
    expect(said).toEqual(['Beacon c2 configuration invalid, not running.\nmost is needed'])
  })

  it('is none without a function of that name', () => {
    expect(customBeacon('empty', {}, now)).toBeUndefined()
  })
})
