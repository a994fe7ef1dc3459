// A master for the agent's tests: speaks the protocol, keeps what it gets, and fails on demand.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  EventBatchSchema,
  type MinionEvent,
  RefreshSchema,
  type Return,
  ReturnBatchSchema,
  TokenRequestSchema,
} from '../core/protocol/minion.ts'
import { isMapping, type Mapping, parseJson, stringifyJson, type Value } from '../core/value/index.ts'
import { bodyOf } from './fake-request.ts'
import { pemFinger } from './keys.ts'

/** Something that happened, in its order. */
export interface Happening {
  readonly what: 'token' | 'refresh' | 'event' | 'return' | 'jobs'
  readonly id: string
  readonly detail: string
}

/** What a job says besides its defaults. */
export interface JobDraft {
  readonly jid?: string
  readonly fun: string | readonly string[]
  readonly arg?: readonly Value[]
  readonly tgt?: string | readonly string[]
  readonly tgt_type?: string
  readonly minions?: readonly string[]
  /** `ret`, `ret_config`, `ret_kwargs`. */
  readonly returner?: Mapping
  /** Seconds from now. */
  readonly expiresIn?: number
  /** Another journal took it before. */
  readonly fetched?: boolean
}

type Answered =
  | { readonly status: number; readonly body: Mapping }
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly bytes: Buffer }

/** Answers like a master; its switches are public. */
export class FakeMaster {
  readonly happenings: Happening[] = []
  readonly events: MinionEvent[] = []
  readonly returns: Return[] = []
  grains: Mapping = {}
  /** What it answers to who asks for a pillar, before what is laid over it. */
  pillar: Mapping = {}
  /** The settings that come with the pillar. */
  opts: Mapping = {}
  /** What it was asked about the mine, and what it answers. */
  readonly mineRequests: Value[] = []
  mine: Mapping = {}
  /** The text of its files, by environment and path. */
  files: Readonly<Record<string, Readonly<Record<string, string>>>> = {}
  /** Modes of files by path; the master tells none of others. */
  modes: Readonly<Record<string, string>> = {}
  /** What of files it was asked for, oldest first. */
  readonly fileRequests: ('list' | 'stat' | 'bytes')[] = []
  /** The most bytes of a file it sends at a time. */
  piece = 1024
  /** How the next proof of a key is met. */
  keyState: 'accepted' | 'pending' | 'rejected' | 'denied' = 'accepted'
  /** Seconds the master's clock is ahead. */
  ahead = 0
  tokenLife = 900
  hasSocket = true
  /** A status for every request but the token's; 0 for none. */
  failWith = 0
  /** A status for every request for a token; 0 for none. */
  tokenStatus = 0
  /** Whether what the schema does not take is answered with 400. */
  badRequests = false
  /** The most bytes a request may have. */
  largest = Number.POSITIVE_INFINITY
  /** The most jobs an answer holds. */
  mostJobs = Number.POSITIVE_INFINITY
  /** Reasons to refuse events by tag. */
  readonly refusals = new Map<string, string>()
  readonly #mailbox = new Map<string, { envelope: string; fetched?: boolean }>()
  readonly #tokens = new Set<string>()
  readonly #jtis = new Set<string>()
  readonly #sockets = new Set<WebSocket>()
  readonly #connections = new Set<Socket>()
  #signing = generateKeyPairSync('ed25519')
  #server: Server
  #bell: WebSocketServer
  #waiters: (() => void)[] = []
  #jids = 0
  #port = 0

  private constructor() {
    this.#bell = new WebSocketServer({ noServer: true })
    this.#server = this.#create()
  }

  static async start(address: { port?: number; path?: string } = {}): Promise<FakeMaster> {
    const master = new FakeMaster()
    await master.#listen(address)
    return master
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The bell's open lines. */
  get listening(): number {
    return this.#sockets.size
  }

  get pub(): string {
    return this.#signing.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  }

  /** From now on it is another master. */
  renewKey(): void {
    this.#signing = generateKeyPairSync('ed25519')
  }

  /** Tokens given so far are no longer taken. */
  revokeTokens(): void {
    this.#tokens.clear()
  }

  /** Puts a job into the mailbox and rings. Answers the jid. */
  publish(draft: JobDraft, signer: KeyObject = this.#signing.privateKey): string {
    const jid = draft.jid ?? `202611210000000${String(++this.#jids).padStart(5, '0')}`
    const payload = {
      jid,
      fun: draft.fun,
      arg: draft.arg ?? [],
      tgt: draft.tgt ?? '*',
      tgt_type: draft.tgt_type ?? 'glob',
      ...(draft.minions === undefined ? {} : { minions: draft.minions }),
      ...{ ret: '', ...draft.returner },
      user: 'root',
      expiry: this.#now() + (draft.expiresIn ?? 300),
    }
    this.offer(jid, jws(payload as unknown as Value, signer), draft.fetched)
    return jid
  }

  /** Puts any envelope into the mailbox and rings. */
  offer(jid: string, envelope: string, fetched = false): void {
    this.#mailbox.set(jid, { envelope, ...(fetched ? { fetched } : {}) })
    this.ring()
  }

  ring(): void {
    for (const socket of this.#sockets) socket.send('{"doorbell":true}')
    for (const wake of this.#waiters.splice(0)) wake()
  }

  /** Cuts all sockets of the doorbell. */
  cutBell(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  /** Ends; `back` listens again at the same address. */
  async away(): Promise<() => Promise<void>> {
    const { port } = this
    await this.stop()
    return async () => {
      this.#server = this.#create()
      await this.#listen({ port })
    }
  }

  async stop(): Promise<void> {
    this.cutBell()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#connections) socket.destroy()
    await closed
  }

  #now(): number {
    return Date.now() / 1000 + this.ahead
  }

  #create(): Server {
    const server = createServer((request, response) => void this.#serve(request, response))
    server.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.on('close', () => this.#connections.delete(socket))
    })
    server.on('upgrade', (request, socket, head) => {
      const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      if (!this.#tokens.has(token)) return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
      this.#bell.handleUpgrade(request, socket, head, (webSocket) => {
        this.#sockets.add(webSocket)
        webSocket.on('close', () => this.#sockets.delete(webSocket))
      })
    })
    return server
  }

  async #listen({ port = 0, path }: { port?: number; path?: string }): Promise<void> {
    await new Promise<void>((resolve) =>
      path === undefined ? this.#server.listen(port, '127.0.0.1', resolve) : this.#server.listen(path, resolve),
    )
    const address = this.#server.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const text = await bodyOf(request)
    if (text === undefined) return
    const tooLarge = text.length > this.largest
    const answer: Answered = tooLarge
      ? this.#refuse(413, 'too large')
      : await this.#answer(url, request, text === '' ? null : parseJson(text))
    if ('bytes' in answer) {
      response.writeHead(answer.status, answer.headers).end(answer.bytes)
      return
    }
    const { status, body } = answer
    response.writeHead(status, { 'content-type': 'application/json' }).end(stringifyJson(body))
  }

  async #answer(url: URL, request: IncomingMessage, body: Value): Promise<Answered> {
    if (url.pathname === '/minion/token') {
      return this.tokenStatus === 0 ? this.#token(body) : this.#refuse(this.tokenStatus, 'as the test wishes')
    }
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (!this.#tokens.has(token)) return this.#refuse(401, 'the token is not known')
    if (this.failWith !== 0) return this.#refuse(this.failWith, 'as the test wishes')
    const id = token.split(' ')[0] ?? ''
    switch (url.pathname) {
      case '/minion/refresh': {
        const { grains, pillar } = RefreshSchema.parse(body)
        this.grains = grains as Mapping
        this.#note('refresh', id, '')
        return {
          status: 200,
          body: pillar === undefined ? {} : { pillar: { ...this.pillar, ...pillar.override }, opts: this.opts },
        }
      }
      case '/minion/events': {
        if (this.badRequests && !EventBatchSchema.safeParse(body).success) return this.#refuse(400, 'not understood')
        const refused: Value[] = []
        for (const event of EventBatchSchema.parse(body).events) {
          const reason = this.refusals.get(event.tag)
          if (reason !== undefined) refused.push({ id: event.id, reason })
          else if (!this.events.some((known) => known.id === event.id)) {
            this.events.push(event)
            this.#note('event', id, event.tag)
          }
        }
        return { status: 200, body: { accepted: 1, refused } }
      }
      case '/minion/returns': {
        for (const ret of ReturnBatchSchema.parse(body).returns) {
          if (!this.returns.some((known) => known.id === ret.id)) this.returns.push(ret)
          this.#mailbox.delete(ret.jid)
          this.#note('return', id, ret.jid)
        }
        return { status: 200, body: { accepted: 1, refused: [] } }
      }
      case '/minion/jobs':
        return this.#jobs(url)
      case '/minion/mine': {
        this.mineRequests.push(body)
        return { status: 200, body: { mine: this.mine } }
      }
      case '/minion/files':
        return this.#file(url)
      default:
        return this.#refuse(404, `nothing is at ${url.pathname}`)
    }
  }

  #file({ searchParams: query }: URL): Answered {
    const [env, path] = [query.get('saltenv'), query.get('path')]
    if (env === null) return { status: 200, body: { envs: Object.keys(this.files) } }
    const files = Object.entries(this.files[env] ?? {}).map(([name, text]) => {
      const bytes = Buffer.from(text)
      return { path: name, bytes, hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.byteLength }
    })
    const about = (file: (typeof files)[number]): Mapping =>
      offered(file.path, file.hash, file.size, this.modes[file.path])
    this.fileRequests.push(path === null ? 'list' : query.has('stat') ? 'stat' : 'bytes')
    if (path === null) return { status: 200, body: { files: files.map(about) } }
    const file = files.find((known) => known.path === path)
    if (file === undefined) return this.#refuse(404, `there is no ${path}`)
    const { hash, size, bytes } = file
    if (query.has('stat')) return { status: 200, body: about(file) }
    const offset = Number(query.get('offset'))
    const piece = bytes.subarray(offset, offset + this.piece)
    return query.get('have') === hash
      ? { status: 304, headers: {}, bytes: Buffer.alloc(0) }
      : { status: 200, headers: { 'brine-hash': hash, 'brine-size': String(size) }, bytes: piece }
  }

  async #jobs(url: URL): Promise<{ status: number; body: Mapping }> {
    const have = (url.searchParams.get('have') ?? '').split(',')
    const fresh = () => [...this.#mailbox].filter(([jid]) => !have.includes(jid))
    this.#note('jobs', '', url.search)
    if (fresh().length === 0 && url.searchParams.get('wait') !== '0') {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Number(url.searchParams.get('wait')) * 1000)
        this.#waiters.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
    return {
      status: 200,
      body: { ...this.#page(url.searchParams.get('after') ?? ''), time: this.#now() },
    }
  }

  #page(after: string): Mapping {
    const all = [...this.#mailbox].filter(([jid]) => jid > after).sort(([a], [b]) => (a < b ? -1 : 1))
    const jobs = all.slice(0, this.mostJobs).map(([jid, entry]) => ({ jid, ...entry }))
    return { jobs, ...(jobs.length < all.length ? { next: jobs.at(-1)?.jid ?? '' } : {}) }
  }

  #token(body: Value): { status: number; body: Mapping } {
    const { id, pub, assertion } = TokenRequestSchema.parse(body)
    const problem = this.#assertionProblem(id, pub, assertion)
    this.#note('token', id, problem ?? this.keyState)
    if (problem !== undefined) return this.#refuse(401, problem)
    if (this.keyState !== 'accepted') {
      const status = this.keyState === 'pending' ? 202 : 403
      return {
        status,
        body: { state: this.keyState, message: `The key is ${this.keyState}.`, retry_after: 1, time: this.#now() },
      }
    }
    const token = `${id} ${Math.random()}`
    this.#tokens.add(token)
    return {
      status: 200,
      body: {
        token,
        expires_in: this.tokenLife,
        time: this.#now(),
        master: { id: this.url, pub: this.pub, finger: pemFinger(this.pub) },
        endpoints: {
          events: '/minion/events',
          jobs: '/minion/jobs',
          returns: '/minion/returns',
          refresh: '/minion/refresh',
          ...(this.hasSocket ? { socket: '/minion/socket' } : {}),
        },
      },
    }
  }

  #assertionProblem(id: string, pub: string, assertion: string): string | undefined {
    const [header = '', payload = '', signature = ''] = assertion.split('.')
    const key = createPublicKey(pub)
    const algorithm = key.asymmetricKeyType === 'rsa' ? 'sha256' : null
    if (!verify(algorithm, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
      return 'bad signature'
    const claims = parseJson(Buffer.from(payload, 'base64url').toString())
    if (!isMapping(claims)) return 'no claims'
    const { iss, sub, exp, jti } = claims
    if (iss !== id || sub !== id) return 'another id'
    if (typeof exp !== 'number' || exp < this.#now() - 5 || exp > this.#now() + 65) return 'the time is wrong'
    if (typeof jti !== 'string' || this.#jtis.has(jti)) return 'used before'
    this.#jtis.add(jti)
    return undefined
  }

  #refuse(status: number, message: string): { status: number; body: Mapping } {
    return { status, body: { error: 'refused', message, time: this.#now() } }
  }

  #note(what: Happening['what'], id: string, detail: string): void {
    this.happenings.push({ what, id, detail })
  }
}

/** A compact JWS of a value. */
export function jws(payload: Value, key: KeyObject): string {
  const text = `${encode('{"alg":"EdDSA"}')}.${encode(stringifyJson(payload))}`
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url')
}

/** A file as the master lists it. */
function offered(path: string, hash: string, size: number, mode: string | undefined): Mapping {
  return { path, hash, size, ...(mode === undefined ? {} : { mode }) }
}
