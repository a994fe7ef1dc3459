// The reactor set in force, made ready for matching: literal globs by a look-up, the others compiled, answers remembered.
import { createHash } from 'node:crypto'
import { type EventPattern, matchesPattern } from '../core/event/pattern/index.ts'
import { patternOf } from '../core/sls/entry-conditions.ts'
import { entryMatcher } from '../core/sls/entry-matcher.ts'
import type { ReactorEntry } from '../core/sls/reactor-config.ts'
import type { MatchedFile, ReactorSet, StoredReactorSet } from './ports.ts'

/** Tags that Brine itself fires; globs that do not begin with it never match them, so that `*` cannot loop on errors. */
const OWN_PREFIX = 'brine/'
const REMEMBERED_TAGS = 4096

/** Whether an entry may see a tag at all: Brine's own tags are seen only by globs that begin with `brine/`. */
export function mayMatch(glob: string, tag: string): boolean {
  return !tag.startsWith(OWN_PREFIX) || glob.startsWith(OWN_PREFIX)
}

/**
 * Prepares a stored set. `matching` answers the files in config order and each file once, at its first match: a chunk is
 * known by file and id, so a file that two entries lead to runs once, as in Salt. A reference without a file is an error.
 */
export function createReactorSet(stored: StoredReactorSet): ReactorSet {
  const entries = entriesOf(stored)
  const matching = entryMatcher(entries)
  const find = (tag: string): Found => {
    const own = tag.startsWith(OWN_PREFIX)
    const found = matching(tag).flatMap((index) => entries[index] ?? [])
    const seeing = own ? found.filter(({ glob }) => glob.startsWith(OWN_PREFIX)) : found
    if (seeing.length === 0) return nobody
    if (seeing.some(({ pattern }) => pattern !== undefined)) return { entries: seeing }
    return { entries: seeing, files: onceEach(seeing.flatMap(({ files }) => files)) }
  }

  const remembered = new Map<string, Found>()
  const foundFor = (tag: string): Found => {
    const known = remembered.get(tag)
    if (known !== undefined) return known
    const found = find(tag)
    if (remembered.size >= REMEMBERED_TAGS) remembered.clear()
    remembered.set(tag, found)
    return found
  }
  return {
    version: stored.version,
    entries: stored.entries,
    wants: (tag) => foundFor(tag).entries.length > 0,
    matching({ tag, data }) {
      const found = foundFor(tag)
      if (found.files !== undefined) return found.files
      const met = found.entries.filter(({ pattern }) => pattern === undefined || matchesPattern(pattern, data))
      return onceEach(met.flatMap(({ files }) => files))
    },
  }
}

/** Entries whose globs match a tag, and their files where no entry asks for more. */
interface Found {
  readonly entries: readonly Entry[]
  readonly files?: readonly MatchedFile[]
}

const nobody: Found = { entries: [], files: [] }

interface Entry {
  readonly glob: string
  readonly files: readonly MatchedFile[]
  readonly pattern: EventPattern | undefined
}

function entriesOf(stored: StoredReactorSet): Entry[] {
  const byReference = new Map<string, { name: string; text: string; hash: string }[]>()
  for (const { reference, name, text } of stored.files) {
    const files = byReference.get(reference) ?? []
    files.push({ name, text, hash: createHash('sha256').update(text).digest('hex') })
    byReference.set(reference, files)
  }
  return stored.entries.map((entry) => {
    const { glob } = entry
    const once = onceOf(entry)
    const files = entry.files.flatMap((reference): MatchedFile[] => {
      const found = byReference.get(reference)
      if (found !== undefined) return found.map((file) => ({ glob, ...file, ...once }))
      const error = `no file matches ${reference}: create it, or take it out of the reactor config`
      return [{ glob, name: reference, hash: '', text: '', error, ...once }]
    })
    return { glob, files, pattern: patternOf(entry) }
  })
}

function onceOf(entry: ReactorEntry): Pick<MatchedFile, 'once'> {
  const { onceWithin, groupBy } = entry
  if (onceWithin === undefined) return {}
  const name = createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16)
  return { once: { entry: name, seconds: onceWithin, ...(groupBy === undefined ? {} : { groupBy }) } }
}

function onceEach(files: readonly MatchedFile[]): readonly MatchedFile[] {
  const seen = new Set<string>()
  return files.filter(({ name }) => !seen.has(name) && seen.add(name))
}
