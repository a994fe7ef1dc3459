// What every config store must do. Its subjects are configured with the entries of `configured` below.
import { expect } from 'vitest'
import type { ConfigStore, StoredReactorSet } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

type Entries = StoredReactorSet['entries']

/** What a subject is configured with. Each file `x.sls` has the text `# x.sls`. */
export const configuredEntries: Entries = [
  { glob: 'salt/a/*', files: ['a.sls'] },
  { glob: 'salt/b', files: ['b.sls', 'a.sls'] },
]

const added: Entries = [{ glob: 'salt/new/*', files: ['new.sls'] }]

const cases: Cases<ConfigStore> = {
  'answers the configured entries with their files': async ({ port: config }) => {
    const set = await config.reactors()
    expect(set.entries).toEqual(configuredEntries)
    expect(set.files.map(({ reference, text }) => [reference, text])).toEqual([
      ['a.sls', '# a.sls'],
      ['b.sls', '# b.sls'],
    ])
    expect((await config.reactors()).version).toBe(set.version)
  },

  'adds and removes entries at run time, for good': async ({ port, reopen }) => {
    const before = await port.reactors()
    expect(await port.changeReactors([...configuredEntries.slice(1), ...added], before.version)).toBe(true)
    const changed = await port.reactors()
    expect(changed.entries).toEqual([...configuredEntries.slice(1), ...added])
    expect(changed.files.map(({ reference }) => reference).sort()).toEqual(['a.sls', 'b.sls', 'new.sls'])
    expect(changed.version).not.toBe(before.version)
    const config = await reopen()
    expect(await config.reactors()).toEqual(changed)
    expect(await config.changeReactors(configuredEntries, changed.version)).toBe(true)
    expect(await config.reactors()).toEqual(before)
  },

  'changes only the version that was read': async ({ port: config }) => {
    const { version } = await config.reactors()
    const changes = [added, [], [...configuredEntries, ...added]].map((entries) =>
      config.changeReactors(entries, version),
    )
    expect((await Promise.all(changes)).filter((done) => done)).toHaveLength(1)
    const after = await config.reactors()
    expect(await config.changeReactors(configuredEntries, version)).toBe(false)
    expect(await config.reactors()).toEqual(after)
  },
}

/** The contract of {@link ConfigStore}. */
export function describeConfigStoreContract(adapter: string, make: MakeSubject<ConfigStore>, skips?: Skips): void {
  describeContract<ConfigStore>('ConfigStore', adapter, cases, make, skips)
}
