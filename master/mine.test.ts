// The mine: values by minion, seen by those who may.
import { describe, expect, it } from 'vitest'
import { compileTarget } from '../core/target/index.ts'
import type { Mapping } from '../core/value/index.ts'
import { createMines, type Mines } from './mine.ts'
import type { ResolveTarget } from './targets.ts'

const pillars: Record<string, Mapping> = { web1: { role: 'web' }, web2: { role: 'web' }, db1: { role: 'db' } }

const resolve: ResolveTarget = async (tgt, tgtType) => {
  const matches = compileTarget(tgtType, tgt)
  const minions = Object.entries(pillars).filter(([id, pillar]) => matches({ id, grains: {}, pillar }))
  return { minions: minions.map(([id]) => id), missing: [] }
}

function mines(): Mines {
  const kept = new Map<string, Mapping>()
  return createMines(
    {
      saveMine: async (id, mine) => void kept.set(id, mine),
      mines: async (ids) => new Map([...kept].filter(([id]) => ids.includes(id))),
    },
    resolve,
  )
}

async function filled(): Promise<Mines> {
  const all = mines()
  await all.give('web1', { ip: '10.0.0.1', name: 'one' }, false)
  await all.give('web2', { ip: '10.0.0.2' }, false)
  await all.give(
    'db1',
    { secret: { __saltmine_acl__: 1, __data__: 's', allow_tgt: 'web1', allow_tgt_type: 'glob' } },
    false,
  )
  return all
}

describe('the mine', () => {
  it('tells one name by minion, several by name', async () => {
    const all = await filled()
    expect(await all.get('db1', 'web*', 'ip', 'glob')).toEqual({ web1: '10.0.0.1', web2: '10.0.0.2' })
    const both = { ip: { web1: '10.0.0.1', web2: '10.0.0.2' }, name: { web1: 'one' } }
    expect(await all.get('db1', '*', 'ip,name', 'glob')).toEqual(both)
    expect(await all.get('db1', '*', ['ip', 'name', 'none'], 'glob')).toEqual(both)
    expect(await all.get('db1', '*', 'none', 'glob')).toEqual({})
  })

  it('shows what is for some to those alone, and to the master', async () => {
    const all = await filled()
    expect(await all.get('web1', '*', 'secret', 'glob')).toEqual({ db1: 's' })
    expect(await all.get('web2', '*', 'secret', 'glob')).toEqual({})
    expect(await all.get(undefined, '*', 'secret', 'glob')).toEqual({ db1: 's' })
  })

  it('lets no minion try globs on others’ pillars', async () => {
    const all = await filled()
    expect(await all.get('db1', 'role:w*', 'ip', 'pillar')).toEqual({})
    expect(await all.get('db1', 'I@role:w*', 'ip', 'compound')).toEqual({})
    expect(await all.get('db1', 'role:web', 'ip', 'pillar')).toHaveProperty('web1')
    expect(await all.get(undefined, 'role:w*', 'ip', 'pillar')).toHaveProperty('web1')
  })

  it('adds, replaces, takes back', async () => {
    const all = await filled()
    await all.give('web1', { ip: '10.0.0.9' }, false)
    expect(await all.get(undefined, 'web1', 'ip,name', 'glob')).toEqual({
      ip: { web1: '10.0.0.9' },
      name: { web1: 'one' },
    })
    await all.take('web1', 'name')
    expect(await all.get(undefined, 'web1', 'name', 'glob')).toEqual({})
    await all.give('web1', { other: 1 }, true)
    expect(await all.get(undefined, 'web1', 'ip', 'glob')).toEqual({})
    await all.flush('web1')
    expect(await all.get(undefined, 'web1', 'other', 'glob')).toEqual({})
  })
})
