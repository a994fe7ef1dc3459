// The WebSocket on which the master says "look in your mailbox".
import type { WebSocket } from 'ws'
import { messageOf } from '../../core/error.ts'
import { PROTOCOL_HEADER, PROTOCOL_VERSION } from '../../core/protocol/version.ts'
import type { Outside } from '../outside.ts'
import { Backoff, pause } from './backoff.ts'
import { type Bootstrap, type HttpClient, resolveUrl } from './http.ts'
import type { Session } from './session.ts'

/** Milliseconds; the defaults keep within what a gateway allows (2 hours, 10 minutes idle). */
export interface DoorbellTimes {
  /** @default 8 minutes */
  readonly ping: number
  /** A new socket is opened at a random moment of the last third of this. @default 110 minutes */
  readonly life: number
}

/** What the doorbell needs. */
interface DoorbellSettings {
  readonly session: Session
  readonly bootstrap: Bootstrap
  readonly http: Pick<HttpClient, 'secure'>
  readonly outside: Outside
  readonly signal: AbortSignal
  readonly times?: Partial<DoorbellTimes>
  /** Called on every ring, and whenever a socket opens: a ring may have been missed. */
  readonly onRing: () => void
  /** Called when the last socket is gone. */
  readonly onSilence: () => void
}

/** Keeps one socket open; the new one is opened before the old is closed. Reconnects with full jitter. */
export class Doorbell {
  readonly #settings: DoorbellSettings
  readonly #times: DoorbellTimes
  readonly #backoff: Backoff
  readonly #open = new Set<WebSocket>()
  #running: Promise<void> | undefined

  constructor(settings: DoorbellSettings) {
    this.#settings = settings
    this.#times = { ping: 480_000, life: 6_600_000, ...settings.times }
    this.#backoff = new Backoff(settings.outside, 500, 30_000)
  }

  /** Whether a socket is open now. */
  get listening(): boolean {
    return this.#open.size > 0
  }

  /** Starts; ends with the signal. A master without a socket endpoint is asked again now and then. */
  start(): void {
    this.#running ??= this.#run()
  }

  /** Resolves when it has ended. */
  async stopped(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal, outside } = this.#settings
    while (!signal.aborted) {
      try {
        const { token, endpoints } = await this.#settings.session.standing()
        if (endpoints.socket === undefined) {
          await pause(300_000, signal)
          continue
        }
        const socket = await this.#connect(endpoints.socket, token)
        const opened = outside.now()
        const end = await this.#listen(socket)
        if (outside.now() - opened > 60_000_000) this.#backoff.reset()
        if (end === 'closed') await pause(this.#backoff.next(), signal)
      } catch (error) {
        if (signal.aborted) break
        outside.log.debug(`No doorbell: ${messageOf(error)}`)
        await pause(this.#backoff.next(), signal)
      }
    }
    for (const socket of this.#open) socket.terminate()
  }

  /** Resolves when it is time for another socket: this one closed, or its life nears its end. */
  #listen(socket: WebSocket): Promise<'closed' | 'renew'> {
    const { signal, outside } = this.#settings
    return new Promise((resolve) => {
      const renewal = setTimeout(() => end('renew'), this.#times.life * (0.67 + 0.33 * outside.random()))
      const end = (how: 'closed' | 'renew'): void => {
        clearTimeout(renewal)
        signal.removeEventListener('abort', closed)
        resolve(how)
      }
      const closed = (): void => end('closed')
      socket.once('close', closed)
      signal.addEventListener('abort', closed, { once: true })
      if (socket.readyState !== socket.OPEN || signal.aborted) closed()
    })
  }

  async #connect(endpoint: string, token: string): Promise<WebSocket> {
    const { bootstrap, http, session } = this.#settings
    const { WebSocket } = await import('ws')
    const url = resolveUrl(bootstrap, endpoint)
    const own = url.origin === bootstrap.origin || endpoint.startsWith('/')
    const address =
      own && bootstrap.socketPath !== undefined
        ? `ws+unix:${bootstrap.socketPath}:${url.pathname}${url.search}`
        : url.href.replace(/^http/, 'ws')
    // As API Gateway's authorizers of sockets write it, which hand headers on as they were sent.
    const headers = { Authorization: `Bearer ${token}`, [PROTOCOL_HEADER]: String(PROTOCOL_VERSION) }
    const socket = new WebSocket(address, {
      headers,
      handshakeTimeout: 15_000,
      perMessageDeflate: false,
      ...(address.startsWith('wss:') ? { agent: (await http.secure()).agent } : {}),
    })
    return new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('unexpected-response', (request, response) => {
        if (response.statusCode === 401 || response.statusCode === 403) session.refuse(token)
        request.destroy()
        reject(new Error(`the socket was answered with ${response.statusCode}`))
      })
      socket.on('open', () => {
        this.#opened(socket)
        resolve(socket)
      })
    })
  }

  #opened(socket: WebSocket): void {
    const { onRing, onSilence } = this.#settings
    const older = [...this.#open]
    this.#open.add(socket)
    let alive = true
    const ping = setInterval(() => {
      if (!alive) return socket.terminate()
      alive = false
      socket.ping()
      // A gateway answers the ping itself and tells nobody: this one reaches the master, which counts who is there.
      socket.send('{"action":"ping"}')
    }, this.#times.ping)
    socket.on('pong', () => {
      alive = true
    })
    socket.on('message', () => {
      alive = true
      onRing()
    })
    socket.on('close', () => {
      clearInterval(ping)
      this.#open.delete(socket)
      if (this.#open.size === 0) onSilence()
    })
    for (const old of older) old.close(1000)
    onRing()
  }
}
