// Packs reactor globs into few EventBridge rules, under three limits: characters, rules with wildcards, complexity.
import { complexityLimit, patternComplexity, ruleComplexity, type Weighed } from './pattern-complexity.ts'
import { allSources, guardedSources, isReservedPrefix } from './sources.ts'
import {
  isCovered,
  isWildcard,
  type TagParts,
  type TagValue,
  tagParts,
  tagValue,
  widened,
  widenedByOne,
} from './tag-match.ts'

/** An event pattern on the bus: who speaks, and which tags. */
export interface TagPattern {
  readonly source: readonly string[]
  readonly detail: { readonly tag: readonly TagValue[] }
}

/** What may be used. */
export interface PackLimits {
  /** Characters of a pattern. @default 2048 */
  readonly characters?: number
  /** Rules with wildcards. A bus has 30; some are kept for what is added at run time. @default 26 */
  readonly wildcardRules?: number
  /** Rules without wildcards. A bus has 300 rules in all. @default 100 */
  readonly plainRules?: number
}

/** Rules that let through at least what the globs want, and which globs let through more because they did not fit. */
export interface Packed {
  readonly patterns: readonly TagPattern[]
  readonly widened: readonly { readonly glob: string; readonly to: TagValue }[]
}

/** EventBridge's own bounds, less what {@link liveRules} take. */
export const defaultPackLimits: Required<PackLimits> = { characters: 2048, wildcardRules: 26, plainRules: 100 }

interface Entry {
  readonly globs: readonly string[]
  readonly parts: TagParts
  /** Only master and minions fire such tags. */
  readonly guarded: boolean
  /** Of its wildcard; 0 where it is none. */
  readonly complexity: number
}

/**
 * The rules for these globs, the same for the same globs. What is most costly is widened first: a glob whose wildcard
 * is too complex loses stars from its end, one that finds no room keeps its literal beginning; last of all the
 * beginnings are cut, down to a rule that takes every tag. The exact match is the function's.
 */
export function packRules(globs: readonly string[], limits: PackLimits = {}): Packed {
  const bounds = { ...defaultPackLimits, ...limits }
  let entries = withoutCovered(entriesOf(globs).map((entry) => simplified(entry, bounds)))
  const wildcards = pack(byCost(entries.filter(({ parts }) => isWildcard(parts))), bounds, bounds.wildcardRules)
  const placed = new Set(wildcards.bins.flatMap(({ entries: inside }) => inside))
  entries = entries.map((entry) =>
    isWildcard(entry.parts) && !placed.has(entry) ? entryOf(entry.globs, widened(entry.parts)) : entry,
  )
  for (const length of [Number.POSITIVE_INFINITY, 64, 32, 16, 8, 4, 2, 1, 0]) {
    const cut = withoutCovered(entries.map((entry) => shortened(entry, length)))
    const kept = cut.filter(({ parts }) => isWildcard(parts))
    const rules =
      length === Number.POSITIVE_INFINITY
        ? wildcards.bins.map((bin) => only(bin, kept))
        : pack(kept, bounds, bounds.wildcardRules).bins
    const plain = pack(
      cut.filter(({ parts }) => !isWildcard(parts)),
      bounds,
      bounds.plainRules,
    )
    if (plain.left.length === 0) return told(globs, [...plain.bins, ...rules], cut)
  }
  throw new Error('a rule that takes every tag did not fit, which cannot be')
}

function entriesOf(globs: readonly string[]): Entry[] {
  return globs.flatMap((glob) => {
    const parts = tagParts(glob)
    return parts === undefined ? [] : [entryOf([glob], parts)]
  })
}

function entryOf(globs: readonly string[], parts: TagParts): Entry {
  const complexity = isWildcard(parts) ? patternComplexity(parts) : 0
  return { globs, parts, guarded: isReservedPrefix(parts[0] ?? ''), complexity }
}

/** Stars taken from its end until EventBridge takes the wildcard alone, and texts cut that no rule could hold. */
function simplified(entry: Entry, bounds: Required<PackLimits>): Entry {
  let simple = entry
  while (isWildcard(simple.parts) && (simple.complexity > complexityLimit || !isFit([simple], bounds)))
    simple = entryOf(entry.globs, widenedByOne(simple.parts))
  return isFit([simple], bounds) ? simple : shortened(simple, 64)
}

/** A prefix of at most so many characters, where the entry's literal beginning is longer. */
function shortened(entry: Entry, length: number): Entry {
  const [first = '', second] = entry.parts
  const points = [...first]
  if (points.length > length) return entryOf(entry.globs, [points.slice(0, length).join(''), ''])
  if (first === '' && second !== undefined && length < 8) return entryOf(entry.globs, ['', ''])
  return first === '' && [...(entry.parts.at(-1) ?? '')].length > length ? entryOf(entry.globs, ['', '']) : entry
}

/** Without what a prefix among them takes anyway; equal ones become one. */
function withoutCovered(entries: readonly Entry[]): Entry[] {
  const unique = new Map<string, Entry>()
  for (const entry of entries) {
    const key = JSON.stringify(entry.parts)
    const known = unique.get(key)
    unique.set(key, known === undefined ? entry : { ...known, globs: [...known.globs, ...entry.globs] })
  }
  const prefixes = [...unique.values()].filter(({ parts }) => parts.length === 2 && parts[1] === '')
  return [...unique.values()].filter(
    (entry) =>
      !prefixes.some(
        (prefix) =>
          prefix !== entry && isCovered(entry.parts, prefix.parts[0] ?? '') && (!prefix.guarded || entry.guarded),
      ),
  )
}

/** Cheap wildcards first, so that many keep theirs. */
function byCost(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => a.complexity - b.complexity)
}

interface Bin {
  readonly entries: Entry[]
  readonly weighed: Weighed[]
}

/** First fit; what finds no room in so many rules is left. */
function pack(entries: readonly Entry[], bounds: Required<PackLimits>, most: number): { bins: Bin[]; left: Entry[] } {
  const bins: Bin[] = []
  const left: Entry[] = []
  for (const entry of entries) {
    const { parts, complexity } = entry
    const weight = isWildcard(parts) ? [{ prefix: parts[0] ?? '', complexity }] : []
    const room = bins.find(
      (bin) =>
        bin.entries[0]?.guarded === entry.guarded &&
        isFit([...bin.entries, entry], bounds) &&
        ruleComplexity([...bin.weighed, ...weight]) <= complexityLimit,
    )
    if (room !== undefined) {
      room.entries.push(entry)
      room.weighed.push(...weight)
    } else if (bins.length < most) bins.push({ entries: [entry], weighed: weight })
    else left.push(entry)
  }
  return { bins, left }
}

function only(bin: Bin, kept: readonly Entry[]): Bin {
  const texts = new Set(kept.map(({ parts }) => JSON.stringify(parts)))
  return { ...bin, entries: bin.entries.filter(({ parts }) => texts.has(JSON.stringify(parts))) }
}

function isFit(entries: readonly Entry[], { characters }: Required<PackLimits>): boolean {
  return Buffer.byteLength(JSON.stringify(patternOf(entries))) <= characters
}

function patternOf(entries: readonly Entry[]): TagPattern {
  return {
    source: entries.every(({ guarded }) => guarded) ? guardedSources : allSources,
    detail: { tag: entries.map(({ parts }) => tagValue(parts)) },
  }
}

function told(globs: readonly string[], bins: readonly Bin[], entries: readonly Entry[]): Packed {
  const wider = globs.flatMap((glob) => {
    const wanted = tagParts(glob)
    if (wanted === undefined) return []
    const own = entries.find((entry) => entry.globs.includes(glob))
    const got = own ?? entries.find(({ parts }) => parts[1] === '' && isCovered(wanted, parts[0] ?? ''))
    if (got === undefined || isSame(got.parts, wanted)) return []
    const meant = own === undefined && got.globs.some((other) => isSame(tagParts(other) ?? [], got.parts))
    return meant ? [] : [{ glob, to: tagValue(got.parts) }]
  })
  const filled = bins.filter((bin) => bin.entries.length > 0)
  return { patterns: filled.map((bin) => patternOf(bin.entries)), widened: wider }
}

function isSame(a: TagParts, b: TagParts): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index])
}
