// The embedded master's doors: HTTP for minions, a Unix socket for the commands, WebSockets as doorbells.
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { WebSocketServer } from 'ws'
import { BrineError, messageOf } from '../../core/error.ts'
import type { MinionId } from '../../core/event/event.ts'
import type { TransportBindings } from '../../master/api/route.ts'

/** How to open the doors. */
export interface DoorOptions {
  readonly app: Hono<{ Bindings: TransportBindings }>
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly socketPath: string
  /** What to serve HTTPS with. @default plain HTTP */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined
  readonly localUser: string
  /** The minion a bearer token speaks for; undefined closes the socket. */
  readonly minionOf: (token: string) => Promise<MinionId | undefined>
  /** Counts a minion's open socket until the returned function is called. */
  readonly connected: (minion: MinionId, ring: () => void) => () => void
}

/** Open doors. `close` lets requests under way end, for at most `grace` milliseconds. */
export interface Doors {
  /** `https://127.0.0.1:8000`. */
  readonly url: string
  close(grace: number): Promise<void>
}

/** Opens them. Throws where the port or the socket is taken, saying by what. */
export async function openDoors(options: DoorOptions): Promise<Doors> {
  const listener = (transport: 'tcp' | 'socket'): ReturnType<typeof getRequestListener> =>
    getRequestListener((request, { incoming }) =>
      options.app.fetch(request, {
        transport,
        localUser: options.localUser,
        remote: incoming.socket.remoteAddress,
        secure: transport === 'tcp' && options.certificate !== undefined,
      }),
    )
  const tcp =
    options.certificate === undefined
      ? createServer(listener('tcp'))
      : createSecureServer({ ...options.certificate, minVersion: 'TLSv1.2' }, listener('tcp'))
  const local = createServer(listener('socket'))
  // Minions poll for up to 25 s and the commands watch for as long as they like.
  for (const server of [tcp, local]) {
    server.requestTimeout = 0
    server.keepAliveTimeout = 75_000
  }
  const bells = openDoorbells(tcp, options)
  await listenTcp(tcp, options.host, options.port)
  try {
    await listenLocal(local, options.socketPath)
  } catch (error) {
    tcp.close()
    throw error
  }
  const address = tcp.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  return {
    url: `${options.certificate === undefined ? 'http' : 'https'}://${options.host}:${port}`,
    async close(grace) {
      bells.close()
      // The server does not count sockets that were upgraded, and would wait for them for ever.
      for (const peer of bells.clients) peer.terminate()
      await Promise.all([closeServer(tcp, grace), closeServer(local, grace)])
      await rm(options.socketPath, { force: true })
    },
  }
}

/** Milliseconds between pings; a peer that misses one is gone. */
const pingInterval = 30_000

function openDoorbells(server: Server, options: DoorOptions): WebSocketServer {
  const bells = new WebSocketServer({ noServer: true, maxPayload: 1024, clientTracking: true })
  const admit = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const path = (request.url ?? '').split('?')[0]
    const minion = token === undefined || path !== '/minion/socket' ? undefined : await options.minionOf(token)
    if (minion === undefined) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    bells.handleUpgrade(request, socket, head, (peer) => {
      let alive = true
      const leave = options.connected(minion, () => peer.send('{"doorbell":true}'))
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
      peer.on('close', () => {
        clearInterval(pings)
        leave()
      })
    })
  }
  server.on('upgrade', (request, socket, head) => {
    admit(request, socket as Socket, head).catch((error: unknown) => {
      socket.destroy(error instanceof Error ? error : new Error(messageOf(error)))
    })
  })
  return bells
}

function listenTcp(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message =
        error.code === 'EADDRINUSE'
          ? `Port ${port} on ${host} is taken. Is a master running already? Another port: rest_cherrypy: {port: …} in the master's configuration.`
          : `Cannot listen on ${host}:${port}: ${error.message}`
      reject(new BrineError(message, { code: 'listen', cause: error }))
    })
    server.listen(port, host, () => resolve())
  })
}

/** A socket left over by a master that was killed is removed; one that answers is a running master. */
async function listenLocal(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > 107) {
    throw new BrineError(
      `The socket's path ${path} is longer than the 107 bytes Unix allows. Choose a shorter sock_dir.`,
      { code: 'listen' },
    )
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  if (await answers(path)) {
    throw new BrineError(`A master answers on ${path} already. Stop it first, or use another sock_dir.`, {
      code: 'listen',
    })
  }
  await rm(path, { force: true })
  const before = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) =>
        reject(new BrineError(`Cannot listen on ${path}: ${error.message}`, { code: 'listen', cause: error })),
      )
      server.listen(path, () => resolve())
    })
  } finally {
    process.umask(before)
  }
  await chmod(path, 0o600)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}

async function closeServer(server: Server, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), grace)
  await closed
  clearTimeout(late)
}
