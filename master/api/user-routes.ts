// The routes of commands, library and console beside salt-api's: fire, publish, run, watch, look up.
import { tagGlob } from '../../core/event/tag-glob.ts'
import { FireBatchSchema, PublishRequestSchema, RunRequestSchema } from '../../core/protocol/index.ts'
import { isMap, isMapping, type Mapping, type Value } from '../../core/value/index.ts'
import { withKeywords } from '../executor.ts'
import type { Master } from '../master.ts'
import { isOrchestration } from '../orchestrate/master-steps.ts'
import type { Ports } from '../ports.ts'
import { firingRefusal, type Principal } from '../principal.ts'
import { answer, bodyOf, refuse } from './answer.ts'
import { eventLines, eventWindow } from './event-lines.ts'
import { withinLongest } from './longest.ts'
import type { Route } from './route.ts'

const mib = 1024 * 1024

/** What of a master the routes use. */
export type UserRoutesMaster = Pick<Master, 'options' | 'fire' | 'publish' | 'startRun' | 'keys' | 'presence'>

/** The `/v1/…` routes of commands and programs, but those for keys. `longest` where the platform ends answers. */
export function userRoutes(master: UserRoutesMaster, ports: Ports, longest?: number): readonly Route[] {
  const { clock } = ports
  return [
    {
      method: 'POST',
      path: '/v1/fire',
      who: ['local'],
      maxBody: 16 * mib,
      about: 'fires events; answers when they are durable',
      body: FireBatchSchema,
      async handle(context) {
        const body = await bodyOf(context, FireBatchSchema, clock)
        if ('refused' in body) return body.refused
        const refusal = body.ok.events
          .map(({ tag }) => firingRefusal(context.principal, tag))
          .find((reason) => reason !== undefined)
        if (refusal !== undefined) return refuse(403, 'tag', refusal, clock)
        await master.fire(
          ...body.ok.events.map(({ tag, data, id }) => ({ tag, data, ...(id === undefined ? {} : { id }) })),
        )
        return answer({ accepted: body.ok.events.length })
      },
    },
    {
      method: 'POST',
      path: '/v1/publish',
      who: ['local'],
      maxBody: 4 * mib,
      about: 'publishes a job to the minions of a target',
      body: PublishRequestSchema,
      async handle(context) {
        const body = await bodyOf(context, PublishRequestSchema, clock)
        if ('refused' in body) return body.refused
        const { tgt, tgt_type: tgtType, fun, arg, kwarg, ret, expires_in: expiresIn, jid, metadata } = body.ok
        const cursor = await ports.log.end()
        const published = await master.publish({
          tgt,
          tgtType,
          fun,
          arg: withKeywords(arg, plain(kwarg)),
          ret,
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
      who: ['local'],
      maxBody: 4 * mib,
      about: 'runs a runner or wheel function',
      body: RunRequestSchema,
      async handle(context) {
        const body = await bodyOf(context, RunRequestSchema, clock)
        if ('refused' in body) return body.refused
        const { client, fun, arg, kwarg, async: detached } = body.ok
        const jid = clock.jid()
        // Salt's command gives an orchestration its jid as an argument, too; its events tell so.
        const own = client === 'runner' && isOrchestration(fun) ? { orchestration_jid: jid } : {}
        const user = nameOf(context.principal)
        const run = master.startRun({ client, fun, arg, kwarg: { ...plain(kwarg), ...own }, user, jid, detached })
        const tag = `salt/${client === 'runner' ? 'run' : 'wheel'}/${run.jid}`
        const begun = (): Response => answer({ jid: run.jid, tag, progress: [] })
        if (detached) {
          await run.started
          return begun()
        }
        const ended = await withinLongest(run.outcome, longest)
        if (ended === undefined) return begun()
        const { progress, ...outcome } = ended
        return answer({ tag, ...outcome, progress: progress.map(({ suffix, event }) => ({ suffix, event })) })
      },
    },
    {
      method: 'GET',
      path: '/v1/events',
      who: ['local'],
      maxBody: 0,
      about: 'streams events as JSON lines, from ?since=CURSOR or now on, those that match ?tag=GLOB',
      handle(context) {
        const since = context.query.get('since') ?? 'now'
        const tag = context.query.get('tag')
        const wants = tag === null ? () => true : tagGlob(tag)
        const options = { log: ports.log, after: since, wants, signal: context.signal }
        return longest === undefined ? eventLines(options) : eventWindow(options, longest)
      },
    },
    {
      method: 'GET',
      path: '/v1/job/:jid',
      who: ['local'],
      maxBody: 0,
      about: 'a job and what came back so far',
      async handle(context) {
        const jid = context.params.jid ?? ''
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
