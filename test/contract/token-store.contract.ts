// What every token store must do.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Clock, TokenRecord, TokenStore } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

/** A token store and the time its tokens expire by. */
export interface TokenPorts {
  readonly tokens: TokenStore
  readonly clock: Pick<Clock, 'now'>
}

const MINUTE = 60_000_000

const cases: Cases<TokenPorts> = {
  'verifies what it issued': async ({ port, reopen }) => {
    const record = recordOf(port.clock.now() + MINUTE)
    const token = await port.tokens.issue(record)
    expect(token).toMatch(/^[\w.-]{40,}$/)
    expect(await port.tokens.verify(token)).toEqual(record)
    const { tokens } = await reopen()
    expect(await tokens.verify(token)).toEqual(record)
  },

  'gives a user 40 hexadecimal digits, and keeps how the log-in was proven': async ({ port: { tokens, clock } }) => {
    const login = { eauth: 'file', groups: ['ops'], start: 5, use: 'session' } as const
    const record = { ...recordOf(clock.now() + MINUTE), login }
    const token = await tokens.issue(record)
    expect(token).toMatch(/^[0-9a-f]{40}$/)
    expect(await tokens.verify(token)).toEqual(record)
  },

  'gives each its own token': async ({ port: { tokens, clock } }) => {
    const record = recordOf(clock.now() + MINUTE)
    const all = await Promise.all(Array.from({ length: 50 }, () => tokens.issue(record)))
    expect(new Set(all).size).toBe(50)
  },

  'knows nothing else': async ({ port: { tokens, clock } }) => {
    const token = await tokens.issue(recordOf(clock.now() + MINUTE))
    for (const other of ['', 'x', `${token}x`, token.slice(1), token.toUpperCase()]) {
      expect(await tokens.verify(other)).toBeUndefined()
    }
  },

  'lets a token expire': async ({ port: { tokens, clock } }) => {
    const end = clock.now() + 3_000_000
    const token = await tokens.issue(recordOf(end))
    expect(await tokens.verify(token)).toBeDefined()
    await sleep((end - clock.now()) / 1000 + 20)
    expect(await tokens.verify(token)).toBeUndefined()
  },

  'revokes a token at once and for good': async ({ port, reopen }) => {
    const [one, two] = await Promise.all([1, 2].map(() => port.tokens.issue(recordOf(port.clock.now() + MINUTE))))
    expect(await port.tokens.verify(one ?? '')).toBeDefined()
    await port.tokens.revoke(one ?? '')
    await port.tokens.revoke('unknown')
    expect(await port.tokens.verify(one ?? '')).toBeUndefined()
    const { tokens } = await reopen()
    expect(await tokens.verify(one ?? '')).toBeUndefined()
    expect(await tokens.verify(two ?? '')).toBeDefined()
  },

  'lets an id be used once': async ({ port, reopen }) => {
    const expires = port.clock.now() + MINUTE
    const answers = await Promise.all(Array.from({ length: 10 }, () => port.tokens.useOnce('jti 1', expires)))
    expect(answers.filter((each) => each)).toHaveLength(1)
    expect(await port.tokens.useOnce('jti 2', expires)).toBe(true)
    const { tokens } = await reopen()
    expect(await tokens.useOnce('jti 1', expires)).toBe(false)
    expect(await tokens.useOnce('x'.repeat(5000), expires)).toBe(true)
  },

  'lets no id be used after its expiry': async ({ port: { tokens, clock } }) => {
    expect(await tokens.useOnce('jti', clock.now() - 1)).toBe(false)
  },
}

function recordOf(expires: number): TokenRecord {
  return { kind: 'user', name: 'fred', epoch: 0, expires, permissions: ['.*', { '@runner': ['jobs.*'] }] }
}

/** The contract of {@link TokenStore}. */
export function describeTokenStoreContract(adapter: string, make: MakeSubject<TokenPorts>, skips?: Skips): void {
  describeContract<TokenPorts>('TokenStore', adapter, cases, make, skips)
}
