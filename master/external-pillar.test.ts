// Pillar of parameters and secrets: for whom, under which keys, and what is refused.
import { describe, expect, it } from 'vitest'
import { readExternalPillars } from '../core/config/external-pillar.ts'
import { type ExternalValues, externalPillars } from './external-pillar.ts'

const stored: Record<string, string> = {
  '/pillar/common/motd': 'hi',
  '/pillar/web1/db/password': 'p1',
  '/pillar/web1/db/user': 'u1',
  '/pillar/web10/db/password': 'p10',
}

const values: ExternalValues = {
  parameters: async (path) => new Map(Object.entries(stored).filter(([name]) => name.startsWith(`${path}/`))),
  secret: async (name) => {
    if (name === 'app/web1') return '{"token": "t", "n": 1}'
    if (name === 'plain') return 'text'
    throw new Error(`${name} is not there`)
  },
}

async function pillarOf(written: object[], id = 'web1'): Promise<object[]> {
  const sources = externalPillars(readExternalPillars(written as never), values)
  return Promise.all(sources.map((source) => source.pillar({ id, grains: { os: 'Debian' } }, {})))
}

describe('ext_pillar', () => {
  it('takes the parameters below a path', async () => {
    expect(await pillarOf([{ ssm: { path: '/pillar/{id}/' } }])).toEqual([{ db: { password: 'p1', user: 'u1' } }])
    expect(await pillarOf([{ ssm: { path: '/pillar/common', key: 'a:b' } }])).toEqual([{ a: { b: { motd: 'hi' } } }])
  })

  it('takes secrets', async () => {
    const secrets = { app: 'app/{id}', 'deep:plain': 'plain' }
    expect(await pillarOf([{ secretsmanager: { secrets } }])).toEqual([
      { app: { token: 't', n: 1 }, deep: { plain: 'text' } },
    ])
    await expect(pillarOf([{ secretsmanager: { secrets: { x: 'gone' } } }])).rejects.toThrow('gone is not there')
  })

  it('gives only to whom it is for', async () => {
    const entry = { ssm: { path: '/pillar/{id}', tgt: 'web1 and G@os:Debian' } }
    expect(await pillarOf([entry], 'web10')).toEqual([{}])
    expect(await pillarOf([entry])).toEqual([{ db: { password: 'p1', user: 'u1' } }])
  })

  it.each([[['ssm']], [[{ ssm: { path: 'pillar' } }]], [[{ consul: {} }]], ['ssm'], [[{ secretsmanager: {} }]]])(
    'refuses %j',
    (written) => {
      expect(() => readExternalPillars(written as never)).toThrow(expect.objectContaining({ code: 'config' }))
    },
  )
})
