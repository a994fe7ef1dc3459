// A minion proves its key and gets a token, or learns why not.
import { type AutosignRules, type AutosignVerdict, autosignVerdict } from '../core/autosign/index.ts'
import { messageOf } from '../core/error.ts'
import type { MinionId } from '../core/event/event.ts'
import { check, MinionIdSchema, type TokenRequest } from '../core/protocol/index.ts'
import { isMapping, type Mapping } from '../core/value/index.ts'
import type { Fire } from './fire.ts'
import { change, fingerOf } from './keys.ts'
import type { MasterOptions } from './options.ts'
import type { Audit, Clock, KeyRecord, KeyRing, TokenStore } from './ports.ts'

/** What a request for a token came to. */
export type Authentication =
  | { readonly kind: 'token'; readonly token: string; readonly expiresIn: number; readonly epoch: number }
  | {
      readonly kind: 'waiting'
      readonly state: 'pending' | 'rejected' | 'denied'
      readonly message: string
      readonly retryAfter: number
    }
  /** The proof does not hold: wrong key, audience, time, or used before. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'full'; readonly message: string }

/** Verifies the assertion first; nothing is stored or fired for a key that was not proven. */
export type Authenticate = (request: TokenRequest) => Promise<Authentication>

interface AuthenticatePorts {
  readonly keys: KeyRing
  readonly tokens: TokenStore
  readonly audit: Audit
  readonly clock: Clock
}

type Options = Pick<
  MasterOptions,
  'id' | 'autoAccept' | 'maxMinions' | 'maxPending' | 'pendInterval' | 'authEvents' | 'tokenSeconds'
>

/** Seconds a clock may be off, and the longest life of an assertion. */
const tolerance = 5
const longestAssertion = 60
/** Microseconds for which a pending key may still show who it is. */
const verifiedWithin = 600 * 1_000_000

const noRules: AutosignRules = { accept: [], reject: [], grains: {} }

/** Joins the ports to {@link Authenticate}. */
export function createAuthenticate(
  ports: AuthenticatePorts,
  fire: Fire,
  options: Options,
  /**
   * What can be verified about a new minion beyond its key (an EC2 identity document); absent means nothing is. With
   * `expected: true` in it the key is accepted at once.
   */
  verifyIdentity: (request: TokenRequest) => Promise<Mapping | undefined> = async () => undefined,
  /** Which keys are accepted and rejected by themselves, as it is now. @default none */
  autosign: () => Promise<AutosignRules> = async () => noRules,
): Authenticate {
  const authEvent = async (
    act: string,
    result: boolean,
    record: { id: MinionId; epoch: number },
    pub: string,
    identity?: Mapping,
  ): Promise<void> => {
    if (!options.authEvents) return
    const data: Mapping = {
      result,
      act,
      id: record.id,
      pub: pub.trim(),
      ...(identity === undefined ? {} : { identity }),
    }
    await fire({ tag: 'salt/auth', data, key: `${record.id}@${record.epoch}` })
  }

  const verdictOn = async ({ id, autosign_grains: grains }: TokenRequest): Promise<AutosignVerdict | undefined> =>
    autosignVerdict(await autosign(), id, grains !== undefined && isMapping(grains) ? grains : {})

  /** Which file decided is written down: nobody else did. */
  const noteVerdict = async ({ id }: TokenRequest, { kind, by }: AutosignVerdict, state: string): Promise<void> => {
    if (state !== (kind === 'accept' ? 'accepted' : 'rejected')) return
    await ports.audit.record({ at: ports.clock.now(), who: by, what: `key ${kind}`, detail: { id } })
  }

  const decide = async (request: TokenRequest): Promise<Authentication> => {
    const { id, pub } = request
    const before = await ports.keys.get(id)
    const verdict = isUndecided(before, pub) ? await verdictOn(request) : undefined
    if (before?.current === undefined) {
      const refusal = await roomFor(ports.keys, options, id, verdict)
      if (refusal !== undefined) {
        await authEvent('full', false, { id, epoch: before?.epoch ?? 0 }, pub)
        return { kind: 'full', message: refusal }
      }
    }
    const now = ports.clock.now()
    const identity = isUnverified(before, pub, now) ? await verifyIdentity(request) : undefined
    const record =
      (await change(ports.keys, id, (key) => meet(key, pub, { identity, verdict }, now, options))) ?? before
    const current = record?.current
    if (verdict !== undefined && current?.since === now) await noteVerdict(request, verdict, current.state)
    if (record === undefined || current === undefined)
      return { kind: 'full', message: `The key of ${id} was deleted meanwhile. Ask again.` }
    if (!sameKey(current.pub, pub)) {
      await authEvent('denied', false, record, pub)
      return waiting(
        'denied',
        `Another key owns the minion id ${id} (${current.state}). Delete it with brine-key -d ${id} if this minion is the right one.`,
        60,
      )
    }
    switch (current.state) {
      case 'rejected':
        await authEvent('reject', false, record, pub)
        return waiting(
          'rejected',
          `The key of minion ${id} was rejected. brine-key -a ${id} --include-rejected accepts it.`,
          60,
        )
      case 'pending':
        if (current.announced === now) await authEvent('pend', true, record, pub, current.identity)
        return waiting('pending', `The key of minion ${id} waits to be accepted: brine-key -a ${id}`, 10)
      case 'accepted': {
        const token = await ports.tokens.issue({
          kind: 'minion',
          name: id,
          epoch: record.epoch,
          expires: now + options.tokenSeconds * 1_000_000,
        })
        await authEvent('accept', true, record, pub, current.identity)
        return { kind: 'token', token, expiresIn: options.tokenSeconds, epoch: record.epoch }
      }
    }
  }

  return async (request) => {
    const valid = check(MinionIdSchema, request.id)
    const problem = valid.success
      ? await assertionProblem(ports, request, options.id)
      : {
          code: 'id',
          message: `The id ${JSON.stringify(request.id)} ${valid.error.issues[0]?.message ?? 'is not valid'}`,
        }
    if (problem === undefined) return decide(request)
    await ports.audit.record({
      at: ports.clock.now(),
      who: `minion ${request.id}`,
      what: 'token refused',
      detail: problem,
    })
    return { kind: 'refused', ...problem }
  }
}

function waiting(state: 'pending' | 'rejected' | 'denied', message: string, retryAfter: number): Authentication {
  return { kind: 'waiting', state, message, retryAfter }
}

/**
 * Whether it is still to be found out who this is: a key that is new, or one that waits without an identity since a
 * moment ago, for what AWS tells of an instance may lag behind its launch.
 */
function isUnverified(record: KeyRecord | undefined, pub: string, now: number): boolean {
  const { current } = record ?? {}
  if (current === undefined) return true
  if (current.state !== 'pending' || current.identity !== undefined || !sameKey(current.pub, pub)) return false
  return now - current.since < verifiedWithin
}

/** Whether a key may still be accepted or rejected by itself: it is new, or it waits. */
function isUndecided(record: KeyRecord | undefined, pub: string): boolean {
  const { current } = record ?? {}
  return current === undefined || (current.state === 'pending' && sameKey(current.pub, pub))
}

/** What is known of who asks, beside the key. */
interface Findings {
  readonly identity: Mapping | undefined
  readonly verdict: AutosignVerdict | undefined
}

/** How a record changes when a proven key asks under its id; undefined where it stays. A rejection by file goes before all that accepts. */
function meet(
  record: Omit<KeyRecord, 'revision'>,
  pub: string,
  { identity, verdict }: Findings,
  now: number,
  options: Options,
): Omit<KeyRecord, 'revision'> | undefined {
  const { current } = record
  const verified = identity === undefined ? {} : { identity }
  const rejects = verdict?.kind === 'reject'
  const accepts = !rejects && (options.autoAccept || identity?.expected === true || verdict?.kind === 'accept')
  if (current === undefined) {
    if (rejects) return { ...record, current: { state: 'rejected', pub, since: now, ...verified } }
    return accepts
      ? { ...record, epoch: record.epoch + 1, current: { state: 'accepted', pub, since: now, ...verified } }
      : { ...record, current: { state: 'pending', pub, since: now, announced: now, ...verified } }
  }
  if (!sameKey(current.pub, pub)) {
    if (record.denied.some((denied) => sameKey(denied.pub, pub))) return undefined
    return { ...record, denied: [...record.denied, { pub, at: now }].slice(-10) }
  }
  if (current.state !== 'pending') return undefined
  if (rejects) return { ...record, current: { ...current, ...verified, state: 'rejected', since: now } }
  if (accepts)
    return { ...record, epoch: record.epoch + 1, current: { ...current, ...verified, state: 'accepted', since: now } }
  if (identity !== undefined) return { ...record, current: { ...current, ...verified, announced: now } }
  const due = (current.announced ?? 0) + options.pendInterval * 1_000_000 <= now
  return due ? { ...record, current: { ...current, announced: now } } : undefined
}

function sameKey(a: string, b: string): boolean {
  return fingerOf(a) === fingerOf(b)
}

async function roomFor(
  ring: KeyRing,
  options: Options,
  id: MinionId,
  verdict: AutosignVerdict | undefined,
): Promise<string | undefined> {
  const records = await ring.list()
  const count = (state: string): number => records.filter((record) => record.current?.state === state).length
  if (verdict?.kind === 'reject') {
    return count('rejected') < options.maxPending
      ? undefined
      : `The key of minion ${id} is rejected by autoreject_file. ${options.maxPending} keys are rejected; it was not added.`
  }
  if (options.maxMinions > 0 && count('accepted') >= options.maxMinions) {
    return `This master takes ${options.maxMinions} minions (max_minions) and has them all; ${id} was not added.`
  }
  if (!options.autoAccept && verdict === undefined && count('pending') >= options.maxPending) {
    return `${options.maxPending} keys wait to be accepted (max_pending); ${id} was not added. Accept or delete some with brine-key.`
  }
  return undefined
}

/** Why the assertion does not prove the key; undefined where it does. Single use: its `jti` is remembered until it expires. */
async function assertionProblem(
  ports: Pick<AuthenticatePorts, 'tokens' | 'clock'>,
  request: TokenRequest,
  audience: string,
): Promise<{ code: string; message: string } | undefined> {
  const seconds = ports.clock.now() / 1_000_000
  try {
    const { importSPKI, jwtVerify } = await import('./jwt.ts')
    const algorithm = algorithmOf(request.assertion)
    const key = await importSPKI(request.pub, algorithm)
    const { payload } = await jwtVerify(request.assertion, key, {
      algorithms: [algorithm],
      issuer: request.id,
      subject: request.id,
      audience,
      clockTolerance: tolerance,
      currentDate: new Date(seconds * 1000),
      requiredClaims: ['exp', 'jti'],
    })
    const { exp = 0, jti = '' } = payload
    if (exp > seconds + longestAssertion + tolerance) {
      return {
        code: 'assertion',
        message: `The assertion lives until ${new Date(exp * 1000).toISOString()}; at most ${longestAssertion} s are allowed. Is the minion's clock right?`,
      }
    }
    if (!(await ports.tokens.useOnce(`${request.id}\n${jti}`, (exp + tolerance) * 1_000_000))) {
      return { code: 'replay', message: 'The assertion was used before.' }
    }
    return undefined
  } catch (error) {
    return { code: 'assertion', message: `The assertion does not prove the key of ${request.id}: ${messageOf(error)}` }
  }
}

/** `EdDSA` or `RS256`, nothing else, whatever the header says. */
function algorithmOf(assertion: string): 'EdDSA' | 'RS256' {
  const header: unknown = JSON.parse(Buffer.from(assertion.split('.')[0] ?? '', 'base64url').toString())
  return typeof header === 'object' && header !== null && 'alg' in header && header.alg === 'RS256' ? 'RS256' : 'EdDSA'
}
