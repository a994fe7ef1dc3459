// The life of a minion's key: accept, reject, delete, list.
import { createHash, createPublicKey } from 'node:crypto'
import { BrineError } from '../core/error.ts'
import type { MinionId } from '../core/event/event.ts'
import { matchTag } from '../core/event/tag-glob.ts'
import type { Mapping } from '../core/value/index.ts'
import type { Draft, Fire } from './fire.ts'
import type { Audit, Clock, KeyRecord, KeyRing, KeyState, Mailbox, MinionStore } from './ports.ts'

/** The four lists of `brine-key -L`, under the names that Salt's directories gave them. */
export interface KeyLists {
  readonly minions: readonly MinionId[]
  readonly minions_pre: readonly MinionId[]
  readonly minions_denied: readonly MinionId[]
  readonly minions_rejected: readonly MinionId[]
}

/** What a change may touch beside the state it is meant for. */
export interface KeyScope {
  readonly includeAccepted?: boolean
  readonly includeRejected?: boolean
  readonly includeDenied?: boolean
  /** Only keys that stand so are touched, whatever else is included. */
  readonly from?: readonly KeyState[]
  /** `id@epoch` of the causing event's key: an acceptance of that id is bound to it. */
  readonly boundTo?: string | undefined
}

/**
 * What became of a key: `accepted` now; `known`, since it was accepted before; `rejected` before, which stands; `other`, the
 * id has another key; `unusable`, it is no Ed25519 key and no RSA key of at least 2048 bits.
 */
export type Admission = 'accepted' | 'known' | 'rejected' | 'other' | 'unusable'

/** Key management. Patterns are globs over ids, one or several with commas; each change fires `salt/key` and is audited. */
export interface Keys {
  lists(): Promise<KeyLists>
  matching(pattern: string | readonly string[]): Promise<KeyLists>
  accept(pattern: string | readonly string[], scope: KeyScope, who: string): Promise<readonly MinionId[]>
  reject(pattern: string | readonly string[], scope: KeyScope, who: string): Promise<readonly MinionId[]>
  /** Takes away what stands in one of the four lists under an id, and nothing else of it. False where there is nothing. */
  deleteFrom(list: keyof KeyLists, id: MinionId, who: string): Promise<boolean>
  /** Accepts a key nobody asked for yet. A name that has one keeps it, unless it is forced; false then. */
  preseed(id: MinionId, pub: string, force: boolean, who: string): Promise<boolean>
  /** @param options `preserve` keeps what is known of the minion: its grains, when it was last seen. */
  delete(
    pattern: string | readonly string[],
    who: string,
    options?: { readonly preserve?: boolean },
  ): Promise<readonly MinionId[]>
  /** Accepts public keys (PEM) that nobody asked with yet. An id that has another key, or was rejected, keeps what it has. */
  admit(keys: Readonly<Record<MinionId, string>>, who: string): Promise<Readonly<Record<MinionId, Admission>>>
  /** Public keys of the matching ids, by list. */
  texts(pattern: string | readonly string[]): Promise<Record<string, Record<MinionId, string>>>
  /** What was verified about the matching ids when they came, and since when their keys stand as they do, microseconds. */
  identities(
    pattern: string | readonly string[],
  ): Promise<Record<MinionId, { readonly since: number; readonly identity?: Mapping }>>
}

interface KeyPorts {
  readonly keys: KeyRing
  readonly minions: MinionStore
  readonly mailbox: Mailbox
  readonly audit: Audit
  readonly clock: Clock
}

/** A hash over the text of a PEM without its first and last line: Salt's `pem_finger`, colon-separated hex. */
export function fingerOf(pem: string, hash = 'sha256'): string {
  const body = pem.trim().split('\n').slice(1, -1).join('\n')
  return createHash(hash).update(`${body}\n`).digest('hex').match(/../g)?.join(':') ?? ''
}

/** Joins the ports to {@link Keys}. */
export function createKeys(ports: KeyPorts, fire: Fire): Keys {
  const records = async (pattern: string | readonly string[]): Promise<KeyRecord[]> => {
    const patterns = typeof pattern === 'string' ? pattern.split(',') : pattern
    const all = await ports.keys.list()
    return all.filter(({ id }) => patterns.some((one) => matchTag(one, id))).sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Moves keys to a state; a key that changed meanwhile is read again. */
  const move = async (
    found: readonly KeyRecord[],
    from: ReadonlySet<KeyState>,
    to: Exclude<KeyState, 'pending'>,
    scope: KeyScope,
    who: string,
  ): Promise<MinionId[]> => {
    const moved: MinionId[] = []
    for (const { id } of found) {
      const record = await change(ports.keys, id, (now) => {
        const denied = to === 'accepted' && scope.includeDenied === true ? now.denied.at(-1) : undefined
        if (denied !== undefined) {
          return {
            ...now,
            epoch: now.epoch + 1,
            current: { state: to, pub: denied.pub, since: ports.clock.now() },
            denied: now.denied.slice(0, -1),
          }
        }
        if (to === 'rejected' && scope.includeDenied === true && now.denied.length > 0)
          return withoutDenied(now, from, ports.clock.now())
        if (now.current === undefined || now.current.state === to || !from.has(now.current.state)) return undefined
        if (!isBound(now, scope.boundTo)) return undefined
        const epoch = to === 'accepted' ? now.epoch + 1 : now.epoch
        return { ...now, epoch, current: { ...now.current, state: to, since: ports.clock.now() } }
      })
      if (record === undefined) continue
      moved.push(id)
      await announce(ports, fire, id, to === 'accepted' ? 'accept' : 'reject', who)
    }
    return moved
  }

  /** Accepts a key nobody asked with, unless what stands under the id says otherwise. */
  const seat = async (
    id: MinionId,
    pub: string,
    who: string,
    judge: (current: NonNullable<KeyRecord['current']>) => Admission,
  ): Promise<Admission> => {
    let found: Admission = 'accepted'
    const changed = await change(ports.keys, id, (now) => {
      found = now.current === undefined ? 'accepted' : judge(now.current)
      if (found !== 'accepted') return undefined
      // What was verified of another key says nothing of this one.
      const kept = now.current !== undefined && fingerOf(now.current.pub) === fingerOf(pub) ? now.current : {}
      return {
        ...now,
        epoch: now.epoch + 1,
        current: { ...kept, state: 'accepted', pub, since: ports.clock.now() },
        denied: now.denied.filter((denied) => fingerOf(denied.pub) !== fingerOf(pub)),
      }
    })
    if (changed !== undefined) await announce(ports, fire, id, 'accept', who)
    return found
  }

  return {
    async lists() {
      return listsOf(await ports.keys.list())
    },
    async matching(pattern) {
      return listsOf(await records(pattern))
    },
    async accept(pattern, scope, who) {
      const more = scope.includeRejected === true ? (['rejected'] as const) : []
      const from = new Set<KeyState>(scope.from ?? ['pending', ...more])
      return move(await records(pattern), from, 'accepted', scope, who)
    },
    async reject(pattern, scope, who) {
      const more = scope.includeAccepted === true ? (['accepted'] as const) : []
      const from = new Set<KeyState>(scope.from ?? ['pending', ...more])
      const found = await records(pattern)
      const rejected = await move(found, from, 'rejected', scope, who)
      // Where only a denied key was rejected, the accepted one and its jobs stay.
      for (const id of rejected)
        if ((await ports.keys.get(id))?.current?.state === 'rejected') await ports.mailbox.drop(id)
      return rejected
    },
    async delete(pattern, who, { preserve = false } = {}) {
      const deleted: MinionId[] = []
      for (const { id } of await records(pattern)) {
        const gone = await change(ports.keys, id, (now) =>
          now.current === undefined && now.denied.length === 0 ? undefined : { id, epoch: now.epoch + 1, denied: [] },
        )
        if (gone === undefined) continue
        deleted.push(id)
        await Promise.all([ports.mailbox.drop(id), ...(preserve ? [] : [ports.minions.remove(id)])])
        await announce(ports, fire, id, 'delete', who)
      }
      return deleted
    },
    async deleteFrom(list, id, who) {
      let wasStanding = false
      const gone = await change(ports.keys, id, (now) => {
        if (list === 'minions_denied') return now.denied.length === 0 ? undefined : { ...now, denied: [] }
        if (now.current === undefined || listNames[now.current.state] !== list) return undefined
        wasStanding = true
        const { current: _, ...rest } = now
        return { ...rest, epoch: now.epoch + 1 }
      })
      if (gone === undefined) return false
      if (wasStanding) await Promise.all([ports.mailbox.drop(id), ports.minions.remove(id)])
      await announce(ports, fire, id, 'delete', who)
      return true
    },
    async preseed(id, pub, force, who) {
      return (await seat(id, pub, who, () => (force ? 'accepted' : 'other'))) === 'accepted'
    },
    async admit(pubs, who) {
      const admitted: Record<MinionId, Admission> = {}
      for (const [id, pem] of Object.entries(pubs)) {
        const pub = usableKey(pem)
        admitted[id] = pub === undefined ? 'unusable' : await seat(id, pub, who, (current) => standing(current, pub))
      }
      return admitted
    },
    async texts(pattern) {
      const texts: Record<string, Record<MinionId, string>> = {}
      const put = (list: string, id: MinionId, pub: string): void => {
        texts[list] = { ...texts[list], [id]: pub }
      }
      for (const record of await records(pattern)) {
        if (record.current !== undefined) put(listNames[record.current.state], record.id, record.current.pub)
        const denied = record.denied.at(-1)
        if (denied !== undefined) put('minions_denied', record.id, denied.pub)
      }
      return texts
    },
    async identities(pattern) {
      return Object.fromEntries(
        (await records(pattern)).flatMap(({ id, current }) =>
          current === undefined
            ? []
            : [[id, { since: current.since, ...(current.identity && { identity: current.identity }) }] as const],
        ),
      )
    },
  }
}

/** The newest of the denied keys rejected: it takes the place that is free, or is forgotten. */
function withoutDenied(
  now: Omit<KeyRecord, 'revision'>,
  from: ReadonlySet<KeyState>,
  since: number,
): Omit<KeyRecord, 'revision'> {
  const pub = now.denied.at(-1)?.pub ?? ''
  const denied = now.denied.slice(0, -1)
  const { current = { state: 'rejected' as const, pub, since } } = now
  return { ...now, denied, current: from.has(current.state) ? { ...current, state: 'rejected', since } : current }
}

/** What an id's key says to the wish that this one be accepted. */
function standing(current: NonNullable<KeyRecord['current']>, pub: string): Admission {
  if (fingerOf(current.pub) !== fingerOf(pub)) return 'other'
  if (current.state === 'accepted') return 'known'
  return current.state === 'rejected' ? 'rejected' : 'accepted'
}

/** A public key as minions send it, SPKI without a line end; undefined for what no minion could prove. */
function usableKey(pem: string): string | undefined {
  try {
    const key = createPublicKey(pem)
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
    const usable = type === 'ed25519' || (type === 'rsa' && (details?.modulusLength ?? 0) >= 2048)
    return usable ? key.export({ type: 'spki', format: 'pem' }).toString().trim() : undefined
  } catch {
    return undefined
  }
}

const listNames = { pending: 'minions_pre', accepted: 'minions', rejected: 'minions_rejected' } as const

function listsOf(records: readonly KeyRecord[]): KeyLists {
  const ids = (state: KeyState): MinionId[] =>
    records
      .filter((record) => record.current?.state === state)
      .map((record) => record.id)
      .sort()
  return {
    minions: ids('accepted'),
    minions_pre: ids('pending'),
    minions_denied: records
      .filter((record) => record.denied.length > 0)
      .map((record) => record.id)
      .sort(),
    minions_rejected: ids('rejected'),
  }
}

/** A cause that speaks of another id leaves this one alone; of this id, only the very key it spoke of is meant. */
function isBound(record: Omit<KeyRecord, 'revision'>, boundTo: string | undefined): boolean {
  if (boundTo === undefined || boundTo.slice(0, boundTo.lastIndexOf('@')) !== record.id) return true
  return boundTo === `${record.id}@${record.epoch}`
}

async function announce(
  ports: KeyPorts,
  fire: Fire,
  id: MinionId,
  act: 'accept' | 'reject' | 'delete',
  who: string,
): Promise<void> {
  const draft: Draft = { tag: 'salt/key', data: { result: true, act, id } }
  await Promise.all([
    fire(draft),
    ports.audit.record({ at: ports.clock.now(), who, what: `key ${act}`, detail: { id } }),
  ])
}

const tries = 20

/** Changes a record over the revision that was read, reading again when somebody was faster. Undefined where nothing changes. */
export async function change(
  ring: KeyRing,
  id: MinionId,
  next: (now: Omit<KeyRecord, 'revision'>) => Omit<KeyRecord, 'revision'> | undefined,
): Promise<Omit<KeyRecord, 'revision'> | undefined> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const now = await ring.get(id)
    const changed = next(now ?? { id, epoch: 0, denied: [] })
    if (changed === undefined) return undefined
    if (await ring.update(changed, now?.revision)) return changed
  }
  throw new BrineError(`The key of minion ${id} changed ${tries} times while it was being written. Try again.`, {
    code: 'busy',
  })
}
