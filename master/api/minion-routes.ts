// The routes minions use: prove the key, refresh, send events and returns, fetch jobs.
import {
  EventBatchSchema,
  MineRequestSchema,
  PushSchema,
  RefreshSchema,
  ReturnBatchSchema,
  TokenRequestSchema,
} from '../../core/protocol/index.ts'
import { isMapping, type Value } from '../../core/value/index.ts'
import { fingerOf } from '../keys.ts'
import type { Master } from '../master.ts'
import type { FetchedEntry, Jid, Ports } from '../ports.ts'
import type { Principal } from '../principal.ts'
import { answer, refuse } from './answer.ts'
import { bodyRoute } from './body-route.ts'
import type { Route, RouteContext } from './route.ts'

/** The longest a minion's `wait` is honoured, seconds. */
const longestWait = 25
/** Characters of a journal's name. */
const longestJournal = 64
/** Jobs in one answer, and characters of theirs from which on none is added: a Lambda's answer may hold 6 MB. */
const mostJobs = 200
const mostJobCharacters = 3 * 1024 * 1024
const kib = 1024

/** Where minions send what; paths on the bootstrap URL, or URLs elsewhere. */
export interface Endpoints {
  readonly events: string
  readonly jobs: string
  readonly returns: string
  readonly refresh: string
  readonly socket?: string
  readonly files?: string
  readonly mine?: string
  readonly push?: string
}

/** The endpoints of a master that serves everything at one origin. */
export const sameOrigin: Endpoints = {
  events: '/minion/events',
  jobs: '/minion/jobs',
  returns: '/minion/returns',
  refresh: '/minion/refresh',
  socket: '/minion/socket',
  files: '/minion/files',
  mine: '/minion/mine',
  push: '/minion/push',
}

interface Needs {
  readonly master: Pick<
    Master,
    'options' | 'authenticate' | 'collect' | 'pillar' | 'mines' | 'stateOptions' | 'receiveFile'
  >
  readonly ports: Ports
  readonly endpoints: Endpoints
}

/** The `/minion/…` routes. Where minions are to send what is told in the answer to a token request. */
export function minionRoutes(master: Needs['master'], ports: Ports, endpoints: Endpoints): readonly Route[] {
  const needs = { master, ports, endpoints }
  return [tokenRoute, refreshRoute, eventsRoute, returnsRoute, mineRoute, pushRoute, jobsRoute].map((route) =>
    route(needs),
  )
}

function minionOf({ principal }: RouteContext): Extract<Principal, { kind: 'minion' }> {
  if (principal.kind !== 'minion') throw new Error('the gate let a principal pass that is no minion')
  return principal
}

function tokenRoute({ master, ports, endpoints }: Needs): Route {
  const { clock } = ports
  return bodyRoute(clock, {
    path: '/minion/token',
    who: ['anyone'],
    maxBody: 64 * kib,
    about: 'a minion proves its key and gets a token, or learns that it waits',
    body: TokenRequestSchema,
    async handle(request) {
      const result = await master.authenticate(request)
      const time = clock.now() / 1_000_000
      switch (result.kind) {
        case 'token': {
          const pub = await ports.signer.publicKey()
          return answer({
            token: result.token,
            expires_in: result.expiresIn,
            time,
            master: { id: master.options.id, pub, finger: fingerOf(pub) },
            endpoints: { ...endpoints },
          })
        }
        case 'waiting': {
          const { state, message, retryAfter } = result
          return answer({ state, message, retry_after: retryAfter, time }, state === 'pending' ? 202 : 403)
        }
        case 'refused':
          return refuse(401, result.code, result.message, clock)
        case 'full':
          return refuse(429, 'full', result.message, clock)
      }
    },
  })
}

function refreshRoute({ master, ports: { clock } }: Needs): Route {
  return bodyRoute(clock, {
    path: '/minion/refresh',
    who: ['minion'],
    maxBody: 512 * kib,
    about: 'a minion sends its grains, and gets its pillar',
    body: RefreshSchema,
    async handle({ grains, version, pillar }, context) {
      if (!isMapping(grains)) return refuse(400, 'body', 'The field grains must be a map with names as keys.', clock)
      const minion = minionOf(context)
      await master.collect.refresh(minion, grains, version)
      if (pillar === undefined) return answer({})
      return answer({
        pillar: await master.pillar.compile(minion.id, { ...pillar, grains }),
        opts: master.stateOptions,
      })
    },
  })
}

function eventsRoute({ master, ports }: Needs): Route {
  return bodyRoute(ports.clock, {
    path: '/minion/events',
    who: ['minion'],
    maxBody: 4096 * kib,
    about: 'a minion sends the events it journalled',
    body: EventBatchSchema,
    handle: async ({ events }, context) => answer(batchAnswer(await master.collect.events(minionOf(context), events))),
  })
}

function returnsRoute({ master, ports }: Needs): Route {
  return bodyRoute(ports.clock, {
    path: '/minion/returns',
    who: ['minion'],
    maxBody: 64 * 1024 * kib,
    about: 'a minion returns the jobs it ran',
    body: ReturnBatchSchema,
    handle: async ({ returns }, context) =>
      answer(batchAnswer(await master.collect.returns(minionOf(context), returns))),
  })
}

function mineRoute({ master, ports: { clock } }: Needs): Route {
  return bodyRoute(clock, {
    path: '/minion/mine',
    who: ['minion'],
    maxBody: 4096 * kib,
    about: 'a minion gives values to others, takes them back, or gets those of others',
    body: MineRequestSchema,
    async handle(request, context) {
      const { id } = minionOf(context)
      switch (request.do) {
        case 'give': {
          const { data, clear } = request
          if (!isMapping(data)) return refuse(400, 'body', 'The field data must be a map with names as keys.', clock)
          await master.mines.give(id, data, clear)
          return answer({})
        }
        case 'take':
          await master.mines.take(id, request.name)
          return answer({})
        case 'flush':
          await master.mines.flush(id)
          return answer({})
        case 'get':
          return answer({ mine: await master.mines.get(id, request.tgt, request.fun, request.tgt_type) })
      }
    },
  })
}

function pushRoute({ master, ports: { clock } }: Needs): Route {
  return bodyRoute(clock, {
    path: '/minion/push',
    who: ['minion'],
    maxBody: 6144 * kib,
    about: 'a minion sends a piece of a file',
    body: PushSchema,
    async handle(request, context) {
      const received = await master.receiveFile(minionOf(context).id, request)
      return received.kind === 'kept' ? answer({}) : refuse(422, received.code, received.message, clock)
    },
  })
}

function jobsRoute({ ports }: Needs): Route {
  const { minions, mailbox, clock } = ports
  return {
    method: 'GET',
    path: '/minion/jobs',
    who: ['minion'],
    maxBody: 0,
    about:
      'a minion looks into its mailbox, waiting up to ?wait= seconds for a job not in ?have=; ?journal= names where it keeps them, ?after= where the answer before ended',
    async handle(context) {
      const { id } = minionOf(context)
      const { query, signal } = context
      await minions.seen(id, clock.now())
      const wait = Math.min(Math.max(Number(query.get('wait') ?? 0) || 0, 0), longestWait)
      const known = new Set((query.get('have') ?? '').split(','))
      const journal = query.get('journal')?.slice(0, longestJournal) || undefined
      const after = query.get('after') || undefined
      const fresh = async (): Promise<Page> => {
        const { entries, next } = pageOf(await mailbox.fetch(id, clock.now(), journal, { after, most: mostJobs }))
        return { entries: entries.filter(({ jid }) => !known.has(jid)), next }
      }
      let page = await fresh()
      if (page.entries.length === 0 && page.next === undefined && wait > 0) {
        await mailbox.wait(id, AbortSignal.any([signal, AbortSignal.timeout(wait * 1000)]), known)
        page = await fresh()
      }
      const { next } = page
      const jobs = page.entries.map(({ jid, envelope, fetched }) => ({
        jid,
        envelope,
        ...(fetched ? { fetched } : {}),
      }))
      return answer({ jobs, ...(next === undefined ? {} : { next }), time: clock.now() / 1_000_000 })
    },
  }
}

interface Page {
  readonly entries: readonly FetchedEntry[]
  readonly next: Jid | undefined
}

/** As many as one answer holds, at least one, and where the next goes on if there are more. */
function pageOf(found: readonly FetchedEntry[]): Page {
  let characters = 0
  const fits = found.findIndex(({ envelope }, index) => {
    characters += envelope.length
    return index > 0 && characters > mostJobCharacters
  })
  const entries = fits < 0 ? found : found.slice(0, fits)
  const isAll = fits < 0 && found.length < mostJobs
  return { entries, next: isAll ? undefined : entries.at(-1)?.jid }
}

function batchAnswer(collected: { accepted: number; refused: readonly { id: string; reason: string }[] }): Value {
  return { accepted: collected.accepted, refused: collected.refused.map(({ id, reason }) => ({ id, reason })) }
}
