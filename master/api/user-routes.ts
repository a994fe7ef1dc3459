// The routes of commands, library and console beside salt-api's: fire, publish, run, watch, look up.
import { matchTag } from '../../core/event/tag-glob.ts'
import { FireBatchSchema, PublishRequestSchema, RunRequestSchema } from '../../core/protocol/index.ts'
import { isMap, isMapping, type Mapping, stringifyJson, type Value } from '../../core/value/index.ts'
import { withKeywords } from '../executor.ts'
import type { Master } from '../master.ts'
import { isOrchestration } from '../orchestrate/master-steps.ts'
import type { LoggedEvent, Ports } from '../ports.ts'
import { firingRefusal, type Principal } from '../principal.ts'
import { answer, bodyOf, refuse } from './answer.ts'
import type { Route } from './route.ts'

/** Milliseconds between blank lines that keep a quiet stream alive. */
const keepAlive = 15_000
const mib = 1024 * 1024

/** The `/v1/…` routes of commands and programs, but those for keys. */
export function userRoutes(master: Master, ports: Ports): readonly Route[] {
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
        const run = master.startRun({ client, fun, arg, kwarg: { ...plain(kwarg), ...own }, user, jid })
        const tag = `salt/${client === 'runner' ? 'run' : 'wheel'}/${run.jid}`
        if (detached) {
          await run.started
          return answer({ jid: run.jid, tag, progress: [] })
        }
        const { progress, ...outcome } = await run.outcome
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
        return eventLines(
          ports.log.follow(since, context.signal),
          tag === null ? undefined : (seen) => matchTag(tag, seen),
        )
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

/** Events as lines; a slow reader is waited for, since the log keeps what it has not read. */
function eventLines(
  batches: AsyncIterable<readonly LoggedEvent[]>,
  wants: ((tag: string) => boolean) | undefined,
): Response {
  const encoder = new TextEncoder()
  const iterator = batches[Symbol.asyncIterator]()
  let pending: Promise<IteratorResult<readonly LoggedEvent[]>> | undefined
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      // Something at once, so that the reader knows it is subscribed before it acts.
      controller.enqueue(encoder.encode('\n'))
    },
    async pull(controller) {
      for (;;) {
        pending ??= iterator.next()
        const quiet = Symbol('quiet')
        let timer: NodeJS.Timeout | undefined
        const next = await Promise.race([
          pending,
          new Promise<typeof quiet>((resolve) => {
            timer = setTimeout(resolve, keepAlive, quiet)
          }),
        ])
        clearTimeout(timer)
        if (next === quiet) return controller.enqueue(encoder.encode('\n'))
        pending = undefined
        if (next.done === true) return controller.close()
        const lines = next.value.filter(({ event }) => wants === undefined || wants(event.tag)).map(lineOf)
        if (lines.length > 0) return controller.enqueue(encoder.encode(lines.join('')))
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  return new Response(stream, { headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' } })
}

function lineOf({ cursor, event }: LoggedEvent): string {
  return `${stringifyJson({ cursor, id: event.id, tag: event.tag, data: event.data }, { ascii: false, separators: [',', ':'] })}\n`
}
