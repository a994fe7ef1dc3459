// How the `key` wheel names lists of keys and who is meant in them.
import { isList, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { KeyLists } from '../keys.ts'

/** Salt's lists, in the order in which it tells them. */
export const listNames = ['minions', 'minions_pre', 'minions_rejected', 'minions_denied'] as const

/** Globs: one, several with commas between them, or a list. */
export function patternOf(match: Value): string | string[] {
  return isList(match) ? match.map(pythonStr) : pythonStr(match)
}

/** All lists, and the master's own files. */
export function wholeLists(lists: KeyLists): Mapping {
  return {
    ...Object.fromEntries(listNames.map((list) => [list, [...lists[list]]])),
    local: ['master.pem', 'master.pub'],
  }
}

/** Only the lists that hold a name, as Salt answers a match. */
export function listsWithNames(lists: KeyLists): Mapping {
  return Object.fromEntries(listNames.filter((list) => lists[list].length > 0).map((list) => [list, [...lists[list]]]))
}
