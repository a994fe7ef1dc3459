// The embedded master's doors: HTTP for minions, a Unix socket for the commands, WebSockets as doorbells.
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { BrineError } from '../../core/error.ts'
import type { TransportBindings } from '../../master/api/route.ts'
import { openSockets, type SocketPage } from './sockets.ts'

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
  /** Where WebSockets are opened. */
  readonly sockets: readonly SocketPage[]
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
    getRequestListener(
      (request, { incoming }) =>
        options.app.fetch(request, {
          transport,
          localUser: options.localUser,
          remote: incoming.socket.remoteAddress,
          secure: transport === 'tcp' && options.certificate !== undefined,
        }),
      // HTTP/1.0 needs no Host: what balancers ask to see whether we live.
      { hostname: options.host },
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
  const sockets = openSockets(tcp, options.sockets)
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
      sockets.close()
      await Promise.all([closeServer(tcp, grace), closeServer(local, grace)])
      await rm(options.socketPath, { force: true })
    },
  }
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
