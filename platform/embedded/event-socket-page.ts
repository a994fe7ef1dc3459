// /ws: the bus on a WebSocket, as rest_cherrypy frames it.
import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { type CredentialHolders, credentialOf, principalOf } from '../../master/api/principal-of.ts'
import { below, eventJson } from '../../master/api/salt/index.ts'
import type { EventLog } from '../../master/ports.ts'
import type { Principal } from '../../master/principal.ts'
import type { OpenSocket, SocketPage } from './sockets.ts'

/** What who reads says first. Events from before it are not sent. */
const readyMessage = 'websocket client ready'
/** What every message is answered with, as in Salt. */
const received = 'server received message'
/** Milliseconds between two looks at whether who reads still may. */
const lookAgain = 2_000

interface EventSocketNeeds {
  readonly log: EventLog
  readonly holders: CredentialHolders
  readonly rootPrefix: string
  readonly corsOrigins: readonly string[]
  /** Whether somebody who was let in may stay. */
  readonly mayStay: (principal: Principal) => Promise<boolean>
}

/**
 * `/ws` and `/ws/<token>`, and rest_tornado's `/all_events/<token>`. A slow reader is waited for: what it has not taken
 * stays in the log.
 */
export function eventSocketPage(needs: EventSocketNeeds): SocketPage {
  const bases = ['/ws', '/all_events'].map((path) => below(needs.rootPrefix, path))
  return {
    takes: (path) => bases.some((base) => path === base || path.startsWith(`${base}/`)),
    async admit(request) {
      const principal = await whoIs(request, bases, needs)
      if (principal.kind !== 'user') return undefined
      return (peer) => serve(peer, principal, needs)
    },
  }
}

async function whoIs(request: IncomingMessage, bases: readonly string[], needs: EventSocketNeeds): Promise<Principal> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'master'}`)
  const base = bases.find((each) => url.pathname.startsWith(`${each}/`))
  const inPath = base === undefined ? '' : url.pathname.slice(base.length + 1)
  const headers = new Headers()
  for (const name of ['authorization', 'x-auth-token', 'cookie', 'origin', 'sec-fetch-site', 'host']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const shown =
    inPath === ''
      ? credentialOf(new Request(url, { headers }), { query: true, origins: needs.corsOrigins })
      : ({ token: inPath, by: 'query' } as const)
  return principalOf(shown, { transport: 'tcp', localUser: '' }, needs.holders, true)
}

function serve(peer: WebSocket, principal: Principal, { log, mayStay }: EventSocketNeeds): ReturnType<OpenSocket> {
  const stop = new AbortController()
  let begun = false
  peer.on('message', (message) => {
    if (!begun && String(message) === readyMessage) {
      begun = true
      // A socket that breaks while it is written to is closed by its own error.
      send(peer, log, stop.signal).catch(() => peer.terminate())
    }
    peer.send(received)
  })
  const looks = setInterval(() => {
    mayStay(principal).then(
      (may) => (may ? undefined : peer.close(1008, 'the token has ended')),
      () => peer.terminate(),
    )
  }, lookAgain)
  peer.on('close', () => {
    clearInterval(looks)
    stop.abort()
  })
}

/** Sends until the socket closes; the next batch is read once the last one was written. */
async function send(peer: WebSocket, log: EventLog, signal: AbortSignal): Promise<void> {
  for await (const batch of log.follow('now', signal)) {
    const frames = batch.map(({ event }) => `data: ${eventJson(event)}\n\n`)
    const last = frames.pop()
    if (last === undefined) continue
    for (const frame of frames) peer.send(frame)
    await new Promise<void>((resolve, reject) =>
      peer.send(last, (error) => (error == null ? resolve() : reject(error))),
    )
  }
}
