// An HTTP proxy on loopback for tests: it resolves names of its own, wants a login, refuses on demand.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

/** Answers like a proxy; its switches are public. */
export class FakeProxy {
  /** `CONNECT host:port` and `GET http://…`, as they came. */
  readonly asked: string[] = []
  /** The port on loopback that a name of the proxy's leads to; others are not known. */
  readonly names = new Map<string, number>()
  /** `user:password`; undefined for a proxy that asks nobody. */
  login: string | undefined
  /** A status for every tunnel; 0 for none. */
  refuseWith = 0
  readonly #open = new Set<Duplex>()
  readonly #server: Server

  private constructor() {
    this.#server = createServer((message, answer) => this.#forward(message, answer))
    this.#server.on('connection', (socket) => this.#keep(socket))
    this.#server.on('connect', (message: IncomingMessage, socket: Duplex) => this.#tunnel(message, socket))
  }

  static async start(): Promise<FakeProxy> {
    const proxy = new FakeProxy()
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** What stands in a minion's configuration. */
  get config(): string {
    const [, user, password] = /^([^:]*):(.*)$/.exec(this.login ?? '') ?? []
    const login = user === undefined ? '' : `proxy_username: ${user}\nproxy_password: ${JSON.stringify(password)}\n`
    return `proxy_host: 127.0.0.1\nproxy_port: ${this.port}\n${login}`
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #keep(socket: Duplex): void {
    this.#open.add(socket)
    socket.on('close', () => this.#open.delete(socket))
    socket.on('error', () => socket.destroy())
  }

  #isRefused(message: IncomingMessage): boolean {
    if (this.login === undefined) return false
    const wanted = `Basic ${Buffer.from(this.login).toString('base64')}`
    return message.headers['proxy-authorization'] !== wanted
  }

  #tunnel(message: IncomingMessage, socket: Duplex): void {
    const to = message.url ?? ''
    this.asked.push(`CONNECT ${to}`)
    const port = this.names.get(to.replace(/:\d+$/, ''))
    const status = this.#isRefused(message)
      ? 407
      : this.refuseWith > 0
        ? this.refuseWith
        : port === undefined
          ? 502
          : 200
    if (status !== 200 || port === undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 2\r\n\r\nno`)
      return
    }
    const server = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    this.#keep(server)
    server.pipe(socket).pipe(server)
    server.on('close', () => socket.destroy())
    socket.on('close', () => server.destroy())
  }

  #forward(message: IncomingMessage, answer: ServerResponse): void {
    const { method = '', url = '', headers } = message
    this.asked.push(`${method} ${url}`)
    const place = new URL(url, 'http://none')
    const port = this.names.get(place.hostname)
    if (this.#isRefused(message) || port === undefined) {
      answer.writeHead(port === undefined ? 502 : 407).end()
      return
    }
    const path = `${place.pathname}${place.search}`
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 0, got.headers)
      got.pipe(answer)
    })
    asked.on('error', () => answer.destroy())
    message.pipe(asked)
  }
}
