// The other end of a minion's bus, for commands and programs on the same machine.
import { connect, type Socket } from 'node:net'
import { BrineError, messageOf } from '../../core/error.ts'
import { isMapping, type Mapping } from '../../core/value/index.ts'
import { encodeLine, type LocalEvent, lineReader } from './framing.ts'

/** A connection to a minion's bus. */
export class LocalBusClient {
  readonly #socket: Socket
  readonly #waiting = new Map<number, (ok: boolean) => void>()
  #last = 0
  #onEvent: (event: LocalEvent) => void = () => undefined
  #onEnd: (() => void)[] = []

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('utf8')
    const read = lineReader((line) => this.#take(line))
    socket.on('data', (chunk) => read(String(chunk)))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      for (const answer of this.#waiting.values()) answer(false)
      this.#waiting.clear()
      for (const end of this.#onEnd.splice(0)) end()
    })
  }

  /** Fires an event; false where the bus did not take it (an empty tag, or it is gone). */
  fire(tag: string, data: Mapping): Promise<boolean> {
    return this.#ask({ fire: { tag, data } })
  }

  /** Events from now on, until the signal ends or the minion is gone. */
  async *events(signal?: AbortSignal): AsyncGenerator<LocalEvent> {
    yield* await this.subscribe(signal)
  }

  /** The same, subscribed when the promise resolves: what happens before the first read is kept for it. */
  async subscribe(signal?: AbortSignal): Promise<AsyncGenerator<LocalEvent>> {
    const queue: LocalEvent[] = []
    let wake: () => void = () => undefined
    let over = false
    const end = (): void => {
      over = true
      wake()
    }
    this.#onEvent = (event) => {
      queue.push(event)
      wake()
    }
    this.#onEnd.push(end)
    signal?.addEventListener('abort', end, { once: true })
    if (!(await this.#ask({ subscribe: true }))) over = true
    const leave = (): void => {
      signal?.removeEventListener('abort', end)
      this.#onEvent = () => undefined
    }
    return (async function* () {
      try {
        for (;;) {
          const event = queue.shift()
          if (event !== undefined) yield event
          else if (over || signal?.aborted === true) return
          else {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
        }
      } finally {
        leave()
      }
    })()
  }

  close(): void {
    this.#socket.end()
  }

  #ask(question: Mapping): Promise<boolean> {
    if (this.#socket.destroyed) return Promise.resolve(false)
    const id = ++this.#last
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#socket.write(encodeLine({ ...question, id }))
    })
  }

  #take(line: Mapping): void {
    if (typeof line.answer === 'number') {
      this.#waiting.get(line.answer)?.(line.ok === true)
      this.#waiting.delete(line.answer)
      return
    }
    if (typeof line.tag === 'string' && isMapping(line.data)) this.#onEvent({ tag: line.tag, data: line.data })
  }
}

/** Connects to a minion's bus. Throws a BrineError `local-bus` where no minion runs there or it is not ours to open. */
export function connectLocalBus(address: string): Promise<LocalBusClient> {
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    socket.once('error', (cause) => {
      const denied = 'code' in cause && cause.code === 'EACCES'
      const reason = denied ? 'it belongs to another user' : `is a minion running? (${messageOf(cause)})`
      reject(new BrineError(`The minion's bus at ${address} cannot be opened: ${reason}`, { code: 'local-bus', cause }))
    })
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(new LocalBusClient(socket))
    })
  })
}

/** Fires one event on a running minion's bus; false where none runs. */
export async function fireOnBus(address: string, tag: string, data: Mapping): Promise<boolean> {
  try {
    const client = await connectLocalBus(address)
    const fired = await client.fire(tag, data)
    client.close()
    return fired
  } catch (error) {
    if (error instanceof BrineError && error.code === 'local-bus') return false
    throw error
  }
}
