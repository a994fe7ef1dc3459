// Answers: JSON that loses nothing, and refusals with their reason and the master's time.
import type * as z from 'zod/mini'
import { BrineError } from '../../core/error.ts'
import { check, PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../core/protocol/index.ts'
import { parseJson, stringifyJson, type Value } from '../../core/value/index.ts'
import type { Clock } from '../ports.ts'
import type { RouteContext } from './route.ts'

const headers = { 'content-type': 'application/json', [PROTOCOL_HEADER]: String(PROTOCOL_VERSION) }

/** A JSON answer. */
export function answer(body: Value, status = 200): Response {
  return new Response(stringifyJson(body, { ascii: false, separators: [',', ':'] }), { status, headers })
}

/** A refusal: a stable code, what happened and what to do, and the time, which lets a wrong clock heal. */
export function refuse(status: number, error: string, message: string, clock: Clock): Response {
  return answer({ error, message, time: clock.now() / 1_000_000 }, status)
}

/** The request's body, checked; the error names the field and what is allowed. */
export async function bodyOf<Schema extends z.ZodMiniType>(
  context: RouteContext,
  schema: Schema,
  clock: Clock,
): Promise<{ ok: z.output<Schema> } | { refused: Response }> {
  let value: Value
  try {
    value = parseJson(await context.text())
  } catch (error) {
    if (!(error instanceof BrineError)) throw error
    return { refused: refuse(error.code === 'too-large' ? 413 : 400, error.code, error.message, clock) }
  }
  const parsed = check(schema, value)
  if (parsed.success) return { ok: parsed.data }
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') ?? ''
  return {
    refused: refuse(
      400,
      'body',
      `${where === '' ? 'The body' : `The field ${where}`} ${issue?.message ?? 'is not valid'}.`,
      clock,
    ),
  }
}
