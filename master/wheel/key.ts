// The `key` wheel: minions' keys and the master's own, from a reactor, a program or the console.
import { getHashes } from 'node:crypto'
import { stampOf } from '../../core/event/stamp.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { fingerOf, type Keys } from '../keys.ts'
import type { Signer } from '../ports.ts'
import { type BoundArguments, type MasterFunction, RunError } from '../run.ts'
import { keyChanges } from './key-changes.ts'
import { listNames, listsWithNames, patternOf, wholeLists } from './key-lists.ts'
import { keyPairs } from './key-pairs.ts'
import { wheelDoc } from './wheel-doc.ts'

/** Functions of the `key` wheel. */
export function keyWheel(keys: Keys, signer: Pick<Signer, 'publicKey'>): Record<string, MasterFunction> {
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
  const hash = { name: 'hash_type', default: null }
  const match = { name: 'match' }
  const texts = (example: string): MasterFunction =>
    look(example, 'Return information about the key (the public key itself)', [match], async ({ named }) =>
      inOrder(await keys.texts(patternOf(named.match ?? '')), (pub) => pub),
    )

  return {
    ...keyChanges(keys),
    ...keyPairs(keys),
    'key.list': look('list accepted', 'List all the keys under a named status', [match], async ({ named }) => {
      const status = pythonStr(named.match ?? '')
      const lists = await keys.lists()
      if (status.startsWith('all')) return wholeLists(lists)
      const [, list] = statuses.find(([beginning]) => status.startsWith(beginning)) ?? []
      return list === undefined ? {} : { [list]: [...lists[list]] }
    }),
    'key.list_all': look('list_all', 'List all the keys on this master', [], async () =>
      wholeLists(await keys.lists()),
    ),
    'key.name_match': look("name_match 'web*'", 'List all the keys based on a glob match', [match], async ({ named }) =>
      listsWithNames(await keys.matching(patternOf(named.match ?? ''))),
    ),
    'key.print': texts('print minion1'),
    'key.key_str': texts('key_str minion1'),
    'key.master_key_str': look('master_key_str', "Return the master's public key", [], async () => ({
      local: { 'master.pub': await signer.publicKey() },
    })),
    'key.identity': look(
      "identity 'web*'",
      'Return what was verified about the minions of a glob match, and since when their keys stand as they do',
      [match],
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
      'Return the matching key fingerprints; those of the files that key.list_all calls local too',
      [match, hash],
      async ({ named }) => {
        const pattern = patternOf(named.match ?? '')
        const kind = hashOf(named.hash_type)
        const own = typeof pattern === 'string' ? pattern.split(',') : pattern
        const local = own.some((glob) => matchTag(glob, 'master.pub'))
          ? { local: { 'master.pub': fingerOf(await signer.publicKey(), kind) } }
          : {}
        return { ...inOrder(await keys.texts(pattern), (pub) => fingerOf(pub, kind)), ...local }
      },
    ),
    'key.finger_master': look(
      'finger_master',
      "Return the fingerprint of the master's public key",
      [hash],
      async ({ named }) => ({
        local: { 'master.pub': fingerOf(await signer.publicKey(), hashOf(named.hash_type)) },
      }),
    ),
  }
}

/** What the name of a status begins with, as `key.list` takes it. */
const statuses = [
  ['acc', 'minions'],
  ['pre', 'minions_pre'],
  ['un', 'minions_pre'],
  ['rej', 'minions_rejected'],
  ['den', 'minions_denied'],
] as const

/** Something of each public key, in the lists' order. */
function inOrder(
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>,
  of: (pub: string) => string,
): Mapping {
  return Object.fromEntries(
    listNames.flatMap((list) => {
      const pubs = texts[list]
      if (pubs === undefined) return []
      return [[list, Object.fromEntries(Object.entries(pubs).map(([id, pub]) => [id, of(pub)]))]]
    }),
  )
}

function hashOf(value: Value | undefined): string {
  const name = value === null || value === undefined ? 'sha256' : pythonStr(value)
  if (getHashes().includes(name)) return name
  throw new RunError(`There is no hash ${name}. sha256 is what minions show; md5 and sha512 are known too.`)
}
