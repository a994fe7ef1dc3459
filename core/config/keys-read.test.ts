// Shows that every key of the configuration is read somewhere, or is said to have no effect.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { masterKeys, minionKeys, restKeys } from './index.ts'

const root = join(import.meta.dirname, '../..')

/** The words of all sources but those that only list keys. */
function wordsOfSources(): ReadonlySet<string> {
  const words = new Set<string>()
  for (const folder of ['core', 'reaction', 'master', 'agent', 'platform', 'client', 'cli'])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name)
      const lists = /\.test\.ts$|^core\/config\/(?:[a-z]+-keys|salt-only-keys)\.ts$|^core\/migrate\/|writable-keys/
      if (!path.endsWith('.ts') || lists.test(path)) continue
      for (const [word] of readFileSync(join(root, path), 'utf8').matchAll(/\w+/g)) words.add(word)
    }
  return words
}

it.each(Object.entries({ master: masterKeys, minion: minionKeys, rest_cherrypy: restKeys }))(
  'every key of %s is read',
  (_, keys) => {
    const words = wordsOfSources()
    const unread = Object.entries(keys).filter(([name, { unused }]) => unused === undefined && !words.has(name))
    // `open_mode` is checked where it is read: nothing but False is allowed.
    expect(unread.map(([name]) => name).filter((name) => name !== 'open_mode')).toEqual([])
  },
)
