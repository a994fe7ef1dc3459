// The reactor set on disk: the configured entries and the text of every file they lead to.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expandFileGlob, globFolder, isFileGlob, parseReference } from '../core/sls/reaction-files.ts'
import { reactorSetVersion } from '../core/sls/reactor-version.ts'
import type { StoredReactorSet } from './ports.ts'

/** Where files are looked for. */
export interface ReactorPlaces {
  /** Stands in for `/srv/reactor` on a machine that has no such folder. */
  readonly reactorRoot: string
  /** `file_roots`: directories by saltenv. */
  readonly fileRoots: Readonly<Record<string, readonly string[]>>
}

type Entries = StoredReactorSet['entries']

/**
 * Reads every file that the entries lead to. A reference that leads nowhere contributes none; its reaction says so when
 * it is due. The version is the hash of the entries and of all texts.
 */
export function readReactorSet(entries: Entries, places: ReactorPlaces): StoredReactorSet {
  const references = [...new Set(entries.flatMap(({ files }) => files))]
  const files = references.flatMap((reference) =>
    pathsOf(reference, places).map((path) => ({ reference, name: path, text: readFileSync(path, 'utf8') })),
  )
  return { version: reactorSetVersion(entries, files), entries, files }
}

function pathsOf(reference: string, { reactorRoot, fileRoots }: ReactorPlaces): string[] {
  const found = parseReference(reference, {
    reactor: reactorRoot,
    base: fileRoots.base?.[0] ?? '/srv/salt',
    hasSrvReactor: isDirectory('/srv/reactor'),
    hasSrvSalt: isDirectory('/srv/salt'),
  })
  if (found.kind === 'salt') {
    const candidates = (fileRoots[found.saltenv] ?? []).map((directory) => join(directory, found.path))
    const first = candidates.find(isFile)
    return first === undefined ? [] : [first]
  }
  if (!isFileGlob(found.path)) return isFile(found.path) ? [found.path] : []
  return expandFileGlob(found.path, filesBelow(globFolder(found.path)))
}

function filesBelow(directory: string): string[] {
  if (!isDirectory(directory)) return []
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter(isFile)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
