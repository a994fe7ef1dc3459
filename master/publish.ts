// Publishing a job: target → stored job → mailboxes → the job's events → doorbells.
import { derivedEventId } from '../core/event/derived-id.ts'
import type { Cause, Jid, MinionId } from '../core/event/event.ts'
import { withoutNodegroups } from '../core/target/index.ts'
import { type Mapping, stringifyJson, type Value } from '../core/value/index.ts'
import type { Draft, Fire } from './fire.ts'
import type { MasterOptions } from './options.ts'
import type { Clock, Connections, JobRecord, JobStore, Mailbox, ReturnerChoice, Signer, WriteOrder } from './ports.ts'
import { returnerFields } from './returners.ts'
import type { ResolveTarget } from './targets.ts'

/** A job somebody asks for. `arg` may end with a `__kwarg__` map, as on the wire. */
export interface JobRequest {
  readonly tgt: Value
  readonly tgtType: string
  /** Between the keys of a grain or pillar target. @default ':' */
  readonly delimiter?: string | undefined
  readonly fun: Value
  readonly arg: readonly Value[]
  readonly ret: string
  readonly returner?: ReturnerChoice | undefined
  readonly user: string
  /** Seconds until it must not start any more. */
  readonly expiresIn: number
  readonly jid?: Jid | undefined
  readonly origin?: string
  readonly cause?: Cause | undefined
  readonly metadata?: Mapping | undefined
}

/** What came of it. */
export type PublishOutcome =
  | {
      readonly kind: 'published'
      readonly jid: Jid
      readonly minions: readonly MinionId[]
      readonly missing: readonly MinionId[]
    }
  /** No accepted minion matches: nothing was sent, no jid is used. */
  | { readonly kind: 'no-minions'; readonly missing: readonly MinionId[] }
  /** There is no nodegroup of this name. */
  | { readonly kind: 'no-nodegroup'; readonly message: string }
  | { readonly kind: 'jid-taken' }

/**
 * Publishes a job. Safe to repeat with the same jid and origin: the job, its mailbox entries and its events are then the
 * same, which is what makes a reaction cut off in the middle whole again.
 */
export type Publish = (request: JobRequest) => Promise<PublishOutcome>

interface PublishPorts {
  readonly jobs: JobStore
  readonly mailbox: Mailbox
  readonly connections: Connections
  readonly signer: Signer
  readonly writes: WriteOrder
  readonly clock: Clock
}

/** The jid is another job's. */
class JidTaken extends Error {}

/** Target types a minion can check by its id alone; for others the envelope names the minions. */
const checkedById = new Set(['glob', 'list', 'pcre'])

/** Joins the ports to {@link Publish}. */
export function createPublish(
  ports: PublishPorts,
  fire: Fire,
  resolve: ResolveTarget,
  options: Pick<MasterOptions, 'legacyEvents' | 'nodegroups' | 'confFile'>,
): Publish {
  return async (asked) => {
    const known = asked.jid === undefined ? undefined : await ports.jobs.get(asked.jid)
    const repeated = known !== undefined && known.origin !== undefined && known.origin === asked.origin
    const target = withoutNodegroups(asked.tgt, asked.tgtType, options.nodegroups)
    if (target.kind === 'unknown') {
      return { kind: 'no-nodegroup', message: `Node group ${target.name} unavailable in ${options.confFile}` }
    }
    const request = { ...asked, tgt: target.tgt, tgtType: target.tgtType }
    const { minions, missing } = repeated ? known : await resolve(request.tgt, request.tgtType, request.delimiter)
    if (minions.length === 0) return { kind: 'no-minions', missing }
    const job = repeated ? known : jobOf(request, minions, missing, ports.clock)
    const envelope = await ports.signer.sign(stringifyJson(envelopeOf(job)))
    const create = async (): Promise<void> => {
      if (!repeated && (await ports.jobs.create(job)) === 'taken') throw new JidTaken()
    }
    const send = () =>
      Promise.all([
        ports.mailbox.put(minions, { jid: job.jid, envelope, expiry: job.expiry }),
        fire(...jobEvents(job, options.legacyEvents)),
      ])
    try {
      // A jid that a user chose may be another job's, so that has to be known first. One of the clock can only where several
      // processes have clocks, and such a store makes writes one by one.
      if (request.origin === undefined && request.jid !== undefined) await create().then(send)
      else await ports.writes.inOrder(create, send)
    } catch (error) {
      if (error instanceof JidTaken) return { kind: 'jid-taken' }
      throw error
    }
    await ports.connections.ring(minions)
    return { kind: 'published', jid: job.jid, minions, missing }
  }
}

function jobOf(
  request: JobRequest,
  minions: readonly MinionId[],
  missing: readonly MinionId[],
  clock: Clock,
): JobRecord {
  const at = clock.now()
  return {
    jid: request.jid ?? clock.jid(),
    fun: request.fun,
    arg: request.arg,
    tgt: request.tgt,
    tgtType: request.tgtType,
    user: request.user,
    ret: request.ret,
    ...(request.returner === undefined ? {} : { returner: request.returner }),
    minions,
    missing,
    at,
    expiry: at + request.expiresIn * 1_000_000,
    ...(request.origin === undefined ? {} : { origin: request.origin }),
    ...(request.cause === undefined ? {} : { cause: request.cause }),
    ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
  }
}

/** What the master signs (JobEnvelope of the protocol). */
function envelopeOf(job: JobRecord): Mapping {
  return {
    jid: job.jid,
    fun: job.fun,
    arg: [...job.arg],
    tgt: job.tgt,
    tgt_type: job.tgtType,
    ...(checkedById.has(job.tgtType) ? {} : { minions: [...job.minions] }),
    ret: job.ret,
    ...returnerFields(job.returner),
    user: job.user,
    expiry: job.expiry / 1_000_000,
    ...(job.metadata === undefined ? {} : { metadata: job.metadata }),
  }
}

function jobEvents(job: JobRecord, legacy: boolean): Draft[] {
  const { jid, cause } = job
  const common = { fun: job.fun, arg: [...job.arg], tgt: job.tgt, jid }
  const rest = {
    tgt_type: job.tgtType,
    user: job.user,
    ...(job.metadata === undefined ? {} : { metadata: job.metadata }),
  }
  const drafts: Draft[] = [
    {
      tag: `salt/job/${jid}/new`,
      data: {
        jid,
        tgt_type: job.tgtType,
        tgt: job.tgt,
        user: job.user,
        fun: job.fun,
        arg: [...job.arg],
        minions: [...job.minions],
        missing: [...job.missing],
      },
      id: derivedEventId(jid, 'new'),
      cause,
    },
    {
      tag: `salt/job/${jid}/publish`,
      data: { ...common, ret: job.ret, ...rest },
      id: derivedEventId(jid, 'publish'),
      cause,
    },
  ]
  if (legacy) drafts.unshift({ tag: jid, data: { minions: [...job.minions] }, id: derivedEventId(jid, 'jid'), cause })
  return drafts
}
