// For tests of templates: a folder with a file where each function's bundle would be, since making those takes seconds.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Fills the folder; answers it. */
export function standInBundles(folder: string): string {
  const sources = readdirSync(join(import.meta.dirname, '../functions')).filter((name) => name.endsWith('.ts'))
  for (const name of sources.map((source) => source.replace(/\.ts$/, ''))) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'index.mjs'), `export const handler = '${name}'\n`)
  }
  return folder
}
