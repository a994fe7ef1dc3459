// Answers: JSON that loses nothing, and refusals with their reason and the master's time.
import { PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../core/protocol/index.ts'
import { stringifyJson, type Value } from '../../core/value/index.ts'
import type { Clock } from '../ports.ts'

const headers = { 'content-type': 'application/json', [PROTOCOL_HEADER]: String(PROTOCOL_VERSION) }

/** A JSON answer. */
export function answer(body: Value, status = 200): Response {
  return new Response(stringifyJson(body, { ascii: false, separators: [',', ':'] }), { status, headers })
}

/** A refusal: a stable code, what happened and what to do, and the time, which lets a wrong clock heal. */
export function refuse(status: number, error: string, message: string, clock: Clock): Response {
  return answer({ error, message, time: clock.now() / 1_000_000 }, status)
}
