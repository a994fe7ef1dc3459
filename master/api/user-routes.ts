// The routes of commands, library and console beside salt-api's: fire, publish, run, watch, look up.
import { tagGlob } from '../../core/event/tag-glob.ts'
import { FireBatchSchema, PublishRequestSchema, RunRequestSchema } from '../../core/protocol/index.ts'
import { isMap, isMapping, type Mapping, type Value } from '../../core/value/index.ts'
import { withKeywords } from '../executor.ts'
import type { Master } from '../master.ts'
import { isOrchestration } from '../orchestrate/is-orchestration.ts'
import type { Ports } from '../ports.ts'
import type { Principal } from '../principal.ts'
import { returnerChoice } from '../returners.ts'
import type { Run } from '../run.ts'
import type { Hear } from '../said.ts'
import { answer, refuse } from './answer.ts'
import { bodyRoute } from './body-route.ts'
import { emptyWindow, eventLines, eventWindow } from './event-lines.ts'
import { withinLongest } from './longest.ts'
import type { Audience, Route } from './route.ts'
import { endOf, linesOfRun, takesLines } from './run-answer.ts'
import { ApiError, type Caller, callerOf, type Rights } from './salt/index.ts'

const mib = 1024 * 1024

/** What of a master the routes use. */
export type UserRoutesMaster = Pick<
  Master,
  'options' | 'fire' | 'publish' | 'resolve' | 'startRun' | 'keys' | 'presence'
>

/** What a platform says of the routes. */
export interface UserRouteOptions {
  /** Milliseconds after which the platform ends answers. @default they go on */
  readonly longest?: number
  /** What users may do. @default the routes are for the local principal alone */
  readonly rights?: Rights
}

interface Needs extends UserRouteOptions {
  readonly master: UserRoutesMaster
  readonly ports: Ports
}

/**
 * The `/v1/…` routes of commands and programs, but those for keys. With rights they are for users as well, each call within
 * what he may do: who fires needs the runner `event.send`, who looks up a job `jobs.list_job`.
 */
export function userRoutes(master: UserRoutesMaster, ports: Ports, options: UserRouteOptions = {}): readonly Route[] {
  const needs = { master, ports, ...options }
  return [fireRoute, publishRoute, runRoute, eventsRoute, jobRoute, statusRoute].map((route) => route(needs))
}

const whoOf = ({ rights }: Needs): readonly Audience[] => (rights === undefined ? ['local'] : ['local', 'user'])

function fireRoute(needs: Needs): Route {
  const { master, ports, rights } = needs
  return bodyRoute(ports.clock, {
    path: '/v1/fire',
    who: whoOf(needs),
    maxBody: 16 * mib,
    about: 'fires events; answers when they are durable',
    body: FireBatchSchema,
    async handle({ events }, { principal }) {
      for (const { tag, data } of events) {
        const refused = await refusedBy(principal, async (caller) =>
          rights?.run(caller, { client: 'runner', fun: 'event.send', arg: [tag, data], kwarg: {} }),
        )
        if (refused !== undefined) return refuse(403, 'forbidden', refused, ports.clock)
      }
      await master.fire(...events.map(({ tag, data, id }) => ({ tag, data, ...(id === undefined ? {} : { id }) })))
      return answer({ accepted: events.length })
    },
  })
}

function publishRoute(needs: Needs): Route {
  const { master, ports, rights } = needs
  const { clock } = ports
  return bodyRoute(clock, {
    path: '/v1/publish',
    who: whoOf(needs),
    maxBody: 4 * mib,
    about: 'publishes a job to the minions of a target',
    body: PublishRequestSchema,
    async handle(request, { principal }) {
      const { tgt, tgt_type: tgtType, delimiter, fun, arg, kwarg, ret, jid, metadata, ret_kwargs: kwargs } = request
      const words = withKeywords(arg, plain(kwarg))
      const refused = await refusedBy(principal, (caller) => rights?.publish(caller, { tgt, tgtType, fun, arg: words }))
      if (refused !== undefined) return refuse(403, 'forbidden', refused, clock)
      if (request.preview === true) {
        const { minions, missing } = await master.resolve(tgt, tgtType, delimiter)
        return answer({ jid: '', minions: [...minions], missing: [...missing], connected: [], cursor: '' })
      }
      const cursor = await ports.log.end()
      const published = await master.publish({
        ...{ tgt, tgtType, delimiter, fun, arg: words, ret, jid },
        returner: returnerChoice(request.ret_config, kwargs === undefined ? undefined : plain(kwargs)),
        user: nameOf(principal),
        expiresIn: request.expires_in,
        metadata: metadata === undefined ? undefined : plain(metadata),
      })
      switch (published.kind) {
        case 'published': {
          const connected = await ports.connections.connected()
          const { jid: used, minions, missing } = published
          return answer({
            jid: used,
            minions: [...minions],
            missing: [...missing],
            connected: minions.filter((id) => connected.has(id)),
            cursor,
          })
        }
        case 'no-minions':
          return answer({ jid: '', minions: [], missing: [...published.missing], connected: [], cursor })
        case 'no-nodegroup':
          return refuse(404, 'no-nodegroup', published.message, clock)
        case 'jid-taken':
          return refuse(409, 'jid-taken', `The jid ${jid} belongs to another job. Choose another, or none.`, clock)
      }
    },
  })
}

function runRoute(needs: Needs): Route {
  const { master, ports, rights, longest } = needs
  const { clock } = ports
  return bodyRoute(clock, {
    path: '/v1/run',
    who: whoOf(needs),
    maxBody: 4 * mib,
    about: 'runs a runner or wheel function',
    body: RunRequestSchema,
    async handle({ client, fun, arg, kwarg, async: detached, jid: asked }, { principal, request }) {
      const refused = await refusedBy(principal, async (caller) =>
        rights?.run(caller, { client, fun, arg, kwarg: plain(kwarg) }),
      )
      if (refused !== undefined) return refuse(403, 'forbidden', refused, clock)
      if (asked !== undefined && (!/^\d{20}(?:_\d+)?$/.test(asked) || (await ports.jobs.get(asked)) !== undefined)) {
        const message = `The jid ${asked} is none, or of another job. Choose another, or none.`
        return refuse(409, 'jid-taken', message, clock)
      }
      const jid = asked ?? clock.jid()
      // Salt's command gives an orchestration its jid as an argument, too; its events tell so.
      const own = client === 'runner' && isOrchestration(fun) ? { orchestration_jid: jid } : {}
      const user = nameOf(principal)
      const called = { client, fun, arg, kwarg: { ...plain(kwarg), ...own }, user, jid, detached }
      const start = (hear?: Hear): Run => master.startRun({ ...called, isTyped: client === 'runner' }, hear)
      const tagOf = (run: Run): string => `salt/${client === 'runner' ? 'run' : 'wheel'}/${run.jid}`
      if (!detached && longest === undefined && takesLines(request)) return linesOfRun(start, tagOf)
      const run = start()
      const tag = tagOf(run)
      const begun = (): Response => answer({ jid: run.jid, tag, progress: [] })
      if (detached && run.isRefused !== true) {
        await run.started
        return begun()
      }
      const ended = await withinLongest(run.outcome, longest)
      return ended === undefined ? begun() : answer(endOf(tag, ended))
    },
  })
}

function eventsRoute(needs: Needs): Route {
  const { ports, longest } = needs
  return {
    method: 'GET',
    path: '/v1/events',
    who: whoOf(needs),
    maxBody: 0,
    about: 'streams events as JSON lines, from ?since=CURSOR or now on, those that match ?tag=GLOB',
    async handle({ query, signal }) {
      const asked = query.get('since') ?? 'now'
      const after = asked === 'now' ? await ports.log.end() : asked
      const tag = query.get('tag')
      const wants = tag === null ? () => true : tagGlob(tag)
      const options = { log: ports.log, after, wants, signal }
      if (longest === undefined) return eventLines(options)
      // "Now" is told at once: who asked is subscribed from there on, before anything else is done.
      return asked === 'now' ? emptyWindow(after) : eventWindow(options, longest)
    },
  }
}

function jobRoute(needs: Needs): Route {
  const { ports, rights } = needs
  return {
    method: 'GET',
    path: '/v1/job/:jid',
    who: whoOf(needs),
    maxBody: 0,
    about: 'a job and what came back so far',
    async handle({ params: { jid = '' }, principal }) {
      const refused = await refusedBy(principal, async (caller) =>
        rights?.run(caller, { client: 'runner', fun: 'jobs.list_job', arg: [jid], kwarg: {} }),
      )
      if (refused !== undefined) return refuse(403, 'forbidden', refused, ports.clock)
      const job = await ports.jobs.get(jid)
      if (job === undefined) return refuse(404, 'no-job', `No job ${jid} is known here.`, ports.clock)
      const returns = await ports.jobs.returns(jid)
      return answer({
        jid,
        minions: [...job.minions],
        missing: [...job.missing],
        returns: returns.map(({ id, load }) => ({ id, load })),
      })
    },
  }
}

function statusRoute({ master, ports }: Needs): Route {
  return {
    method: 'GET',
    path: '/v1/status',
    who: ['local'],
    maxBody: 0,
    about: 'what runs here: version, id, open deliveries, keys',
    async handle() {
      const [depth, dead, lists, present] = await Promise.all([
        ports.queue.depth(),
        ports.queue.dead(),
        master.keys.lists(),
        master.presence.present(),
      ])
      return answer({
        version: master.options.version,
        id: master.options.id,
        deliveries: { waiting: depth, dead: dead.length },
        keys: {
          accepted: lists.minions.length,
          pending: lists.minions_pre.length,
          rejected: lists.minions_rejected.length,
          denied: lists.minions_denied.length,
        },
        present: [...present],
      })
    },
  }
}

/** Why a caller may not do it; undefined where he may. */
async function refusedBy(
  principal: Principal,
  check: (caller: Caller) => Promise<void> | undefined,
): Promise<string | undefined> {
  const caller = callerOf(principal)
  if (caller === undefined) return 'Nobody without rights may do that.'
  try {
    await check(caller)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return `${caller.name} may not do that: no entry of external_auth allows it.`
  }
}

function nameOf(principal: Principal): string {
  switch (principal.kind) {
    case 'local':
      return principal.user
    case 'minion':
      return principal.id
    case 'user':
      return principal.person.name
    case 'anonymous':
      return 'anonymous'
  }
}

/** Keywords are names; a map with other keys has none that could be one. */
function plain(map: Value | undefined): Mapping {
  if (map === undefined || !isMap(map)) return {}
  return isMapping(map) ? map : Object.fromEntries([...map].map(([key, value]) => [String(key), value]))
}
