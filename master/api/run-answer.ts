// What is answered to who runs a function: how it ended, and before that what it says, as JSON lines, to who takes them.
import { messageOf } from '../../core/error.ts'
import { stringifyJson, type Value } from '../../core/value/index.ts'
import type { Run, RunOutcome } from '../run.ts'
import type { Hear, Said } from '../said.ts'
import { answer } from './answer.ts'

/** The type of an answer in lines. */
const lines = 'application/x-ndjson'
/** Milliseconds between blank lines that keep a quiet answer alive. */
const keepAlive = 15_000

/** Whether who asks takes an answer in lines. */
export function takesLines(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes(lines)
}

/** How a run ended, as `POST /v1/run` tells it. */
export function endOf(tag: string, outcome: RunOutcome): Value {
  const { progress, printed, ...rest } = outcome
  return {
    tag,
    ...rest,
    progress: progress.map(({ suffix, event }) => ({ suffix, event })),
    ...(printed === undefined || printed.length === 0 ? {} : { printed: [...printed] }),
  }
}

/**
 * Starts a run and answers it. One that says nothing is answered as ever; from the first thing that is said on, each is a line
 * `{"said": …}` as it comes, and the end the last, `{"answer": …}` or `{"error": …, "message": …}`.
 */
export async function linesOfRun(start: (hear: Hear) => Run, tagOf: (run: Run) => string): Promise<Response> {
  const waiting: Said[] = []
  let hear: Hear = (said) => {
    waiting.push(said)
    begin()
  }
  let begin = (): void => undefined
  const begun = new Promise<'said'>((resolve) => {
    begin = () => resolve('said')
  })
  const run = start((said) => hear(said))
  const tag = tagOf(run)
  const first = await Promise.race([begun, run.outcome])
  if (first !== 'said') return answer(endOf(tag, { ...first, progress: [], printed: [] }))

  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout | undefined
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string): void => controller.enqueue(encoder.encode(text))
      const line = (value: Value): void => write(`${stringifyJson(value, { ascii: false, separators: [',', ':'] })}\n`)
      hear = (said) => line({ said: { ...said } })
      waiting.forEach(hear)
      timer = setInterval(write, keepAlive, '\n')
      const end = (value: Value): void => {
        hear = () => undefined
        clearInterval(timer)
        line(value)
        controller.close()
      }
      run.outcome.then(
        (outcome) => end({ answer: endOf(tag, { ...outcome, progress: [], printed: [] }) }),
        (error: unknown) => end({ error: 'failed', message: messageOf(error) }),
      )
    },
    cancel() {
      // It goes on; nobody listens any more.
      hear = () => undefined
      clearInterval(timer)
    },
  })
  return new Response(stream, { headers: { 'content-type': lines, 'cache-control': 'no-store' } })
}
