// Who speaks to the master, and which tags each may fire.
import type { MinionId, Tag } from '../core/event/event.ts'
import type { Person } from './acl/index.ts'

/** Whoever a request comes from, as the transport or a token proves it; never as a body claims it. */
export type Principal =
  /** Whoever can open the master's own socket: all rights. */
  | { readonly kind: 'local'; readonly user: string }
  | { readonly kind: 'minion'; readonly id: MinionId; readonly epoch: number }
  /** Somebody who logged in, by a token that can end, or by a ticket that was good once; rights are looked up for each use. */
  | { readonly kind: 'user'; readonly person: Person; readonly by: 'token'; readonly token: string }
  | { readonly kind: 'user'; readonly person: Person; readonly by: 'ticket' }
  | { readonly kind: 'anonymous' }

/** Why a principal may not fire a tag; undefined where it may. */
export function firingRefusal(principal: Principal, tag: Tag): string | undefined {
  switch (principal.kind) {
    case 'local':
      return undefined
    case 'anonymous':
      return 'a token is needed to fire events'
    case 'user':
      return 'users fire events with the runner event.send'
    case 'minion':
      return minionMayFire(principal.id, tag)
        ? undefined
        : `minion ${principal.id} may not fire the tag ${tag}: it belongs to the master or to another minion`
  }
}

/**
 * A minion fires its own start, its own `salt/minion/<id>/…` and `salt/beacon/<id>/…`, what concerns it of a job, and
 * custom tags; never what the master fires, and never what names another minion. Allow-listed by prefix: everything below
 * `salt/`, `brine/` and the master's bare tags is closed unless it stands here (USERS.md, CVE-2025-22239).
 */
function minionMayFire(id: MinionId, tag: Tag): boolean {
  if (tag === 'minion_start') return true
  if (/^(salt|brine|minion|syndic|_salt)(\/|$)/.test(tag)) {
    if (tag.startsWith(`salt/minion/${id}/`) || tag.startsWith(`salt/beacon/${id}/`)) return true
    if (tag.startsWith('brine/minion/')) return tag === `brine/minion/${id}` || tag.startsWith(`brine/minion/${id}/`)
    const job = /^salt\/(?:job|state_result)\/[^/]+\/(?:prog\/)?/.exec(tag)
    if (job === null || !/^salt\/(job\/[^/]+\/prog|state_result\/[^/]+)\//.test(tag)) return false
    const rest = tag.slice(job[0].length)
    return rest === id || rest.startsWith(`${id}/`)
  }
  // Bare jids, `key` and salt's other one-word tags are the master's.
  return !/^\d{20}/.test(tag) && tag !== 'key' && tag !== 'salt' && !tag.startsWith('fileserver')
}
