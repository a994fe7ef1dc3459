// The route of `brine-key`: keys listed and decided on, without a run and its events.

import type * as z from 'zod/mini'
import { KeyRequestSchema } from '../../core/protocol/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import { fingerOf, type KeyLists } from '../keys.ts'
import type { Master } from '../master.ts'
import type { Ports } from '../ports.ts'
import { answer } from './answer.ts'
import { bodyRoute } from './body-route.ts'
import type { Route } from './route.ts'

/** `/v1/keys`. Whoever may use it decides on keys: it is for the local principal alone. */
export function keyRoutes(master: Pick<Master, 'keys'>, ports: Ports): readonly Route[] {
  return [
    bodyRoute(ports.clock, {
      path: '/v1/keys',
      who: ['local'],
      maxBody: 16 * 1024 * 1024,
      about: 'lists, accepts, rejects and deletes minion keys',
      body: KeyRequestSchema,
      async handle(request, { principal }) {
        const who = principal.kind === 'local' ? principal.user : 'anonymous'
        return answer(await decide(master, ports, request, who))
      },
    }),
  ]
}

async function decide(
  master: Pick<Master, 'keys'>,
  ports: Ports,
  request: z.output<typeof KeyRequestSchema>,
  who: string,
): Promise<Mapping> {
  const { keys } = master
  const { act, match } = request
  const scope = {
    includeAccepted: request.include_accepted,
    includeRejected: request.include_rejected,
    includeDenied: request.include_denied,
  }
  switch (act) {
    case 'list':
      return lists(await keys.lists())
    case 'match':
      return lists(await keys.matching(match))
    case 'accept':
      return { changed: [...(await keys.accept(match, scope, who))] }
    case 'reject':
      return { changed: [...(await keys.reject(match, scope, who))] }
    case 'delete':
      return { changed: [...(await keys.delete(match, who, { preserve: request.preserve }))] }
    case 'admit':
      return { admitted: { ...(await keys.admit(request.keys, who)) } }
    case 'texts':
      return { texts: await keys.texts(match), local: { 'master.pub': await ports.signer.publicKey() } }
    case 'fingers': {
      const texts = await keys.texts(match)
      const fingers = Object.entries(texts).map(([list, pubs]): [string, Mapping] => [
        list,
        Object.fromEntries(Object.entries(pubs).map(([id, pub]) => [id, fingerOf(pub)])),
      ])
      return { texts: Object.fromEntries(fingers), local: { 'master.pub': fingerOf(await ports.signer.publicKey()) } }
    }
  }
}

function lists(found: KeyLists): Mapping {
  return {
    lists: {
      minions: [...found.minions],
      minions_pre: [...found.minions_pre],
      minions_rejected: [...found.minions_rejected],
      minions_denied: [...found.minions_denied],
    },
  }
}
