// The minion's own bus: whoever may open its socket can fire and watch.
import { chmod, mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { BrineError } from '../../core/error.ts'
import { stampOf } from '../../core/event/stamp.ts'
import { isMapping, type Mapping } from '../../core/value/index.ts'
import { encodeLine, type LocalEvent, lineReader } from './framing.ts'

/** A watcher that lets this many bytes pile up is cut off: it would miss events in silence otherwise. */
const patience = 8 * 1024 * 1024

/**
 * Order is that of firing. Events are not kept: a watcher sees what is fired while it watches. The socket is 0600; an
 * event gets its `_stamp` here.
 */
export class LocalBus {
  readonly address: string
  readonly #now: () => number
  readonly #server: Server
  readonly #all = new Set<Socket>()
  readonly #watchers = new Set<Socket>()
  readonly #listeners = new Set<(event: LocalEvent) => void>()

  private constructor(address: string, now: () => number) {
    this.address = address
    this.#now = now
    this.#server = createServer((socket) => this.#serve(socket))
  }

  /** Opens the bus; `now` is in microseconds since 1970. Throws a BrineError `running` where another process has it open. */
  static async open(address: string, now: () => number): Promise<LocalBus> {
    const bus = new LocalBus(address, now)
    const pipe = address.startsWith('\\\\')
    if (!pipe) {
      await mkdir(dirname(address), { recursive: true, mode: 0o700 })
      if (await answers(address)) {
        throw new BrineError(
          `Another minion listens on ${address}. Stop it first, or give this one another id or sock_dir.`,
          { code: 'running' },
        )
      }
      await rm(address, { force: true })
    }
    await new Promise<void>((resolve, reject) => {
      bus.#server.once('error', reject)
      bus.#server.listen(address, resolve)
    })
    if (!pipe) await chmod(address, 0o600)
    return bus
  }

  /** Gives an event to all who watch. */
  fire(tag: string, data: Mapping): void {
    const event = { tag, data: { ...data, _stamp: stampOf(this.#now()) } }
    for (const listener of this.#listeners) listener(event)
    if (this.#watchers.size === 0) return
    const line = encodeLine(event)
    for (const socket of this.#watchers) {
      if (socket.writableLength > patience) socket.destroy()
      else socket.write(line)
    }
  }

  /** Watches from within this process; ends with the returned function. */
  watch(listener: (event: LocalEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#all) socket.destroy()
    await closed
  }

  #serve(socket: Socket): void {
    this.#all.add(socket)
    socket.setEncoding('utf8')
    const read = lineReader((line) => this.#take(socket, line))
    socket.on('data', (chunk) => {
      try {
        read(String(chunk))
      } catch {
        socket.destroy()
      }
    })
    // A peer that goes away is no trouble of the bus.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#all.delete(socket)
      this.#watchers.delete(socket)
    })
  }

  #take(socket: Socket, line: Mapping): void {
    const { id = null, subscribe, fire } = line
    if (subscribe === true) this.#watchers.add(socket)
    const taken = isMapping(fire) && typeof fire.tag === 'string' && fire.tag !== '' && isMapping(fire.data)
    if (taken && isMapping(fire.data)) this.fire(String(fire.tag), fire.data)
    socket.write(encodeLine({ answer: id, ok: subscribe === true || taken }))
  }
}

/** Whether somebody listens there. */
function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const end = (result: boolean): void => {
      socket.destroy()
      resolve(result)
    }
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
  })
}
