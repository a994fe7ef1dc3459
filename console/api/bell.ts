// The socket that rings when there is more to read: on AWS, where answers end and nothing streams.

/** Milliseconds after which a request to be told is renewed: API Gateway ends sockets that are silent for 10 minutes. */
const renewal = 8 * 60_000
/** Milliseconds after which a socket that did not open is tried again; the reader reads in windows meanwhile. */
const retry = 60_000

/** Rings. It opens its socket when it is first asked, and again when that has ended. */
export class Bell {
  readonly #url: () => Promise<string>
  #opening: Promise<WebSocket> | undefined
  #notBefore = 0

  /** `url` gives an address that opens one socket: a new one for each. */
  constructor(url: () => Promise<string>) {
    this.#url = url
  }

  /** Resolves when there is more behind the cursor, when the socket has ended, or at once where none opens: read then. */
  async rings(cursor: string, signal: AbortSignal): Promise<void> {
    const socket = await this.#open()
    if (socket === undefined || signal.aborted) return
    const done = new AbortController()
    await new Promise<void>((resolve) => {
      const once = { signal: done.signal }
      for (const name of ['message', 'close'] as const) socket.addEventListener(name, () => resolve(), once)
      signal.addEventListener('abort', () => resolve(), once)
      const ask = () => socket.send(JSON.stringify({ action: 'watch', cursor }))
      const renewing = setInterval(ask, renewal)
      done.signal.addEventListener('abort', () => clearInterval(renewing))
      ask()
    })
    done.abort()
  }

  close(): void {
    void this.#opening?.then((socket) => socket.close()).catch(() => undefined)
    this.#opening = undefined
  }

  async #open(): Promise<WebSocket | undefined> {
    if (this.#opening === undefined && Date.now() < this.#notBefore) return undefined
    this.#opening ??= this.#connect()
    try {
      const socket = await this.#opening
      if (socket.readyState === WebSocket.OPEN) return socket
      this.#opening = this.#connect()
      return await this.#opening
    } catch {
      this.#opening = undefined
      this.#notBefore = Date.now() + retry
      return undefined
    }
  }

  async #connect(): Promise<WebSocket> {
    const socket = new WebSocket(await this.#url())
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true })
      for (const name of ['error', 'close'] as const) socket.addEventListener(name, reject, { once: true })
    })
    return socket
  }
}
