// The functions of the `key` wheel that change keys: by a glob, or by the ids in each of Salt's lists.
import { isMapping, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { literalGlob } from '../key-glob.ts'
import type { KeyLists, KeyScope, Keys } from '../keys.ts'
import type { KeyState } from '../ports.ts'
import type { BoundArguments, MasterFunction, RunContext } from '../run.ts'
import { listNames, listsWithNames, patternOf } from './key-lists.ts'
import { wheelDoc } from './wheel-doc.ts'

type Lists = Partial<Record<keyof KeyLists, readonly string[]>>

/** What is done with the ids of a list; `scope` says which lists are included. */
type ListChange = (list: keyof KeyLists, ids: readonly string[], scope: KeyScope, who: string) => Promise<unknown>

const states: Readonly<Record<Exclude<keyof KeyLists, 'minions_denied'>, KeyState>> = {
  minions: 'accepted',
  minions_pre: 'pending',
  minions_rejected: 'rejected',
}

/** `key.accept`, `reject`, `delete`, and the same by dict. Acceptance caused by an event is bound to that event's key. */
export function keyChanges(keys: Keys): Record<string, MasterFunction> {
  const byGlob = (
    example: string,
    what: string,
    scopes: readonly string[],
    run: (pattern: string | string[], bound: BoundArguments, context: RunContext) => Promise<Value>,
  ): MasterFunction => ({
    signature: { params: [{ name: 'match' }, ...scopes.map((name) => ({ name, default: false }))] },
    doc: wheelDoc(what, `key.${example}`),
    idempotent: true,
    run: (bound, context) => run(patternOf(bound.named.match ?? ''), bound, context),
  })

  const byDict = (example: string, what: string, scopes: readonly string[], change: ListChange): MasterFunction => ({
    signature: { params: [{ name: 'match' }, ...scopes.map((name) => ({ name, default: false }))] },
    doc: wheelDoc(what, `key.${example}`),
    idempotent: true,
    async run({ named }, { user, boundTo }) {
      const lists = listsOf(named.match ?? null)
      const scope = { ...scopeOf(named), boundTo }
      for (const list of listNames) if (lists[list] !== undefined) await change(list, lists[list], scope, user)
      return standing(lists)
    },
  })

  /** Where the ids of a dict stand now, as Salt tells it: by list, each as often as the dict names it. */
  const standing = async (asked: Lists): Promise<Mapping> => {
    const now = await keys.lists()
    const found: Record<string, string[]> = {}
    for (const ids of Object.values(asked))
      for (const id of [...ids].sort())
        for (const list of listNames) if (now[list].includes(id)) found[list] = [...(found[list] ?? []), id]
    return found
  }

  /** Accepts or rejects those of a list that the scope includes. */
  const moved =
    (to: 'accept' | 'reject'): ListChange =>
    async (list, ids, { includeAccepted, includeRejected, includeDenied, ...scope }, who) => {
      const isIncluded = {
        minions: to === 'reject' && includeAccepted === true,
        minions_pre: true,
        minions_rejected: to === 'accept' && includeRejected === true,
        minions_denied: includeDenied === true,
      }
      if (!isIncluded[list] || ids.length === 0) return
      const only = list === 'minions_denied' ? { from: [], includeDenied: true } : { from: [states[list]] }
      await keys[to](ids.map(literalGlob), { ...scope, ...only }, who)
    }

  return {
    'key.accept': byGlob(
      'accept minion1',
      'Accept keys based on a glob match',
      ['include_rejected', 'include_denied'],
      async (pattern, { named }, { user, boundTo }) => {
        await keys.accept(pattern, { ...scopeOf(named), boundTo }, user)
        return listsWithNames(await keys.matching(pattern))
      },
    ),
    'key.reject': byGlob(
      'reject minion1',
      'Reject keys based on a glob match',
      ['include_accepted', 'include_denied'],
      async (pattern, { named }, { user }) => {
        await keys.reject(pattern, scopeOf(named), user)
        return listsWithNames(await keys.matching(pattern))
      },
    ),
    'key.delete': byGlob('delete minion1', 'Delete keys based on a glob match', [], async (pattern, _, { user }) => {
      await keys.delete(pattern, user)
      return listsWithNames(await keys.matching(pattern))
    }),
    'key.accept_dict': byDict(
      "accept_dict match='{minions_pre: [web1, web2]}'",
      'Accept the keys that stand in the lists where a map names them; no globs',
      ['include_rejected', 'include_denied'],
      moved('accept'),
    ),
    'key.reject_dict': byDict(
      "reject_dict match='{minions_pre: [web1, web2]}'",
      'Reject the keys that stand in the lists where a map names them; no globs',
      ['include_accepted', 'include_denied'],
      moved('reject'),
    ),
    'key.delete_dict': byDict(
      "delete_dict match='{minions: [web1], minions_denied: [web2]}'",
      'Delete keys out of the lists where a map names them; the same id in another list stays',
      [],
      async (list, ids, _, who) => {
        for (const id of ids) await keys.deleteFrom(list, id, who)
      },
    ),
  }
}

function scopeOf(named: BoundArguments['named']): KeyScope {
  return {
    includeAccepted: pythonTruth(named.include_accepted ?? false),
    includeRejected: pythonTruth(named.include_rejected ?? false),
    includeDenied: pythonTruth(named.include_denied ?? false),
  }
}

/** Ids by list; Salt passes over what is no map. */
function listsOf(match: Value): Lists {
  if (!isMapping(match)) return {}
  const lists: Record<string, string[]> = {}
  for (const list of listNames) {
    const ids = match[list] ?? null
    if (ids !== null) lists[list] = (Array.isArray(ids) ? ids : [ids]).map(pythonStr)
  }
  return lists
}
