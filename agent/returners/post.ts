// Posts to a server and tries again what may work the next time.
import { BrineError, messageOf } from '../../core/error.ts'
import type { ReturnerWorld } from './returner.ts'

/** Milliseconds before the second and the third try. */
const waits = [500, 2000]
/** Milliseconds for one answer. */
const usualPatience = 10_000

/** One request; `headers` are asked for at each try, since a signature holds its time. */
export interface Post {
  readonly url: URL
  readonly body: string
  readonly headers: () => Record<string, string>
  /** Milliseconds for one answer. @default 10 s */
  readonly patience?: number | undefined
}

/** The text of the answer. Rejects with a BrineError `returner-answer` after three tries, or at once where the server refuses. */
export async function post(request: Post, world: ReturnerWorld): Promise<string> {
  for (let tries = 0; ; tries++) {
    const outcome = await attempt(request, world)
    if (outcome.kind === 'answer') return outcome.text
    const wait = outcome.mayWork ? waits[tries] : undefined
    if (wait === undefined)
      throw new BrineError(`${request.url.origin} ${outcome.problem}`, { code: 'returner-answer' })
    await world.pause(wait)
  }
}

type Attempt =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'failed'; readonly problem: string; readonly mayWork: boolean }

async function attempt(
  { url, body, headers, patience = usualPatience }: Post,
  { fetch }: Pick<ReturnerWorld, 'fetch'>,
): Promise<Attempt> {
  try {
    const answer = await fetch(url, { method: 'POST', headers: headers(), body, signal: AbortSignal.timeout(patience) })
    const text = await answer.text()
    if (answer.ok) return { kind: 'answer', text }
    const mayWork = answer.status >= 500 || answer.status === 429
    return { kind: 'failed', problem: `answers ${answer.status}: ${text.slice(0, 300).trim()}`, mayWork }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { kind: 'failed', problem: `cannot be reached: ${messageOf(cause)}`, mayWork: true }
  }
}
