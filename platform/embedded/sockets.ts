// WebSockets on the HTTPS port: each request for one is offered to the pages that take its path.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { messageOf } from '../../core/error.ts'

/** What happens on an open socket. Whatever it starts must end when the socket closes. */
export type OpenSocket = (peer: WebSocket) => void

/** A place where sockets are opened. */
export interface SocketPage {
  /** Whether a path is this page's. */
  takes(path: string): boolean
  /** What happens once the socket is open; undefined turns away who may not. */
  admit(request: IncomingMessage): Promise<OpenSocket | undefined>
}

/** Milliseconds between pings; a peer that misses one is gone. */
const pingInterval = 30_000
/** The longest message taken, bytes: nobody has more to say. */
const longest = 1024

/** Offers upgrades of the server to the pages. The answer counts the open sockets and closes them. */
export function openSockets(server: Server, pages: readonly SocketPage[]): { close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: longest, clientTracking: true })
  const admit = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const open = await pages.find((page) => page.takes(path))?.admit(request)
    if (open === undefined) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (peer) => {
      keepAlive(peer)
      open(peer)
    })
  }
  server.on('upgrade', (request, socket, head) => {
    // One that breaks before it is open is nobody's any more.
    socket.on('error', () => socket.destroy())
    admit(request, socket as Socket, head).catch((error: unknown) => {
      socket.destroy(error instanceof Error ? error : new Error(messageOf(error)))
    })
  })
  return {
    close() {
      sockets.close()
      // The server does not count sockets that were upgraded, and would wait for them for ever.
      for (const peer of sockets.clients) peer.terminate()
    },
  }
}

function keepAlive(peer: WebSocket): void {
  let alive = true
  const pings = setInterval(() => {
    if (!alive) return peer.terminate()
    alive = false
    peer.ping()
  }, pingInterval)
  peer.on('pong', () => {
    alive = true
  })
  // An error is followed by close, where the socket is given up.
  peer.on('error', () => peer.terminate())
  peer.on('close', () => clearInterval(pings))
}
