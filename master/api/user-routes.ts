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
import { answer, bodyOf, refuse } from './answer.ts'
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

/**
 * The `/v1/…` routes of commands and programs, but those for keys. With rights they are for users as well, each call within
 * what he may do: who fires needs the runner `event.send`, who looks up a job `jobs.list_job`.
 */
export function userRoutes(
  master: UserRoutesMaster,
  ports: Ports,
  { longest, rights }: UserRouteOptions = {},
): readonly Route[] {
  const { clock } = ports
  const who: readonly Audience[] = rights === undefined ? ['local'] : ['local', 'user']
  return [
    {
      method: 'POST',
      path: '/v1/fire',
      who,
      maxBody: 16 * mib,
      about: 'fires events; answers when they are durable',
      body: FireBatchSchema,
      async handle(context) {
        const body = await bodyOf(context, FireBatchSchema, clock)
        if ('refused' in body) return body.refused
        for (const { tag, data } of body.ok.events) {
          const refused = await refusedBy(context.principal, async (caller) =>
            rights?.run(caller, { client: 'runner', fun: 'event.send', arg: [tag, data], kwarg: {} }),
          )
          if (refused !== undefined) return refuse(403, 'forbidden', refused, clock)
        }
        await master.fire(
          ...body.ok.events.map(({ tag, data, id }) => ({ tag, data, ...(id === undefined ? {} : { id }) })),
        )
        return answer({ accepted: body.ok.events.length })
      },
    },
    {
      method: 'POST',
      path: '/v1/publish',
      who,
      maxBody: 4 * mib,
      about: 'publishes a job to the minions of a target',
      body: PublishRequestSchema,
      async handle(context) {
        const body = await bodyOf(context, PublishRequestSchema, clock)
        if ('refused' in body) return body.refused
        const { tgt, tgt_type: tgtType, fun, arg, kwarg, ret, expires_in: expiresIn, jid, metadata } = body.ok
        const { ret_config: config, ret_kwargs: kwargs, delimiter } = body.ok
        const words = withKeywords(arg, plain(kwarg))
        const refused = await refusedBy(context.principal, (caller) =>
          rights?.publish(caller, { tgt, tgtType, fun, arg: words }),
        )
        if (refused !== undefined) return refuse(403, 'forbidden', refused, clock)
        if (body.ok.preview === true) {
          const { minions, missing } = await master.resolve(tgt, tgtType, delimiter)
          return answer({ jid: '', minions: [...minions], missing: [...missing], connected: [], cursor: '' })
        }
        const cursor = await ports.log.end()
        const published = await master.publish({
          tgt,
          tgtType,
          delimiter,
          fun,
          arg: words,
          ret,
          returner: returnerChoice(config, kwargs === undefined ? undefined : plain(kwargs)),
          user: nameOf(context.principal),
          expiresIn,
          jid,
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
    },
    {
      method: 'POST',
      path: '/v1/run',
      who,
      maxBody: 4 * mib,
      about: 'runs a runner or wheel function',
      body: RunRequestSchema,
      async handle(context) {
        const body = await bodyOf(context, RunRequestSchema, clock)
        if ('refused' in body) return body.refused
        const { client, fun, arg, kwarg, async: detached } = body.ok
        const refused = await refusedBy(context.principal, async (caller) =>
          rights?.run(caller, { client, fun, arg, kwarg: plain(kwarg) }),
        )
        if (refused !== undefined) return refuse(403, 'forbidden', refused, clock)
        const asked = body.ok.jid
        if (asked !== undefined && (!/^\d{20}(?:_\d+)?$/.test(asked) || (await ports.jobs.get(asked)) !== undefined))
          return refuse(
            409,
            'jid-taken',
            `The jid ${asked} is none, or of another job. Choose another, or none.`,
            clock,
          )
        const jid = asked ?? clock.jid()
        // Salt's command gives an orchestration its jid as an argument, too; its events tell so.
        const own = client === 'runner' && isOrchestration(fun) ? { orchestration_jid: jid } : {}
        const user = nameOf(context.principal)
        const called = { client, fun, arg, kwarg: { ...plain(kwarg), ...own }, user, jid, detached }
        const start = (hear?: Hear): Run => master.startRun({ ...called, isTyped: client === 'runner' }, hear)
        const tagOf = (run: Run): string => `salt/${client === 'runner' ? 'run' : 'wheel'}/${run.jid}`
        if (!detached && longest === undefined && takesLines(context.request)) return linesOfRun(start, tagOf)
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
    },
    {
      method: 'GET',
      path: '/v1/events',
      who,
      maxBody: 0,
      about: 'streams events as JSON lines, from ?since=CURSOR or now on, those that match ?tag=GLOB',
      async handle(context) {
        const asked = context.query.get('since') ?? 'now'
        const after = asked === 'now' ? await ports.log.end() : asked
        const tag = context.query.get('tag')
        const wants = tag === null ? () => true : tagGlob(tag)
        const options = { log: ports.log, after, wants, signal: context.signal }
        if (longest === undefined) return eventLines(options)
        // "Now" is told at once: who asked is subscribed from there on, before anything else is done.
        return asked === 'now' ? emptyWindow(after) : eventWindow(options, longest)
      },
    },
    {
      method: 'GET',
      path: '/v1/job/:jid',
      who,
      maxBody: 0,
      about: 'a job and what came back so far',
      async handle(context) {
        const jid = context.params.jid ?? ''
        const refused = await refusedBy(context.principal, async (caller) =>
          rights?.run(caller, { client: 'runner', fun: 'jobs.list_job', arg: [jid], kwarg: {} }),
        )
        if (refused !== undefined) return refuse(403, 'forbidden', refused, clock)
        const job = await ports.jobs.get(jid)
        if (job === undefined) return refuse(404, 'no-job', `No job ${jid} is known here.`, clock)
        const returns = await ports.jobs.returns(jid)
        return answer({
          jid,
          minions: [...job.minions],
          missing: [...job.missing],
          returns: returns.map(({ id, load }) => ({ id, load })),
        })
      },
    },
    {
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
    },
  ]
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
