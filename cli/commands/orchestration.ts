// `brine-run state.orchestrate` and `orch.show` on the command line: followed to the end, whatever becomes of the connection.
import type { Connection, Said } from '../../client/connection.ts'
import type { RunAnswer, RunRequest } from '../../core/protocol/index.ts'
import { get, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import { colours } from '../output/colour.ts'
import { meter, orchestration } from '../output/orchestration.ts'
import type { OutputOptions } from '../output/outputter.ts'
import { followedRun } from './followed-run.ts'
import type { Io } from './io.ts'

const functions: ReadonlySet<string> = new Set(['state.orchestrate', 'state.orch', 'state.sls'])
const ofNoFiles: ReadonlySet<string> = new Set(['state.orchestrate_single', 'state.orchestrate_high'])

/** Whether a runner function is followed instead of being waited for in one request. */
export function isFollowed(fun: string): boolean {
  return functions.has(fun) || ofNoFiles.has(fun) || fun === 'orch.follow'
}

/** Whether it is an orchestration of something else than SLS files: it shows its results as progress, then as they are. */
export function isOfNoFiles(fun: string): boolean {
  return ofNoFiles.has(fun)
}

/** What it is shown with. */
export interface FollowOptions {
  readonly io: Io
  readonly print: OutputOptions
  /** Told of what it says on its way. */
  readonly hear: (said: Said) => void
}

/** Milliseconds between two looks, on a terminal. */
const everySoOften = 500

/**
 * Starts an orchestration and waits for its end on the bus: a master that goes away meanwhile goes on with it when it is
 * back, and so does this. On a terminal a bar tells how far it is. Undefined where the user interrupts.
 */
export async function followOrchestration(
  connection: Connection,
  request: RunRequest,
  { io, print, hear }: FollowOptions,
): Promise<RunAnswer | undefined> {
  const followed = request.fun === 'orch.follow' ? pythonStr(request.arg?.[0] ?? '') : undefined
  const { started, end } = await followedRun(connection, request, io, hear)
  if (started.failure !== undefined) return started
  const jid = followed ?? started.jid
  const bar = io.isTty ? setInterval(() => void showMeter(connection, jid, io, print), everySoOften) : undefined
  try {
    const ended = await end(followed)
    const out = isOfNoFiles(request.fun) ? {} : { out: 'highstate' }
    if (ended !== undefined) return { ...started, ...ended, ...out }
    io.err(`\nThe orchestration ${jid} goes on. brine-run orch.show ${jid} tells how it stands, orch.cancel ends it.\n`)
    return undefined
  } finally {
    clearInterval(bar)
    if (bar !== undefined) io.err('\r\u001b[K')
  }
}

async function standing(connection: Connection, jid: string): Promise<Value> {
  const answer = await connection.run({ client: 'runner', fun: 'orch.show', arg: [jid], kwarg: {} })
  return answer.success === false ? null : (answer.return ?? null)
}

async function showMeter(connection: Connection, jid: string, io: Io, print: OutputOptions): Promise<void> {
  // A master that is away says nothing; the bar stays as it is.
  const now = await standing(connection, jid).catch(() => null)
  if (!isMap(now)) return
  const steps = get(now, 'steps')
  const number = (key: string): number => Number(pythonStr(get(now, key) ?? 0))
  const all = Array.isArray(steps) ? steps.length : 0
  io.err(`\r\u001b[K${meter(number('ended'), all, number('failed'), colours(print.color))}`)
}

/** `orch.show` on a terminal: painted again until it is done or the user interrupts. */
export async function watchOrchestration(
  connection: Connection,
  jid: string,
  io: Io,
  print: OutputOptions,
): Promise<void> {
  let painted = 0
  for (;;) {
    const now = await standing(connection, jid)
    if (!isMap(now)) return
    const text = orchestration(now, print)
    if (painted > 0) await io.out(`\u001b[${painted}A\u001b[J`)
    await io.out(`${text}\n`)
    painted = text.split('\n').length
    const status = pythonStr(get(now, 'status') ?? '')
    if ((status !== 'running' && status !== 'paused') || io.interrupted.aborted) return
    await new Promise((resolve) => setTimeout(resolve, everySoOften))
  }
}
