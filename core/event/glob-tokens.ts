// Reads a shell pattern into tokens with the very classes, ranges and quirks of Python 3.11's fnmatch.

/** A run of code points, both ends included. */
export type Range = readonly [number, number]

/** One step of a pattern. `at` is where it begins in the pattern, in code points. */
export type GlobToken =
  | { readonly kind: 'literal'; readonly code: number; readonly at: number }
  | { readonly kind: 'any'; readonly at: number }
  | { readonly kind: 'star'; readonly at: number }
  | { readonly kind: 'never'; readonly at: number }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly Range[]; readonly at: number }

const STAR = 0x2a
const QUESTION = 0x3f
const OPEN = 0x5b
const CLOSE = 0x5d
const BANG = 0x21
const HYPHEN = 0x2d

/** The code points of a text; every comparison is made on them, as in Python. */
export function codePoints(text: string): number[] {
  const points: number[] = []
  for (const char of text) points.push(char.codePointAt(0) ?? 0)
  return points
}

/** The tokens of a pattern; neighbouring stars become one, an unclosed `[` is itself. */
export function globTokens(pattern: string): GlobToken[] {
  const codes = codePoints(pattern)
  const tokens: GlobToken[] = []
  let index = 0
  while (index < codes.length) {
    const at = index
    const code = codes[index++] ?? 0
    if (code === STAR) {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star', at })
    } else if (code === QUESTION) {
      tokens.push({ kind: 'any', at })
    } else if (code === OPEN) {
      const end = closingBracket(codes, index)
      if (end < 0) {
        tokens.push({ kind: 'literal', code, at })
      } else {
        tokens.push(setToken(codes.slice(index, end), at))
        index = end + 1
      }
    } else {
      tokens.push({ kind: 'literal', code, at })
    }
  }
  return tokens
}

/** Whether a token takes this code point; a star is not asked. */
export function takes(token: GlobToken, code: number): boolean {
  switch (token.kind) {
    case 'literal':
      return token.code === code
    case 'any':
      return true
    case 'set':
      return token.ranges.some(([low, high]) => code >= low && code <= high) !== token.negated
    case 'star':
    case 'never':
      return false
  }
}

function closingBracket(codes: readonly number[], from: number): number {
  let index = from
  if (codes[index] === BANG) index++
  if (codes[index] === CLOSE) index++
  return codes.indexOf(CLOSE, index)
}

/**
 * What stands between the brackets. A hyphen makes a range with its neighbours; ranges whose ends are reversed vanish
 * together with their ends. A set left empty takes nothing, a negated one anything; what vanished may uncover a `!`.
 */
function setToken(inner: readonly number[], at: number): GlobToken {
  const chunks = inner.includes(HYPHEN) ? rangeChunks(inner) : [inner.slice()]
  const negated = chunks[0]?.[0] === BANG
  if (negated) chunks[0] = (chunks[0] ?? []).slice(1)
  if (chunks.length === 1 && chunks[0]?.length === 0) return { kind: negated ? 'any' : 'never', at }
  return { kind: 'set', negated, ranges: rangesOf(chunks), at }
}

function rangeChunks(inner: readonly number[]): number[][] {
  const chunks: number[][] = []
  let start = 0
  let search = inner[0] === BANG ? 2 : 1
  for (;;) {
    const hyphen = inner.indexOf(HYPHEN, search)
    if (hyphen < 0) break
    chunks.push(inner.slice(start, hyphen))
    start = hyphen + 1
    search = hyphen + 3
  }
  const rest = inner.slice(start)
  const last = chunks.at(-1)
  if (rest.length > 0 || last === undefined) chunks.push(rest)
  else last.push(HYPHEN)
  for (let index = chunks.length - 1; index > 0; index--) {
    const left = chunks[index - 1] ?? []
    const right = chunks[index] ?? []
    if ((left.at(-1) ?? 0) > (right[0] ?? 0)) chunks.splice(index - 1, 2, [...left.slice(0, -1), ...right.slice(1)])
  }
  return chunks
}

/** The last of a chunk and the first of the next are the two ends of a range; everything else stands for itself. */
function rangesOf(chunks: readonly (readonly number[])[]): Range[] {
  const ranges: Range[] = []
  for (const [index, chunk] of chunks.entries()) {
    const next = chunks[index + 1]
    for (const [place, code] of chunk.entries()) {
      if (next !== undefined && place === chunk.length - 1) ranges.push([code, next[0] ?? code])
      else if (index === 0 || place > 0) ranges.push([code, code])
    }
  }
  return ranges
}
