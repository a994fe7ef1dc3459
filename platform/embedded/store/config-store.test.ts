// Run-time changes of the reactor set against edits of the configuration.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoredReactorSet } from '../../../master/ports.ts'
import { EmbeddedConfigStore } from './config-store.ts'
import { type TemporaryStore, temporaryStore } from './temporary-store.ts'

type Entries = StoredReactorSet['entries']

describe('EmbeddedConfigStore', () => {
  let temporary: TemporaryStore
  let text = 'one'
  beforeEach(async () => {
    temporary = await temporaryStore()
    text = 'one'
  })
  afterEach(() => temporary.remove())

  const entry = (glob: string): Entries[number] => ({ glob, files: ['a.sls'] })
  const globs = ({ entries }: StoredReactorSet): string[] => entries.map(({ glob }) => glob)
  const load = (entries: Entries): StoredReactorSet => {
    if (text === 'broken') throw new Error('the file does not read')
    return { version: JSON.stringify([entries, text]), entries, files: [{ reference: 'a.sls', name: 'a.sls', text }] }
  }

  it('sees an edited configuration although entries were changed at run time', async () => {
    const config = new EmbeddedConfigStore(temporary.store, load, [entry('a'), entry('b'), entry('b')])
    const { version } = await config.reactors()
    await config.changeReactors([entry('a'), entry('b'), entry('new')], version)
    await temporary.reopen()
    const again = new EmbeddedConfigStore(temporary.store, load, [entry('first'), entry('b'), entry('a'), entry('b')])
    expect(globs(await again.reactors())).toEqual(['first', 'a', 'b', 'new'])
    expect(globs(await again.reload([entry('b')]))).toEqual(['new'])
  })

  it('reads the files again when it is told to, and keeps the set when they do not read', async () => {
    const config = new EmbeddedConfigStore(temporary.store, load, [entry('a')])
    await config.reactors()
    text = 'two'
    expect((await config.reactors()).files[0]?.text).toBe('one')
    await config.reload()
    expect((await config.reactors()).files[0]?.text).toBe('two')
    text = 'broken'
    await expect(config.reload()).rejects.toThrow('does not read')
    await expect(config.changeReactors([], (await config.reactors()).version)).rejects.toThrow('does not read')
    expect((await config.reactors()).files[0]?.text).toBe('two')
  })

  it('tells of changes at run time, and of nothing else', async () => {
    const config = new EmbeddedConfigStore(temporary.store, load, [entry('a')])
    let told = 0
    const stop = config.onChange(() => told++)
    const { version } = await config.reactors()
    await config.reload()
    await config.changeReactors([entry('b')], 'another version')
    expect(told).toBe(0)
    await config.changeReactors([entry('b')], version)
    expect(told).toBe(1)
    stop()
    await config.changeReactors([], (await config.reactors()).version)
    expect(told).toBe(1)
  })
})
