// Questions to a running minion over its own bus: an event that asks, and the event that answers it.
import { randomUUID } from 'node:crypto'
import { BrineError } from '../../core/error.ts'
import { type Mapping, pythonEquals } from '../../core/value/index.ts'
import { connectLocalBus } from './client.ts'
import type { LocalEvent } from './framing.ts'
import type { LocalBus } from './server.ts'

/** A question. `answerTag` is that of the event that answers; `patience` is in milliseconds. */
export interface BusQuestion {
  readonly tag: string
  readonly data: Mapping
  readonly answerTag: string
  readonly patience: number
}

/** Asks from within the minion itself; undefined where no answer came. */
export function askOnBus(bus: LocalBus, question: BusQuestion): Promise<Mapping | undefined> {
  const ask = randomUUID()
  return new Promise((resolve) => {
    const end = (answer: Mapping | undefined): void => {
      clearTimeout(timer)
      stop()
      resolve(answer)
    }
    const timer = setTimeout(() => end(undefined), question.patience)
    const stop = bus.watch((event) => {
      if (isAnswer(event, question, ask)) end(event.data)
    })
    bus.fire(question.tag, { ...question.data, ask })
  })
}

/** Asks from another process; undefined where no minion runs, or no answer came. */
export async function askMinion(address: string, question: BusQuestion): Promise<Mapping | undefined> {
  const ask = randomUUID()
  const over = AbortSignal.timeout(question.patience)
  try {
    const client = await connectLocalBus(address)
    try {
      const events = client.events(over)
      const first = events.next()
      await client.fire(question.tag, { ...question.data, ask })
      for (let next = await first; next.done !== true; next = await events.next())
        if (isAnswer(next.value, question, ask)) return next.value.data
      return undefined
    } finally {
      client.close()
    }
  } catch (error) {
    if (error instanceof BrineError && error.code === 'local-bus') return undefined
    throw error
  }
}

/**
 * Answers questions of one tag with what `answer` makes of them; nothing where that is undefined. Questions are answered
 * one after the other. Ends with the returned function.
 */
export function answerOnBus(
  bus: LocalBus,
  tag: string,
  answer: (question: Mapping) => Promise<{ readonly tag: string; readonly data: Mapping } | undefined>,
  onError: (error: unknown) => void,
): () => void {
  let last: Promise<void> = Promise.resolve()
  return bus.watch((event) => {
    if (event.tag !== tag) return
    last = last
      .then(async () => {
        const given = await answer(event.data)
        const { ask = null } = event.data
        if (given !== undefined) bus.fire(given.tag, ask === null ? given.data : { ...given.data, ask })
      })
      .catch(onError)
  })
}

function isAnswer({ tag, data }: LocalEvent, question: BusQuestion, ask: string): boolean {
  return tag === question.answerTag && pythonEquals(data.ask ?? null, ask)
}
