// `brine-run state.event`: the bus, printed as it happens.
import type { Connection } from '../../client/connection.ts'
import { BrineError } from '../../core/error.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import { type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import { eventLine } from '../output/event-line.ts'
import type { Io } from './io.ts'

/** What to watch and how to print it. */
export interface WatchRequest {
  readonly tag: string
  /** End after so many, and with 0 after one, as Salt does; below that go on until interrupted. */
  readonly count: number
  readonly quiet: boolean
  readonly pretty: boolean
}

const names = ['tagmatch', 'count', 'quiet', 'sock_dir', 'pretty', 'node']

/** Reads `state.event`'s arguments; `pretty = True` with blanks gets a hint instead of being taken for a filter. */
export function watchRequest(args: readonly Value[], kwargs: Mapping): WatchRequest {
  const blank = args.indexOf('=')
  if (blank > 0) {
    const [name, value] = [pythonStr(args[blank - 1] ?? ''), pythonStr(args[blank + 1] ?? '')]
    throw new BrineError(`Blanks around = make it three arguments. Write ${name}=${value} in one word.`, {
      code: 'usage',
    })
  }
  const given: Mapping = { ...kwargs }
  for (const [index, value] of args.entries()) {
    const name = names[index]
    if (name === undefined)
      throw new BrineError(
        `state.event takes at most ${names.length} arguments, and ${pythonStr(value)} is one more.`,
        { code: 'usage' },
      )
    given[name] = value
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new BrineError(`state.event has no argument ${unknown}=. It has ${names.join(', ')}.`, { code: 'usage' })
  const count = Number(given.count ?? -1)
  if (!Number.isInteger(count))
    throw new BrineError(`count=${pythonStr(given.count ?? '')} is not a whole number.`, { code: 'usage' })
  return {
    tag: pythonStr(given.tagmatch ?? '*'),
    count,
    quiet: pythonTruth(given.quiet ?? false),
    pretty: pythonTruth(given.pretty ?? false),
  }
}

/** Prints matching events until there were enough or the user interrupts; the master is told of the watcher, as Salt's is. */
export async function watchEvents(
  connection: Connection,
  request: WatchRequest,
  io: Io,
  told: () => Promise<unknown>,
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, io.interrupted])
  const events = await connection.watch({ since: 'now' }, signal)
  await told()
  let seen = 0
  for await (const event of events) {
    if (!matchTag(request.tag, event.tag)) continue
    if (!request.quiet) await io.out(`${eventLine(event, request.pretty)}\n`)
    seen++
    if (request.count >= 0 && seen >= request.count) break
  }
  stop.abort()
}
