// What of a token is on the disk.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handClock, type TemporaryStore, temporaryStore } from './temporary-store.ts'
import { EmbeddedTokenStore } from './token-store.ts'

describe('EmbeddedTokenStore', () => {
  let temporary: TemporaryStore
  beforeEach(async () => {
    temporary = await temporaryStore()
  })
  afterEach(() => temporary.remove())

  it('writes no token to the disk', async () => {
    const clock = handClock()
    const tokens = new EmbeddedTokenStore(temporary.store, clock)
    const token = await tokens.issue({ kind: 'user', name: 'a name to find', epoch: 0, expires: clock.now() + 1000 })
    const directory = join(temporary.directory, 'store')
    const disk = readdirSync(directory)
      .map((name) => readFileSync(join(directory, name), 'latin1'))
      .join()
    expect(disk).toContain('a name to find')
    expect(disk).not.toContain(token)
  })
})
