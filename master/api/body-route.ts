// A route whose body is checked before it is handled.
import type * as z from 'zod/mini'
import { BrineError } from '../../core/error.ts'
import { check } from '../../core/protocol/index.ts'
import { parseJson, type Value } from '../../core/value/index.ts'
import type { Clock } from '../ports.ts'
import { refuse } from './answer.ts'
import type { Route, RouteContext } from './route.ts'

/** What of the route is its own. */
export interface BodyRoute<Schema extends z.ZodMiniType> extends Pick<Route, 'path' | 'who' | 'maxBody' | 'about'> {
  readonly body: Schema
  handle(body: z.output<Schema>, context: RouteContext): Promise<Response>
}

/** Joins it to a route. What is not as the schema says is refused, with the field and what is allowed. */
export function bodyRoute<Schema extends z.ZodMiniType>(clock: Clock, route: BodyRoute<Schema>): Route {
  return {
    ...route,
    method: 'POST',
    async handle(context) {
      const read = await bodyOf(context, route.body, clock)
      return 'refused' in read ? read.refused : route.handle(read.ok, context)
    },
  }
}

/** The request's body, checked; the error names the field and what is allowed. */
async function bodyOf<Schema extends z.ZodMiniType>(
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
  const what = `${where === '' ? 'The body' : `The field ${where}`} ${issue?.message ?? 'is not valid'}.`
  return { refused: refuse(400, 'body', what, clock) }
}
