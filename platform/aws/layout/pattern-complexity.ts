// How complex EventBridge finds the wildcards of one rule: "Rule is too complex" beyond a number it does not publish.
import type { TagParts } from './tag-match.ts'

/**
 * The most that a rule may have. EventBridge's matcher (aws/event-ruler, open source) counts the beginnings of wildcard
 * patterns that one text can match at the same time; rules of more than ten such beginnings were seen refused, and four
 * patterns like `x/*.bif` with a leading star. What is counted here is never less than that, and stays two below.
 */
export const complexityLimit = 8

const MOST_SETS = 4000

/**
 * The most beginnings of one pattern that a text can match at once; Infinity where that takes too long to know. Exact:
 * it walks all sets of places in the pattern that some text can reach.
 */
export function patternComplexity(parts: TagParts): number {
  const tokens = parts.flatMap((part, index): Token[] => (index === 0 ? [...part] : [STAR, ...part]))
  const alphabet: (string | typeof OTHER)[] = [...new Set(tokens.filter((token) => typeof token === 'string')), OTHER]
  const seen = new Set<string>()
  const open: number[][] = [reachable([0], tokens)]
  let most = 1
  for (let places = open.pop(); places !== undefined; places = open.pop()) {
    for (const char of alphabet) {
      const next = reachable(
        places.flatMap((place) => step(tokens, place, char)),
        tokens,
      )
      const key = next.join()
      if (next.length === 0 || seen.has(key)) continue
      if (seen.size >= MOST_SETS) return Number.POSITIVE_INFINITY
      seen.add(key)
      most = Math.max(most, next.length)
      open.push(next)
    }
  }
  return most
}

const STAR = Symbol('*')
const OTHER = Symbol('any other character')
type Token = string | typeof STAR

/** Where a character leads from a place between tokens: behind a star it may stay, before its literal it goes on. */
function step(tokens: readonly Token[], place: number, char: string | typeof OTHER): number[] {
  const next = tokens[place] === char ? [place + 1] : []
  return tokens[place - 1] === STAR ? [place, ...next] : next
}

/** The places, and those behind stars that match nothing; in order, each once. */
function reachable(places: readonly number[], tokens: readonly Token[]): number[] {
  const all = new Set(places)
  for (const place of places) if (tokens[place] === STAR) all.add(place + 1)
  return [...all].sort((a, b) => a - b)
}

/** One wildcard of a rule. */
export interface Weighed {
  readonly prefix: string
  readonly complexity: number
}

/**
 * An upper bound for a rule of several wildcards. A text that has left the literal beginnings of some is still within
 * those of others: where it stands, each of the former counts with its own complexity, each of the latter once.
 */
export function ruleComplexity(wildcards: readonly Weighed[]): number {
  let most = wildcards.length
  for (const { prefix } of wildcards) {
    let here = 0
    for (const other of wildcards) {
      if (prefix.startsWith(other.prefix)) here += other.complexity
      else if (other.prefix.startsWith(prefix)) here += 1
    }
    most = Math.max(most, here)
  }
  return most
}
