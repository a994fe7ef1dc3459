// Matches a tag against a shell pattern exactly as Python 3.11's fnmatch does, in time linear in what is compared.
import { codePoints, type GlobToken, globTokens, takes } from './glob-tokens.ts'
import { piecesMatcher } from './pieces.ts'

/** Whether `pattern` takes the whole `tag`: case-sensitive, `*` and `?` cross `/` and newline, no escapes, no braces. */
export function matchTag(pattern: string, tag: string): boolean {
  return tagGlob(pattern)(tag)
}

const CACHE_SIZE = 2000
const LONGEST_CACHED = 1000
const cache = new Map<string, (tag: string) => boolean>()

/** The matcher of a pattern. Compiled once; the latest 2,000 patterns of ordinary length are remembered. */
export function tagGlob(pattern: string): (tag: string) => boolean {
  const known = cache.get(pattern)
  if (known !== undefined) return known
  if (cache.size >= CACHE_SIZE) {
    for (const oldest of cache.keys()) {
      cache.delete(oldest)
      break
    }
  }
  const matcher = compile(pattern)
  if (pattern.length <= LONGEST_CACHED) cache.set(pattern, matcher)
  return matcher
}

/** Where a tag leaves its pattern, to answer "why did it not fire". */
export interface GlobMismatch {
  /** How many characters of the tag the pattern explains. */
  readonly position: number
  /** The part of the pattern between slashes that found no match, or `''` where the pattern is at its end. */
  readonly expected: string
  /** The part of the tag between slashes that stands there, or `''` where the tag is at its end. */
  readonly seen: string
}

/**
 * Where `tag` stops matching `pattern`: the longest beginning of the pattern that some beginning of the tag satisfies,
 * and what both have next. `undefined` where it matches.
 */
export function explainMismatch(pattern: string, tag: string): GlobMismatch | undefined {
  if (matchTag(pattern, tag)) return undefined
  const tokens = globTokens(pattern)
  const points = codePoints(tag)
  let reached = 0
  let ends: readonly number[] = [0]
  for (const token of tokens) {
    const next = step(token, ends, points)
    if (next.length === 0) break
    ends = next
    reached++
  }
  const position = ends[0] ?? 0
  const patternPoints = codePoints(pattern)
  return {
    position: String.fromCodePoint(...points.slice(0, position)).length,
    expected: partAt(patternPoints, tokens[reached]?.at ?? patternPoints.length),
    seen: partAt(points, position),
  }
}

function compile(pattern: string): (tag: string) => boolean {
  const tokens = globTokens(pattern)
  if (tokens.every((token) => token.kind === 'literal' || token.kind === 'star'))
    return piecesMatcher(pattern.split(/\*+/))
  return (tag) => matchPoints(tokens, codePoints(tag))
}

/** The usual two-pointer walk: after a mismatch only the latest star gives way, which is all that is needed. */
function matchPoints(tokens: readonly GlobToken[], points: readonly number[]): boolean {
  let token = 0
  let point = 0
  let starToken = -1
  let starPoint = 0
  while (point < points.length) {
    const current = tokens[token]
    if (current?.kind === 'star') {
      starToken = token++
      starPoint = point
    } else if (current !== undefined && takes(current, points[point] ?? 0)) {
      token++
      point++
    } else if (starToken >= 0) {
      token = starToken + 1
      point = ++starPoint
    } else {
      return false
    }
  }
  return tokens.slice(token).every((rest) => rest.kind === 'star')
}

/** Where the tokens so far can end, ascending, after one more token. */
function step(token: GlobToken, ends: readonly number[], points: readonly number[]): number[] {
  if (token.kind === 'star') {
    const first = ends[0] ?? 0
    return Array.from({ length: points.length - first + 1 }, (_, offset) => first + offset)
  }
  const next: number[] = []
  for (const end of ends) {
    const point = points[end]
    if (point !== undefined && takes(token, point)) next.push(end + 1)
  }
  return next
}

/** The part between slashes in which `at` lies; at a slash, the slash and the part after it. */
function partAt(points: readonly number[], at: number): string {
  const slash = 0x2f
  if (at >= points.length) return ''
  const from = points.lastIndexOf(slash, Math.max(at - 1, 0)) + 1
  const start = points[at] === slash ? at : from
  const end = points.indexOf(slash, Math.max(at, start + 1))
  return String.fromCodePoint(...points.slice(start, end < 0 ? undefined : end))
}
