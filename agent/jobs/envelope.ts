// A job as the master signed it: whether it may run here, and what it says.
import { type KeyObject, verify } from 'node:crypto'
import { check } from '../../core/protocol/check.ts'
import { type JobEnvelope, JobEnvelopeSchema } from '../../core/protocol/minion.ts'
import { compileTarget } from '../../core/target/index.ts'
import { isMapping, parseJson, type Value } from '../../core/value/index.ts'

/** Target types that ask for nothing but the id. */
const byId: ReadonlySet<string> = new Set(['glob', 'list', 'pcre'])

/** A job that may run, or why not. */
export type Judged =
  | { readonly kind: 'job'; readonly job: JobEnvelope; readonly arg: readonly Value[] }
  | { readonly kind: 'refused'; readonly reason: string }
  /** It came too late; nobody waits for it. */
  | { readonly kind: 'expired'; readonly jid: string }

/** What a job is checked against. `now` is seconds since 1970 by the master's clock. */
export interface Standards {
  readonly key: KeyObject
  readonly id: string
  readonly now: number
}

/** Checks signature, jid, target and expiry, in this order. Nothing of an envelope counts before its signature does. */
export function judgeEnvelope(envelope: string, offeredJid: string, standards: Standards): Judged {
  const payload = signedPayload(envelope, standards.key)
  if (payload === undefined) return refused('its signature is not the master’s')
  const parsed = check(JobEnvelopeSchema, payload)
  if (!parsed.success)
    return refused(`it is not understood: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}`)
  const job = parsed.data
  if (job.jid !== offeredJid) return refused(`it is signed for the jid ${job.jid}`)
  if (!isTarget(job, standards.id)) return refused('this minion is not among its targets')
  if (job.expiry <= standards.now) return { kind: 'expired', jid: job.jid }
  return { kind: 'job', job, arg: job.arg as Value[] }
}

function refused(reason: string): Judged {
  return { kind: 'refused', reason }
}

/** The payload of a compact JWS signed with the key; undefined where it is not. The algorithm is the key's, whatever the header says. */
function signedPayload(envelope: string, key: KeyObject): Value | undefined {
  const [header, body, signature, ...more] = envelope.split('.')
  if (header === undefined || body === undefined || signature === undefined || more.length > 0) return undefined
  const algorithm = key.asymmetricKeyType === 'rsa' ? { name: 'RS256', hash: 'sha256' } : { name: 'EdDSA', hash: null }
  try {
    const head = parseJson(Buffer.from(header, 'base64url').toString())
    if (!isMapping(head) || head.alg !== algorithm.name) return undefined
    const bytes = Buffer.from(`${header}.${body}`)
    if (!verify(algorithm.hash, bytes, key, Buffer.from(signature, 'base64url'))) return undefined
    return parseJson(Buffer.from(body, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** By id alone where that is possible; else the master's own list of who is meant. */
function isTarget(job: JobEnvelope, id: string): boolean {
  if (job.minions !== undefined) return job.minions.includes(id)
  if (!byId.has(job.tgt_type)) return false
  try {
    return compileTarget(job.tgt_type, job.tgt)({ id, grains: {}, pillar: {} })
  } catch {
    // An expression that does not compile means nobody.
    return false
  }
}
