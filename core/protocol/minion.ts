// What a minion and its master say to each other over HTTPS. Unknown fields are ignored on both sides.
//
//   POST /minion/token     TokenRequest   → TokenAnswer | Waiting (202) | Refusal (401 with the time, 403)
//   POST /minion/refresh   Refresh        → RefreshAnswer           (fires minion/refresh/<id>, stores the grains)
//   POST /minion/events    EventBatch     → BatchAnswer
//   GET  /minion/jobs?wait=SECONDS&have=JID,…&journal=ID&after=JID  → JobBatch  (an entry stays until returned or expired)
//   POST /minion/returns   ReturnBatch    → BatchAnswer
//   GET  /minion/files     → {envs}; ?saltenv= → {files}; &path= → bytes from &offset= on, 304 where &have= is the hash;
//                          &stat= → FileAbout
//   POST /minion/mine      MineRequest    → MineAnswer
//   POST /minion/push      PushRequest    → {} | Refusal (403: not taken)
//   GET  /minion/socket    WebSocket; each message `{"doorbell": true}` says "look in your mailbox"
import * as z from 'zod/mini'
import { type Dict, isMap, type Mapping, type Value } from '../value/value.ts'
import { longestMinionId, minionIdPattern, minionIdRule } from './minion-id.ts'

/** A map as the lossless reader gives it. */
const anyMap = z.custom<Mapping | Dict>(isMap, 'must be a map')

/** A minion's id. */
export const MinionIdSchema = z
  .string()
  .check(z.minLength(1), z.maxLength(longestMinionId), z.regex(minionIdPattern, minionIdRule))

/**
 * The assertion is a JWT (RFC 7523) with `iss` and `sub` the id, `aud` the master's id, `exp` at most 60 s away and a
 * `jti` of single use, signed by the private half of `pub` (EdDSA or RS256).
 */
export const TokenRequestSchema = z.object({
  id: MinionIdSchema,
  pub: z.string().check(z.minLength(32), z.maxLength(4096)),
  assertion: z.string().check(z.minLength(16), z.maxLength(8192)),
  version: z.optional(z.string().check(z.maxLength(64))),
  /** EC2's instance identity document and its signature, as the metadata service gave them; `rsa2048` is its CMS form. */
  identity: z.optional(
    z.object({
      document: z.string().check(z.maxLength(16384)),
      signature: z.string().check(z.maxLength(16384)),
      rsa2048: z.optional(z.string().check(z.maxLength(32768))),
    }),
  ),
  /** A web identity token of AWS STS with the master's id as audience and {@link webIdentityKeyTag} as request tag. */
  web_identity: z.optional(z.string().check(z.maxLength(16384))),
  /** What the minion tells of itself for the master's `autosign_grains_dir`; while the key is not accepted. */
  autosign_grains: z.optional(anyMap),
})
/** A request for a token: who asks, with which key, and the proof. */
export type TokenRequest = z.infer<typeof TokenRequestSchema>

/** The request tag of a web identity token that holds the finger of the key it was fetched for. */
export const webIdentityKeyTag = 'brine-key'

export const TokenAnswerSchema = z.object({
  token: z.string(),
  /** Seconds; at most 900. */
  expires_in: z.number(),
  /** Seconds since 1970, by the master's clock. */
  time: z.number(),
  master: z.object({
    id: z.string(),
    /** The signing key, PEM (SPKI). */
    pub: z.string(),
    /** Its SHA-256, as `master_finger` holds it. */
    finger: z.string(),
  }),
  /** Where to send what: absolute URLs, or paths on the bootstrap URL. */
  endpoints: z.object({
    events: z.string(),
    jobs: z.string(),
    returns: z.string(),
    refresh: z.string(),
    socket: z.optional(z.string()),
    files: z.optional(z.string()),
    mine: z.optional(z.string()),
    push: z.optional(z.string()),
  }),
})
/** A token and where to use it. */
export type TokenAnswer = z.infer<typeof TokenAnswerSchema>

export const WaitingSchema = z.object({
  state: z.enum(['pending', 'rejected', 'denied']),
  message: z.string(),
  retry_after: z.number(),
  time: z.number(),
})
/** The key is known but not accepted (202 pending, 403 rejected or denied). */
export type Waiting = z.infer<typeof WaitingSchema>

export const RefusalSchema = z.object({ error: z.string(), message: z.string(), time: z.number() })
/** Why a request was refused; `time` lets a wrong clock heal. */
export type Refusal = z.infer<typeof RefusalSchema>

export const RefreshSchema = z.object({
  grains: anyMap,
  version: z.optional(z.string()),
  /** The minion wants its pillar, of an environment, with values laid over it. */
  pillar: z.optional(
    z.object({ saltenv: z.optional(z.string()), pillarenv: z.optional(z.string()), override: z.optional(anyMap) }),
  ),
})
/** The minion's grains, sent at start and whenever they change. */
export type Refresh = z.infer<typeof RefreshSchema>

export const RefreshAnswerSchema = z.object({
  /** Where it was asked for. */
  pillar: z.optional(anyMap),
  /** With it: those of the master's settings that steer state runs. */
  opts: z.optional(anyMap),
})
/** The pillar, compiled for this minion alone. */
export type RefreshAnswer = z.infer<typeof RefreshAnswerSchema>

export const MinionEventSchema = z.object({
  /** A ULID made when the event was journalled; a batch sent twice repeats it. */
  id: z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/)),
  tag: z.string().check(z.minLength(1), z.maxLength(1024)),
  data: anyMap,
})
/** An event as the minion journalled it. `data` is flat for a beacon; for event.send it is `{id, tag, cmd, pretag, data}`. */
export type MinionEvent = z.infer<typeof MinionEventSchema>

export const EventBatchSchema = z.object({ events: z.array(MinionEventSchema).check(z.maxLength(500)) })
/** Events in the order they were journalled; the master keeps it within a batch. */
export type EventBatch = z.infer<typeof EventBatchSchema>

export const ReturnSchema = z.object({
  id: z.string().check(z.regex(/^[0-9A-HJKMNP-TV-Z]{26}$/)),
  jid: z.string().check(z.minLength(1), z.maxLength(64)),
  fun: z.string(),
  fun_args: z.array(z.custom<Value>()),
  return: z.custom<Value>(),
  retcode: z.number(),
  success: z.optional(z.boolean()),
  out: z.optional(z.string()),
  /** Present where the minion ran it by itself (`brine-call`, the schedule): no job of the master's. */
  tgt: z.optional(z.string()),
  tgt_type: z.optional(z.string()),
  arg: z.optional(z.array(z.custom<Value>())),
  /** The name of the scheduled job that it is of. */
  schedule: z.optional(z.string()),
  pid: z.optional(z.number()),
  /** A scheduled job's own; a job of the master's has its metadata there. */
  metadata: z.optional(anyMap),
  /** Why there is no result: the job was cut off and not run again. */
  interrupted: z.optional(z.boolean()),
})
/** A job's return. `success` is absent for `brine-call`, as in Salt. */
export type Return = z.infer<typeof ReturnSchema>

export const ReturnBatchSchema = z.object({ returns: z.array(ReturnSchema).check(z.maxLength(100)) })
/** Returns of jobs; one that was sent before is accepted again and has no further effect. */
export type ReturnBatch = z.infer<typeof ReturnBatchSchema>

export const BatchAnswerSchema = z.object({
  /** How many were taken, repeats included. */
  accepted: z.number(),
  /** What will never be taken: the sender drops it and says so. */
  refused: z.array(z.object({ id: z.string(), reason: z.string() })),
})
/** All items not in `refused` are durable on the master. */
export type BatchAnswer = z.infer<typeof BatchAnswerSchema>

export const JobBatchSchema = z.object({
  /** `fetched` where another journal of this minion took it before: it may have run, and must not run again. */
  jobs: z.array(z.object({ jid: z.string(), envelope: z.string(), fetched: z.optional(z.boolean()) })),
  /** Where there is more: what to ask for as `after`. */
  next: z.optional(z.string()),
  time: z.number(),
})
/** The mailbox's content: signed envelopes ({@link JobEnvelope} as compact JWS). */
export type JobBatch = z.infer<typeof JobBatchSchema>

export const MineRequestSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('give'), data: anyMap, clear: z.boolean() }),
  z.object({ do: z.literal('take'), name: z.string() }),
  z.object({ do: z.literal('flush') }),
  z.object({ do: z.literal('get'), tgt: z.custom<Value>(), fun: z.custom<Value>(), tgt_type: z.string() }),
])
/** What a minion does with the mine. */
export type MineRequest = z.infer<typeof MineRequestSchema>

/** The most bytes of a file that go with one push: with them a request still fits into a Lambda invocation. */
export const mostPushed = 4 * 1024 * 1024

/** A piece of a file that a minion sends, as it stands on the wire. */
export const PushSchema = z.object({
  /** The names of the path below the minion's folder. */
  path: z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.minLength(1), z.maxLength(64)),
  offset: z.int().check(z.nonnegative()),
  /** Of the whole file. */
  size: z.int().check(z.nonnegative()),
  /** In base64, of at most {@link mostPushed} bytes. */
  data: z.string().check(z.maxLength(Math.ceil(mostPushed / 3) * 4)),
})
/** A piece of a file that a minion sends, parsed. */
export type PushRequest = z.infer<typeof PushSchema>

export const MineAnswerSchema = z.object({
  /** Where it was asked for: by minion, or by name and minion. */
  mine: z.optional(anyMap),
})
/** What others give. */
export type MineAnswer = z.infer<typeof MineAnswerSchema>

export const FileEnvsSchema = z.object({ envs: z.array(z.string()) })
/** The environments that have files. */
export type FileEnvs = z.infer<typeof FileEnvsSchema>

/** What the master says of a file. */
export const FileAboutSchema = z.object({
  /** SHA-256, hex. */
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  size: z.number(),
  /** Four octal digits, where the master knows. */
  mode: z.optional(z.string().check(z.regex(/^[0-7]{4}$/))),
})
/** What the master says of a file. */
export type FileAbout = z.infer<typeof FileAboutSchema>

export const FileListSchema = z.object({ files: z.array(z.extend(FileAboutSchema, { path: z.string() })) })
/** The files of an environment. */
export type FileList = z.infer<typeof FileListSchema>

export const JobEnvelopeSchema = z.object({
  jid: z.string(),
  fun: z.union([z.string(), z.array(z.string())]),
  arg: z.array(z.custom<Value>()),
  tgt: z.union([z.string(), z.array(z.string())]),
  tgt_type: z.string(),
  /** The ids the master resolved, where the target cannot be checked by an id alone (grain, compound, nodegroup, pillar). */
  minions: z.optional(z.array(z.string())),
  ret: z.string(),
  /** The alternative configuration of the returners, and options that override it. */
  ret_config: z.optional(z.string()),
  ret_kwargs: z.optional(anyMap),
  user: z.string(),
  /** Seconds since 1970, master's time; after it the job must not start. */
  expiry: z.number(),
  metadata: z.optional(anyMap),
})
/** What the master signs. The minion checks the signature, that it is a target, and the expiry, then runs a jid at most once. */
export type JobEnvelope = z.infer<typeof JobEnvelopeSchema>
