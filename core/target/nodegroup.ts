// Expands nodegroups into the words of a compound target.
import { pythonStr, type Value } from '../value/index.ts'
import type { Nodegroups } from './target.ts'

/** The words that join or group the terms of a compound target; lower case, each a word of its own. */
export const OPERATORS: readonly string[] = ['and', 'or', 'not', '(', ')']

/**
 * The words a nodegroup stands for, as Salt's `nodegroup_comp`: nested groups come in parentheses, a group that names
 * no other group as it is written. A loop or an unknown group contributes nothing, which leaves a hole in the
 * expression around it, and that makes the expression match nobody. Words without operators, globs or types are a list
 * of ids, or an expression if one has a bracket, a backslash or `?`.
 */
export function expandNodegroup(name: string, nodegroups: Nodegroups): readonly string[] {
  return expand(name, nodegroups, new Set(), true)
}

function expand(name: string, nodegroups: Nodegroups, open: ReadonlySet<string>, outermost: boolean): string[] {
  const words = wordsOf(Object.hasOwn(nodegroups, name) ? nodegroups[name] : undefined)
  if (words === undefined || open.has(name)) return []
  const inside = new Set(open).add(name)
  const expanded: string[] = []
  let nested = false
  for (const word of words) {
    if (!OPERATORS.includes(word) && word.length >= 3 && word.startsWith('N@')) {
      nested = true
      expanded.push(...expand(word.slice(2), nodegroups, inside, false))
    } else expanded.push(word)
  }
  const joined = nested && outermost ? undefined : joinedIds(words)
  if (joined !== undefined) return [joined]
  if (!nested && outermost) return [...words]
  return expanded.length === 0 ? [] : ['(', ...expanded, ')']
}

function wordsOf(group: Value | readonly string[] | undefined): readonly string[] | undefined {
  if (typeof group === 'string') return group.split(/\s+/).filter((word) => word !== '')
  return Array.isArray(group) ? group.map((word) => pythonStr(word)) : undefined
}

function joinedIds(words: readonly string[]): string | undefined {
  if (words.some((word) => OPERATORS.includes(word) || word.includes('*') || /^[A-Z]@/.test(word))) return undefined
  const type = words.some((word) => /[([{\\?}\])]/.test(word)) ? 'E' : 'L'
  return `${type}@${words.join(',')}`
}

/** A target as a job carries it: its nodegroups resolved, or the name of one that there is not. */
export type ResolvedTarget =
  | { readonly kind: 'resolved'; readonly tgt: Value; readonly tgtType: string }
  | { readonly kind: 'unknown'; readonly name: string }

/**
 * A nodegroup as the compound target it stands for, and a compound target with the nodegroups it names expanded, its
 * words joined by one blank each: what Salt publishes, so that minions need not know the groups. Others stay as they are.
 */
export function withoutNodegroups(tgt: Value, tgtType: string, nodegroups: Nodegroups): ResolvedTarget {
  if (tgtType !== 'nodegroup' && tgtType !== 'compound') return { kind: 'resolved', tgt, tgtType }
  const text = pythonStr(tgt)
  const words = tgtType === 'nodegroup' ? [`N@${text}`] : Array.isArray(tgt) ? tgt.map(pythonStr) : text.split(/\s+/)
  const resolved: string[] = []
  for (const word of words) {
    if (word === '') continue
    if (!word.startsWith('N@') || word.length < 3) resolved.push(word)
    else if (!Object.hasOwn(nodegroups, word.slice(2))) return { kind: 'unknown', name: word.slice(2) }
    else resolved.push(...expandNodegroup(word.slice(2), nodegroups))
  }
  return { kind: 'resolved', tgt: resolved.join(' '), tgtType: 'compound' }
}
