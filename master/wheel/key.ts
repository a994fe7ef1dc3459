// The `key` wheel: a minion's key, from a reactor, a program or the console.
import { stampOf } from '../../core/event/stamp.ts'
import { isList, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { fingerOf, type KeyLists, type Keys } from '../keys.ts'
import type { BoundArguments, MasterFunction, RunContext } from '../run.ts'
import { wheelDoc } from './wheel-doc.ts'

/** Functions of the `key` wheel. Acceptance caused by an event is bound to that event's key. */
export function keyWheel(keys: Keys): Record<string, MasterFunction> {
  const change = (
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

  const look = (
    example: string,
    what: string,
    params: MasterFunction['signature']['params'],
    run: (bound: BoundArguments) => Promise<Value>,
  ): MasterFunction => ({
    signature: { params },
    doc: wheelDoc(what, `key.${example}`),
    idempotent: true,
    readOnly: true,
    run,
  })

  return {
    'key.accept': change(
      'accept minion1',
      'Accept keys based on a glob match',
      ['include_rejected', 'include_denied'],
      async (pattern, { named }, context) => {
        const scope = {
          includeRejected: pythonTruth(named.include_rejected ?? false),
          includeDenied: pythonTruth(named.include_denied ?? false),
          boundTo: context.boundTo,
        }
        const before = await keys.matching(pattern)
        const moved = new Set(await keys.accept(pattern, scope, context.user))
        const accepted = [...before.minions, ...moved].sort()
        return accepted.length === 0 ? {} : { minions: accepted }
      },
    ),
    'key.reject': change(
      'reject minion1',
      'Reject keys based on a glob match',
      ['include_accepted', 'include_denied'],
      async (pattern, { named }, context) => {
        const scope = { includeAccepted: pythonTruth(named.include_accepted ?? false) }
        await keys.reject(pattern, scope, context.user)
        return listsWithNames(await keys.matching(pattern))
      },
    ),
    'key.delete': change(
      'delete minion1',
      'Delete keys based on a glob match',
      [],
      async (pattern, _bound, context) => {
        await keys.delete(pattern, context.user)
        return {}
      },
    ),
    'key.list': look(
      'list accepted',
      'List all the keys under a named status',
      [{ name: 'match' }],
      async ({ named }) => {
        const status = pythonStr(named.match ?? '')
        const lists = await keys.lists()
        if (status.startsWith('acc')) return { minions: [...lists.minions] }
        if (status.startsWith('pre') || status.startsWith('un')) return { minions_pre: [...lists.minions_pre] }
        if (status.startsWith('den')) return { minions_denied: [...lists.minions_denied] }
        if (status.startsWith('rej')) return { minions_rejected: [...lists.minions_rejected] }
        return status.startsWith('all') ? whole(lists) : {}
      },
    ),
    'key.list_all': look('list_all', 'List all the keys on this master', [], async () => whole(await keys.lists())),
    'key.name_match': look(
      "name_match 'web*'",
      'List all the keys based on a glob match',
      [{ name: 'match' }],
      async ({ named }) => listsWithNames(await keys.matching(patternOf(named.match ?? ''))),
    ),
    'key.key_str': look(
      'key_str minion1',
      'Return information about the key (the public key itself)',
      [{ name: 'match' }],
      async ({ named }) => (await keys.texts(patternOf(named.match ?? ''))) as Value,
    ),
    'key.identity': look(
      "identity 'web*'",
      'Return what was verified about the minions of a glob match, and since when their keys stand as they do',
      [{ name: 'match' }],
      async ({ named }) => {
        const known = await keys.identities(patternOf(named.match ?? ''))
        return Object.fromEntries(
          Object.entries(known).map(([id, { since, identity }]): [string, Mapping] => [
            id,
            { since: stampOf(since), identity: identity ?? null },
          ]),
        )
      },
    ),
    'key.finger': look(
      'finger minion1',
      'Return the matching key fingerprints',
      [{ name: 'match' }, { name: 'hash_type', default: null }],
      async ({ named }) => {
        const texts = await keys.texts(patternOf(named.match ?? ''))
        return Object.fromEntries(
          Object.entries(texts).map(([list, pubs]) => [
            list,
            Object.fromEntries(Object.entries(pubs).map(([id, pub]) => [id, fingerOf(pub)])),
          ]),
        )
      },
    ),
  }
}

function patternOf(match: Value): string | string[] {
  return isList(match) ? match.map(pythonStr) : pythonStr(match)
}

function whole(lists: KeyLists): Mapping {
  return {
    local: ['master.pem', 'master.pub'],
    minions_rejected: [...lists.minions_rejected],
    minions_denied: [...lists.minions_denied],
    minions_pre: [...lists.minions_pre],
    minions: [...lists.minions],
  }
}

/** Only the lists that hold a name, as Salt answers a match. */
function listsWithNames(lists: KeyLists): Mapping {
  return Object.fromEntries(
    Object.entries(lists)
      .filter(([, ids]) => ids.length > 0)
      .map(([list, ids]) => [list, [...ids]]),
  )
}
