// Which entries a tag matches: literal globs by a look-up, the others compiled.
import { tagGlob } from '../event/tag-glob.ts'

/** The places of the entries whose globs match a tag, in order. Compiled once: keep the function where tags are many. */
export function entryMatcher(entries: readonly { readonly glob: string }[]): (tag: string) => number[] {
  const literal = new Map<string, number[]>()
  const patterns: { readonly index: number; readonly matches: (tag: string) => boolean }[] = []
  for (const [index, { glob }] of entries.entries()) {
    if (/[*?[]/.test(glob)) patterns.push({ index, matches: tagGlob(glob) })
    else literal.set(glob, [...(literal.get(glob) ?? []), index])
  }
  return (tag) => {
    const found = [...(literal.get(tag) ?? [])]
    for (const { index, matches } of patterns) if (matches(tag)) found.push(index)
    return found.sort((a, b) => a - b)
  }
}
