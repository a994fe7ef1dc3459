// Getting a token: the proof of the key, and what the master may say to it.

import { messageOf } from '../../core/error.ts'
import type { MinionId } from '../../core/event/event.ts'
import { check } from '../../core/protocol/check.ts'
import { RefusalSchema, type TokenAnswer, TokenAnswerSchema, WaitingSchema } from '../../core/protocol/minion.ts'
import { type Mapping, stringifyJson } from '../../core/value/index.ts'
import type { InstanceProof } from '../ec2/instance-proof.ts'
import { type KeyPair, makeAssertion } from '../keys.ts'
import type { Answer, HttpClient } from './http.ts'
import type { MasterClock } from './master-clock.ts'
import type { MasterTrust } from './trust.ts'

/** What one try for a token came to. */
export type TokenAttempt =
  | { readonly kind: 'token'; readonly answer: TokenAnswer }
  /** The key is known and not accepted; `retryAfter` in seconds as the master wishes. */
  | {
      readonly kind: 'waiting'
      readonly state: 'pending' | 'rejected' | 'denied'
      readonly message: string
      readonly retryAfter: number
    }
  /** The proof was refused; the master's time was learnt from the answer. */
  | { readonly kind: 'refused'; readonly message: string; readonly clockMoved: boolean }
  /** This version is not served: nothing but another version helps. */
  | { readonly kind: 'upgrade'; readonly message: string }
  /** No answer, or one that makes no sense. */
  | { readonly kind: 'unreachable'; readonly message: string; readonly retryAfter?: number }

/** What a request holds beside the key. */
export type Proof = InstanceProof & { readonly autosign_grains?: Mapping }

/** What the proof needs. */
export interface TokenSettings {
  readonly id: MinionId
  readonly keys: KeyPair
  readonly http: HttpClient
  readonly clock: MasterClock
  readonly trust: MasterTrust
  /** The master's id, which the proof is for. */
  readonly audience: string
  readonly version: string
  /** Milliseconds for one request. */
  readonly timeout: number
  /** What is told of this machine beyond its key; asked while the key is not accepted. */
  readonly proof: () => Promise<Proof>
}

/** Tries once, with the proof of the instance where `introduce` is true. Rejects only where the master is not the pinned one (`master-key`) or plain HTTP would leave the machine. */
export async function askToken(
  settings: TokenSettings,
  introduce: boolean,
  signal?: AbortSignal,
): Promise<TokenAttempt> {
  const { id, keys, http, clock, audience, version, timeout } = settings
  const proof = introduce ? await settings.proof() : {}
  const assertion = makeAssertion(keys, { id, audience, now: clock.now() })
  const body = stringifyJson({ id, pub: keys.pub, assertion, version, ...proof })
  let answer: Answer
  try {
    answer = await http.ask({ method: 'POST', url: '/minion/token', body, timeout, signal })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'insecure') throw error
    return { kind: 'unreachable', message: messageOf(error) }
  }
  return judge(settings, answer)
}

async function judge(settings: TokenSettings, answer: Answer): Promise<TokenAttempt> {
  const { status, body } = answer
  const before = settings.clock.offset
  settings.clock.learn(body?.time)
  if (status === 200) {
    const parsed = check(TokenAnswerSchema, body)
    if (!parsed.success) {
      return {
        kind: 'unreachable',
        message: `The master's answer is not understood: ${parsed.error.issues[0]?.message}`,
      }
    }
    await settings.trust.meet(parsed.data.master.pub)
    return { kind: 'token', answer: parsed.data }
  }
  if (status === 202 || status === 403) {
    const parsed = WaitingSchema.safeParse(body)
    if (parsed.success) {
      const { state, message, retry_after } = parsed.data
      return { kind: 'waiting', state, message, retryAfter: retry_after }
    }
  }
  const message = RefusalSchema.safeParse(body).data?.message ?? `it answers ${status}`
  if (status === 426) return { kind: 'upgrade', message }
  if (status === 401 || status === 400 || status === 403) {
    return { kind: 'refused', message, clockMoved: settings.clock.offset !== before }
  }
  return {
    kind: 'unreachable',
    message: `The master cannot give a token now: ${message}`,
    ...(answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter }),
  }
}
