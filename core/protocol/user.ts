// What the commands, the library and the console say to the master beside salt-api's own routes.
//
//   POST /v1/fire      FireBatch       → {accepted}
//   POST /v1/publish   PublishRequest  → Published
//   POST /v1/run       RunRequest      → RunAnswer        (a runner or wheel function, waited for unless `async`)
//   POST /v1/keys      KeyRequest      → {lists} or {texts}  (what brine-key does: no run, no run's events)
//   GET  /v1/events?tag=GLOB&since=CURSOR|now            → NDJSON, one LoggedLine a line, as they happen; blank lines keep it alive
//   GET  /v1/job/<jid>                                   → JobView
//   GET  /v1/status                                      → version, id, store, counts
import * as z from 'zod/mini'
import { type Dict, isMap, type Mapping, type Value } from '../value/value.ts'
import { MinionIdSchema } from './minion.ts'

/** A map as the lossless reader gives it. */
const anyMap = z.custom<Mapping | Dict>(isMap, 'must be a map')

export const FireBatchSchema = z.object({
  events: z
    .array(
      z.object({ tag: z.string().check(z.minLength(1), z.maxLength(1024)), data: anyMap, id: z.optional(z.string()) }),
    )
    .check(z.maxLength(1000)),
})
/** Events to fire; one with an `id` (a ULID) that was fired before is dropped. */
export type FireBatch = z.infer<typeof FireBatchSchema>

export const PublishRequestSchema = z.object({
  tgt: z.union([z.string(), z.array(z.string())]),
  tgt_type: z._default(z.string(), 'glob'),
  /** Between the keys of a grain or pillar target. */
  delimiter: z.optional(z.string().check(z.minLength(1), z.maxLength(8))),
  /** Publish nothing: only tell which minions are meant. */
  preview: z.optional(z.boolean()),
  fun: z.union([z.string(), z.array(z.string())]),
  arg: z._default(z.array(z.custom<Value>()), []),
  kwarg: z.optional(anyMap),
  ret: z._default(z.string(), ''),
  /** The alternative configuration of the returners, and options that override it. */
  ret_config: z.optional(z.string()),
  ret_kwargs: z.optional(anyMap),
  /** Seconds until the job must not start any more. */
  expires_in: z._default(z.number().check(z.positive()), 300),
  jid: z.optional(z.string()),
  metadata: z.optional(anyMap),
})
/** A job to publish: the fields of Salt's LocalClient. */
export type PublishRequest = z.input<typeof PublishRequestSchema>

export const PublishedSchema = z.object({
  /** Empty where no minion matched: nothing was sent. */
  jid: z.string(),
  minions: z.array(z.string()),
  missing: z.array(z.string()),
  /** Of those, which are connected now: the others may answer later. */
  connected: z.array(z.string()),
  /** Read events from here to see all of the job's. */
  cursor: z.string(),
})
/** What became of a publish: which minions were expected, and where to read their returns from. */
export type Published = z.infer<typeof PublishedSchema>

export const RunRequestSchema = z.object({
  client: z.enum(['runner', 'wheel']),
  fun: z.string(),
  arg: z._default(z.array(z.custom<Value>()), []),
  kwarg: z._default(anyMap, () => ({})),
  async: z._default(z.boolean(), false),
  /** The run's jid instead of a new one. */
  jid: z.optional(z.string()),
})
/** A runner or wheel function to run; without `async` the answer comes when it ended. */
export type RunRequest = z.input<typeof RunRequestSchema>

export const RunAnswerSchema = z.object({
  jid: z.string(),
  tag: z.string(),
  return: z.optional(z.custom<Value>()),
  success: z.optional(z.boolean()),
  /** `missing`: no such function; `keywords`: it has no such parameters; `exception`: it threw. */
  failure: z.optional(z.enum(['missing', 'keywords', 'arguments', 'exception'])),
  /** Of a function that was refused: the docs of those whose names begin like it. */
  docs: z.optional(anyMap),
  /** The outputter the function asks for. */
  out: z.optional(z.string()),
  retcode: z.optional(z.number()),
  /** What the function said on its way. */
  progress: z._default(z.array(z.object({ suffix: z.string(), event: anyMap })), []),
  /** Lines that Salt's function prints where it runs. */
  printed: z.optional(z.array(z.string())),
})
/** How a run ended; of an `async` one only `jid` and `tag` are known. */
export type RunAnswer = z.infer<typeof RunAnswerSchema>

export const KeyRequestSchema = z.object({
  act: z.enum(['list', 'match', 'accept', 'reject', 'delete', 'texts', 'fingers', 'admit']),
  /** A glob over ids, or the ids themselves. */
  match: z._default(z.union([z.string(), z.array(z.string())]), '*'),
  include_accepted: z._default(z.boolean(), false),
  include_rejected: z._default(z.boolean(), false),
  include_denied: z._default(z.boolean(), false),
  /** `delete`: keep what is known of the minion. */
  preserve: z._default(z.boolean(), false),
  /** `admit`: public keys (PEM) by id, accepted before anybody asked with them. */
  keys: z._default(z.record(MinionIdSchema, z.string().check(z.minLength(32), z.maxLength(16_384))), {}),
})
/** Key management as `brine-key` asks for it. */
export type KeyRequest = z.input<typeof KeyRequestSchema>

/** One line of the event stream. `cursor` is opaque: reading on from it misses nothing and repeats nothing. */
export interface LoggedLine {
  readonly cursor: string
  readonly id: string
  readonly tag: string
  readonly data: unknown
}
