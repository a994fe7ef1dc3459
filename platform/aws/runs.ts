// Runs of runner and wheel functions: asked for at the gateway, run in a function of their own that may take its time.
import type { LambdaClient } from '@aws-sdk/client-lambda'
import { BrineError } from '../../core/error.ts'
import { decodeRecord, encodeRecord } from '../../core/value/record-text.ts'
import type { Clock, TokenStore } from '../../master/ports.ts'
import type { RunOutcome, RunRequest, StartRun } from '../../master/run.ts'
import { asking } from './aws-error.ts'

/** What the run function is invoked with; the request is a record's text, which loses nothing. */
export interface RunOrder {
  readonly request: string
}

/** What it answers. */
export interface RunResult {
  readonly outcome: string
}

/** A request with its jid. */
type Ordered = RunRequest & { readonly jid: string }

/**
 * A {@link StartRun} that has another function run. A run goes on there whatever becomes of who asked. A detached one is
 * started when Lambda has taken it; its outcome is told by its events alone.
 */
export function remoteRuns(functionName: string, clock: Pick<Clock, 'jid'>): StartRun {
  let loading: Promise<Invoke> | undefined
  const invoke: Invoke = async (kind, order) => {
    loading ??= loadInvoke(functionName)
    return (await loading)(kind, order)
  }
  return (request) => {
    const ordered: Ordered = { ...request, jid: request.jid ?? clock.jid() }
    const order: RunOrder = { request: encodeRecord(ordered) }
    const answer = invoke(request.detached === true ? 'Event' : 'RequestResponse', order)
    const outcome =
      request.detached === true
        ? answer.then(() => new Promise<RunOutcome>(() => undefined))
        : answer.then((text) => decodeRecord<RunOutcome>((JSON.parse(text) as RunResult).outcome))
    const started = answer.then(() => undefined)
    // Whoever waits for one of them does not wait for the other.
    for (const promise of [started, outcome]) promise.catch(() => undefined)
    return { jid: ordered.jid, started, outcome }
  }
}

type Invoke = (kind: 'Event' | 'RequestResponse', order: RunOrder) => Promise<string>

async function loadInvoke(functionName: string): Promise<Invoke> {
  const [{ InvokeCommand, LambdaClient }, { longClientConfig }] = await Promise.all([
    import('./sdk/lambda.ts'),
    import('./clients.ts'),
  ])
  const client: LambdaClient = new LambdaClient(longClientConfig({}))
  return async (kind, order) => {
    const command = new InvokeCommand({
      FunctionName: functionName,
      InvocationType: kind,
      Payload: Buffer.from(JSON.stringify(order)),
    })
    const { FunctionError, Payload } = await asking('a run', () => client.send(command))
    const text = Payload === undefined ? '' : Buffer.from(Payload).toString()
    if (FunctionError === undefined) return text
    throw new BrineError(`The function that runs runners failed (${FunctionError}): ${text.slice(0, 500)}`, {
      code: 'run',
    })
  }
}

/** Microseconds for which the jid of a run is remembered: Lambda tries an invocation again for 6 hours at most. */
const REMEMBERED = 7 * 3600 * 1_000_000

/**
 * Runs what was ordered, once: Lambda may deliver an invocation twice. Throws `run` for a repeat, whose outcome the first
 * one tells.
 */
export async function runOrdered(
  startRun: StartRun,
  { tokens, clock }: { readonly tokens: TokenStore; readonly clock: Pick<Clock, 'now'> },
  order: RunOrder,
): Promise<RunResult> {
  const request = decodeRecord<Ordered>(order.request)
  if (!(await tokens.useOnce(`run/${request.jid}`, clock.now() + REMEMBERED)))
    throw new BrineError(`The run ${request.jid} was begun before; it is not begun again.`, { code: 'run' })
  return { outcome: encodeRecord(await startRun(request).outcome) }
}
