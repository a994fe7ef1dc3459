// A run that takes longer than a request may: started, and its end waited for on the bus.
import type { Connection, Said } from '../../client/connection.ts'
import { follow } from '../../client/follow.ts'
import type { RunAnswer, RunRequest } from '../../core/protocol/index.ts'
import { get, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Io } from './io.ts'

/** What became of a run. */
export interface RunEnd {
  readonly return: Value
  readonly success: boolean
  readonly retcode: number
}

/** A run that goes on. */
export interface FollowedRun {
  readonly started: RunAnswer
  /**
   * Its end, or that of the run of `other`, whichever comes first; undefined where the user interrupts. To be called once,
   * as it ends the watching.
   */
  readonly end: (other?: string) => Promise<RunEnd | undefined>
}

/**
 * Starts a run on the master, hears its progress, and sees its end however soon it comes: the bus is watched before. A master that goes away
 * meanwhile is asked again when it is back.
 */
export async function followedRun(
  connection: Connection,
  request: RunRequest,
  io: Io,
  hear: (said: Said) => void = () => undefined,
): Promise<FollowedRun> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, io.interrupted])
  const events = await follow(connection, { tag: 'salt/run/*' }, signal)
  const started = await connection.run({ ...request, async: true })
  if (started.failure !== undefined) stop.abort()
  const end = async (other?: string): Promise<RunEnd | undefined> => {
    try {
      for await (const { tag, data } of events) {
        if (tag === `${started.tag}/progress`) hear({ kind: 'progress', suffix: 'progress', event: data })
        if (tag !== `${started.tag}/ret` && (other === undefined || tag !== `salt/run/${other}/ret`)) continue
        return {
          return: get(data, 'return') ?? null,
          success: pythonTruth(get(data, 'success') ?? false),
          retcode: Number(pythonStr(get(data, 'retcode') ?? 0)),
        }
      }
      return undefined
    } finally {
      stop.abort()
    }
  }
  return { started, end }
}
