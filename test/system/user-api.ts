// Speaks to a master over its Unix socket as a test or a benchmark needs it: requests with kept connections, the event stream.
import { Agent, type ClientRequest, request } from 'node:http'
import { createInterface } from 'node:readline'
import type { FireBatch, LoggedLine } from '../../core/protocol/user.ts'

/** An open way to a master. */
export interface UserApi {
  /** One request; the answer's JSON. Throws with status and body where the status is not 2xx. */
  ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>
  fire(events: FireBatch['events']): Promise<void>
  /** Every event from now on, in order; `ready` resolves once nothing fired later can be missed. */
  watch(onEvent: (line: LoggedLine) => void, query?: string): { ready: Promise<void>; stop(): void }
  close(): void
}

/** Opens the way to the master whose socket this is. Nothing is sent until something is asked. */
export function openUserApi(socketPath: string): UserApi {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const watches = new Set<ClientRequest>()
  const ask: UserApi['ask'] = (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers =
        text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      const sent = request({ socketPath, agent, method, path, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        answer.once('end', () => {
          const got = Buffer.concat(chunks).toString()
          if ((answer.statusCode ?? 0) >= 300) reject(new Error(`${method} ${path}: ${answer.statusCode} ${got}`))
          else resolve(got === '' ? undefined : JSON.parse(got))
        })
      })
      sent.once('error', reject)
      sent.end(text)
    })
  return {
    ask,
    async fire(events) {
      await ask('POST', '/v1/fire', { events })
    },
    watch(onEvent, query = 'since=now') {
      let sent: ClientRequest | undefined
      const ready = new Promise<void>((resolve, reject) => {
        sent = request({ socketPath, path: `/v1/events?${query}` }, (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`GET /v1/events: ${answer.statusCode}`))
          createInterface({ input: answer }).on('line', (line) => {
            if (line !== '') onEvent(JSON.parse(line))
          })
          answer.on('error', () => answer.destroy())
          resolve()
        })
        sent.on('error', reject)
        sent.end()
        watches.add(sent)
      })
      return { ready, stop: () => sent?.destroy() }
    },
    close() {
      for (const sent of watches) sent.destroy()
      agent.destroy()
    },
  }
}
