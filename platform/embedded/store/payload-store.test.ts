// Payload files: names, modes, retention.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PayloadStore } from './payload-store.ts'
import { sweepAll } from './retention.ts'

describe('PayloadStore', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'brine-payloads-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

  function age(path: string, seconds: number): void {
    const time = new Date(Date.now() - seconds * 1000)
    utimesSync(path, time, time)
  }

  it('writes one file under its name, for its owner alone', async () => {
    const store = new PayloadStore(directory, 60)
    await Promise.all([1, 2, 3].map(() => store.put(hashOf('a'), bytesOf('a'))))
    const folder = join(directory, hashOf('a').slice(0, 2))
    expect(readdirSync(folder)).toEqual([hashOf('a')])
    expect(statSync(join(folder, hashOf('a'))).mode & 0o777).toBe(0o600)
  })

  it('forgets what was not put for the retention, and drafts of a killed process', async () => {
    const store = new PayloadStore(directory, 60)
    const paths = ['old', 'again', 'new'].map((text) => join(directory, hashOf(text).slice(0, 2), hashOf(text)))
    for (const text of ['old', 'again', 'new']) await store.put(hashOf(text), bytesOf(text))
    mkdirSync(join(directory, 'ab'), { recursive: true })
    const draft = join(directory, 'ab', `${hashOf('x')}.draft`)
    writeFileSync(draft, 'half')
    for (const path of [...paths.slice(0, 2), draft]) age(path, 120)
    await store.put(hashOf('again'), bytesOf('again'))
    expect(await sweepAll([store], Date.now() * 1000)).toBe(2)
    expect(await store.get(hashOf('old'))).toBeUndefined()
    expect(await store.get(hashOf('again'))).toBeDefined()
    expect(await store.get(hashOf('new'))).toBeDefined()
    expect(readdirSync(join(directory, 'ab'))).toEqual([])
  })
})
