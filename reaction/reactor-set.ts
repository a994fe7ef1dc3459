// The reactor set in force, made ready for matching: literal globs by a look-up, the others compiled, answers remembered.
import { createHash } from 'node:crypto'
import { tagGlob } from '../core/event/tag-glob.ts'
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
 * known by file and id, so a file that two globs lead to runs once, as in Salt. A reference without a file is an error.
 */
export function createReactorSet(stored: StoredReactorSet): ReactorSet {
  const entries = matchersOf(stored)
  const literal = new Map<string, number[]>()
  const patterns: { readonly index: number; readonly matches: (tag: string) => boolean }[] = []
  for (const [index, entry] of entries.entries()) {
    if (isLiteral(entry.glob)) literal.set(entry.glob, [...(literal.get(entry.glob) ?? []), index])
    else patterns.push({ index, matches: tagGlob(entry.glob) })
  }

  const find = (tag: string): readonly MatchedFile[] => {
    const indexes = [...(literal.get(tag) ?? [])]
    const own = tag.startsWith(OWN_PREFIX)
    for (const { index, matches } of patterns) {
      if (own && !entries[index]?.glob.startsWith(OWN_PREFIX)) continue
      if (matches(tag)) indexes.push(index)
    }
    if (indexes.length === 0) return nothing
    return onceEach(indexes.sort((a, b) => a - b).flatMap((index) => entries[index]?.files ?? []))
  }

  const remembered = new Map<string, readonly MatchedFile[]>()
  return {
    version: stored.version,
    entries: stored.entries,
    matching(tag) {
      const known = remembered.get(tag)
      if (known !== undefined) return known
      const files = find(tag)
      if (remembered.size >= REMEMBERED_TAGS) remembered.clear()
      remembered.set(tag, files)
      return files
    },
  }
}

const nothing: readonly MatchedFile[] = []

interface Entry {
  readonly glob: string
  readonly files: readonly MatchedFile[]
}

function matchersOf(stored: StoredReactorSet): Entry[] {
  const byReference = new Map<string, { name: string; text: string; hash: string }[]>()
  for (const { reference, name, text } of stored.files) {
    const files = byReference.get(reference) ?? []
    files.push({ name, text, hash: createHash('sha256').update(text).digest('hex') })
    byReference.set(reference, files)
  }
  return stored.entries.map(({ glob, files }) => ({
    glob,
    files: files.flatMap((reference) => {
      const found = byReference.get(reference)
      if (found !== undefined) return found.map((file) => ({ glob, ...file }))
      return [
        {
          glob,
          name: reference,
          hash: '',
          text: '',
          error: `no file matches ${reference}: create it, or take it out of the reactor config`,
        },
      ]
    }),
  }))
}

function isLiteral(glob: string): boolean {
  return !/[*?[]/.test(glob)
}

function onceEach(files: readonly MatchedFile[]): readonly MatchedFile[] {
  const seen = new Set<string>()
  return files.filter(({ name }) => !seen.has(name) && seen.add(name))
}
