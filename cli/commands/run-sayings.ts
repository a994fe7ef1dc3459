// What a run says on its way, printed as it comes: one after the other, before its end.
import type { Said } from '../../client/connection.ts'
import type { RunAnswer } from '../../core/protocol/index.ts'
import { get, isMap, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Io } from './io.ts'

/** Prints a value; `outputter` is the one it asks for. */
type Show = (value: Value, outputter?: string) => Promise<void>

/** Prints what it hears. */
export interface RunSayings {
  readonly hear: (said: Said) => void
  /** Prints what the answer has of what was said, and waits until all is printed. */
  printed(answer: RunAnswer | undefined): Promise<void>
}

/** Progress is shown, after what is done `before` it, as Salt shows it: `{suffix, event}`, by the outputter that the event asks for. */
export function runSayings(
  show: Show,
  io: Pick<Io, 'out'>,
  before: (event: Value) => Promise<void> = async () => undefined,
): RunSayings {
  let last: Promise<void> = Promise.resolve()
  const print = async (said: Said): Promise<void> => {
    if (said.kind === 'printed') return io.out(`${said.text}\n`)
    await before(said.event)
    await show({ suffix: said.suffix, event: said.event } as Mapping, outputterOf(said.event))
  }
  const hear = (said: Said): void => {
    last = last.then(() => print(said))
    // It rejects to who waits for the end.
    last.catch(() => undefined)
  }
  return {
    hear,
    async printed(answer) {
      for (const text of answer?.printed ?? []) hear({ kind: 'printed', text })
      for (const { suffix, event } of answer?.progress ?? []) hear({ kind: 'progress', suffix, event })
      await last
    },
  }
}

function outputterOf(event: Value): string | undefined {
  const own = isMap(event) ? (get(event, 'outputter') ?? null) : null
  return pythonTruth(own) ? pythonStr(own) : undefined
}
