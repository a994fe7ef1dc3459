// Matches grains or pillar against `key:key:pattern`, as Salt's subdict_match does: any split may be the right one.
import { BrineError } from '../error.ts'
import { tagGlob } from '../event/tag-glob.ts'
import { type Dict, entries, has, isList, isMap, type Mapping, pythonStr, size, type Value } from '../value/index.ts'
import { lookup } from './lookup.ts'
import { pythonRegex } from './python-regex.ts'
import { DELIMITER } from './target.ts'

/** How the last part of the expression is compared with a value; both are lower-cased first. */
export type Comparison = 'glob' | 'pcre' | 'exact'

type Compare = (value: Value, pattern: string) => boolean

/** A test of data against an expression. Compiled once; without the delimiter in it the expression matches nothing. */
export function subdict(expression: string, delimiter: string, comparison: Comparison): (data: Value) => boolean {
  const compare = COMPARISONS[comparison]
  return (data) => matchSubdict(data, expression, delimiter, compare)
}

/** The longest path is tried first: `a:b:c` is the value `c` at `a:b`, then `b:c` at `a`. */
function matchSubdict(data: Value, expression: string, delimiter: string, compare: Compare): boolean {
  const parts = expression.split(delimiter)
  for (let count = parts.length - 1; count > 0; count--) {
    const keys = parts.slice(0, count)
    const everything = count === 1 && keys[0] === '*'
    const pattern = everything ? expression : parts.slice(count).join(delimiter)
    const found = everything ? data : lookup(data, keys)
    if (found !== undefined && matchFound(found, pattern, compare)) return true
  }
  return false
}

function matchFound(found: Value, pattern: string, compare: Compare): boolean {
  if (isMap(found)) return size(found) > 0 && matchMap(found, pattern, compare)
  if (!isList(found)) return compare(found, pattern)
  return found.some((item) => (isMap(item) && matchMap(item, pattern, compare)) || compare(item, pattern))
}

/** In a map the pattern may be a key, match a key, be an expression of its own, or with `*:` match any value. */
function matchMap(map: Mapping | Dict, expression: string, compare: Compare): boolean {
  const wildcard = expression.startsWith('*:')
  const pattern = wildcard ? expression.slice(2) : expression
  if (pattern === '*' || has(map, pattern)) return true
  const pairs = entries(map)
  if (pairs.some(([key]) => compare(key, pattern))) return true
  if (matchSubdict(map, pattern, DELIMITER, compare)) return true
  return wildcard && pairs.some(([, value]) => matchAny(value, pattern, compare))
}

function matchAny(value: Value, pattern: string, compare: Compare): boolean {
  if (isMap(value)) return matchMap(value, pattern, compare)
  if (isList(value)) return value.some((item) => compare(item, pattern))
  return compare(value, pattern)
}

const COMPARISONS: Readonly<Record<Comparison, Compare>> = {
  glob: (value, pattern) => tagGlob(pattern.toLowerCase())(textOf(value)),
  exact: (value, pattern) => textOf(value) === pattern.toLowerCase(),
  pcre: (value, pattern) => regexOf(pattern.toLowerCase())?.test(textOf(value)) ?? false,
}

function textOf(value: Value): string {
  return (typeof value === 'string' ? value : pythonStr(value)).toLowerCase()
}

const CACHE_SIZE = 500
const LONGEST_CACHED = 1000
const regexes = new Map<string, RegExp | undefined>()

/** An expression Python refuses matches nothing here, as in Salt, which logs it. */
function regexOf(pattern: string): RegExp | undefined {
  if (regexes.has(pattern)) return regexes.get(pattern)
  if (regexes.size >= CACHE_SIZE) regexes.clear()
  const regex = compiled(pattern)
  if (pattern.length <= LONGEST_CACHED) regexes.set(pattern, regex)
  return regex
}

function compiled(pattern: string): RegExp | undefined {
  try {
    return pythonRegex(pattern)
  } catch (error) {
    if (error instanceof BrineError && error.code === 'regex') return undefined
    throw error
  }
}
