// What the agent asks of its master once it has a token.
import { BrineError } from '../../core/error.ts'
import {
  BatchAnswerSchema,
  type FileAbout,
  FileAboutSchema,
  FileEnvsSchema,
  type FileList,
  FileListSchema,
  JobBatchSchema,
  type MineRequest,
  type PushRequest,
  RefusalSchema,
  type TokenAnswer,
} from '../../core/protocol/minion.ts'
import {
  entries,
  isMap,
  isMapping,
  type Mapping,
  pythonStr,
  stringifyJson,
  type Value,
} from '../../core/value/index.ts'
import type { PillarRequest } from '../modules/module.ts'
import type { Answer, Ask, HttpClient } from './http.ts'
import type { MasterClock } from './master-clock.ts'
import type { Session } from './session.ts'

/** How the master took a batch. */
export type Delivered =
  | { readonly kind: 'taken'; readonly refused: ReadonlyMap<string, string> }
  /** Too large, or not understood: never as it is. */
  | { readonly kind: 'unacceptable'; readonly message: string; readonly tooLarge: boolean }
  /** Later. */
  | { readonly kind: 'later'; readonly message: string; readonly retryAfter: number | undefined }

/** A job as the mailbox holds it. */
export interface OfferedJob {
  readonly jid: string
  readonly envelope: string
  /** Another journal of this minion took it before. */
  readonly fetched: boolean
}

/** A part of the mailbox, oldest first, and what to ask for as `after` where there is more. */
export interface OfferedJobs {
  readonly jobs: readonly OfferedJob[]
  readonly next: string | undefined
}

/** A pillar, and those of the master's settings that steer state runs. */
export interface CompiledPillar {
  readonly pillar: Mapping
  readonly opts: Mapping
}

/** A piece of a file, with what is to be known of the whole; or the copy one has is the file. */
export type FilePiece =
  | { readonly kind: 'piece'; readonly hash: string; readonly size: number; readonly bytes: Uint8Array }
  | { readonly kind: 'same' }
  | { readonly kind: 'missing' }

const timeout = 30_000
/** Bytes in a millisecond on the slowest line that large returns still get through. */
const slowestLine = 32

/** Requests with the token, which is renewed where the master no longer takes it. */
export class Connection {
  readonly session: Session
  readonly #http: HttpClient
  readonly #clock: MasterClock
  readonly #signal: AbortSignal

  constructor(session: Session, http: HttpClient, clock: MasterClock, signal: AbortSignal) {
    this.session = session
    this.#http = http
    this.#clock = clock
    this.#signal = signal
  }

  /** Tells the master the grains; it fires `minion/refresh/<id>`. Answers the pillar, where one is asked for. */
  async refresh(grains: Mapping, version: string, pillar?: PillarRequest): Promise<CompiledPillar> {
    const answer = await this.#ask('refresh', {
      method: 'POST',
      body: stringifyJson(pillar === undefined ? { grains, version } : { grains, version, pillar: asked(pillar) }, {
        ascii: false,
      }),
      timeout,
    })
    if (answer.status !== 200) throw refusal('the grains', answer)
    const { pillar: compiled = {}, opts = {} } = answer.body ?? {}
    return { pillar: mappingOf(compiled), opts: mappingOf(opts) }
  }

  /** Sends texts of events or returns in one request. Rejects only when the session does. */
  async send(kind: 'events' | 'returns', texts: readonly string[]): Promise<Delivered> {
    const body = `{"${kind}":[${texts.join(',')}]}`
    let answer: Answer
    try {
      answer = await this.#ask(kind, { method: 'POST', body, timeout: timeout + body.length / slowestLine })
    } catch (error) {
      if (!(error instanceof BrineError) || error.code !== 'unreachable') throw error
      return { kind: 'later', message: error.message, retryAfter: undefined }
    }
    if (answer.status === 200) {
      const parsed = BatchAnswerSchema.safeParse(answer.body)
      if (!parsed.success) return { kind: 'later', message: 'The master’s answer is not understood.', retryAfter: 5 }
      return { kind: 'taken', refused: new Map(parsed.data.refused.map(({ id, reason }) => [id, reason])) }
    }
    const { message } = refusal(`the ${kind}`, answer)
    const never = answer.status === 400 || answer.status === 413 || answer.status === 422
    return never
      ? { kind: 'unacceptable', message, tooLarge: answer.status === 413 }
      : { kind: 'later', message, retryAfter: answer.retryAfter }
  }

  /** Looks into the mailbox, waiting up to `wait` seconds for something that is not in `have`. */
  async jobs(
    query: { wait: number; journal: string; have: readonly string[]; after?: string | undefined },
    signal?: AbortSignal,
  ): Promise<OfferedJobs> {
    const parameters = new URLSearchParams({ wait: String(query.wait), journal: query.journal })
    if (query.have.length > 0) parameters.set('have', query.have.join(','))
    if (query.after !== undefined) parameters.set('after', query.after)
    const ask = { method: 'GET' as const, timeout: timeout + query.wait * 1000, signal: signal ?? this.#signal }
    const answer = await this.#ask('jobs', ask, `?${parameters}`)
    if (answer.status !== 200) throw refusal('the question for jobs', answer)
    const parsed = JobBatchSchema.safeParse(answer.body)
    if (!parsed.success)
      throw new BrineError('The master’s answer about jobs is not understood.', { code: 'unreachable' })
    this.#clock.learn(parsed.data.time)
    const offered = Array.isArray(answer.body?.jobs) ? answer.body.jobs : []
    const jobs = parsed.data.jobs.map(({ jid, envelope }, index) => {
      const entry = offered[index]
      const fetched = typeof entry === 'object' && entry !== null && 'fetched' in entry && entry.fetched === true
      return { jid, envelope, fetched }
    })
    return { jobs, next: parsed.data.next }
  }

  /** Gives to the mine, takes back, or asks what others give: then that is the answer. */
  async mine(request: MineRequest): Promise<Mapping> {
    const body = stringifyJson(request as unknown as Mapping, { ascii: false })
    const answer = await this.#ask('mine', { method: 'POST', body, timeout })
    if (answer.status !== 200) throw refusal('what is for the mine', answer)
    const { mine = {} } = answer.body ?? {}
    return mappingOf(mine)
  }

  /** Sends a piece of a file. Rejects where the master does not take it. */
  async push(request: PushRequest): Promise<void> {
    const body = stringifyJson(request as unknown as Mapping, { ascii: false })
    const answer = await this.#ask('push', { method: 'POST', body, timeout: timeout + body.length / slowestLine })
    if (answer.status !== 200) throw refusal('the file', answer)
  }

  /** The environments that have files. */
  async fileEnvs(): Promise<string[]> {
    const answer = await this.#ask('files', { method: 'GET', timeout })
    const parsed = FileEnvsSchema.safeParse(answer.body)
    if (answer.status !== 200 || !parsed.success) throw refusal('the question for environments', answer)
    return parsed.data.envs
  }

  /** The files of an environment; none of one that does not exist. */
  async fileList(saltenv: string): Promise<FileList['files']> {
    const answer = await this.#ask('files', { method: 'GET', timeout }, `?${new URLSearchParams({ saltenv })}`)
    const parsed = FileListSchema.safeParse(answer.body)
    if (answer.status !== 200 || !parsed.success) throw refusal(`the question for the files of ${saltenv}`, answer)
    return parsed.data.files
  }

  /** What the master says of one file; undefined where it has none. */
  async fileStat(saltenv: string, path: string): Promise<FileAbout | undefined> {
    const query = new URLSearchParams({ saltenv, path, stat: '1' })
    const answer = await this.#ask('files', { method: 'GET', timeout }, `?${query}`)
    if (answer.status === 404) return undefined
    const parsed = FileAboutSchema.safeParse(answer.body)
    if (answer.status !== 200 || !parsed.success) throw refusal(`the question for ${path}`, answer)
    return parsed.data
  }

  /** A piece of a file from `offset` on, unless `have` is its hash. */
  async filePiece(saltenv: string, path: string, offset: number, have?: string): Promise<FilePiece> {
    const query = new URLSearchParams({
      saltenv,
      path,
      offset: String(offset),
      ...(have === undefined ? {} : { have }),
    })
    const answer = await this.#ask('files', { method: 'GET', timeout: 120_000 }, `?${query}`)
    if (answer.status === 304) return { kind: 'same' }
    if (answer.status === 404) return { kind: 'missing' }
    const { 'brine-hash': hash, 'brine-size': size } = answer.headers
    if (answer.status !== 200 || typeof hash !== 'string' || typeof size !== 'string')
      throw refusal(`the question for ${path}`, answer)
    return { kind: 'piece', hash, size: Number(size), bytes: answer.bytes }
  }

  /** A request, and once more with a new token where the first is no longer taken. */
  async #ask(endpoint: keyof TokenAnswer['endpoints'], ask: Omit<Ask, 'url' | 'token'>, query = ''): Promise<Answer> {
    for (let round = 0; ; round++) {
      const { token, endpoints } = await this.session.standing()
      const url = `${endpoints[endpoint] ?? `/minion/${endpoint}`}${query}`
      const answer = await this.#http.ask({ signal: this.#signal, ...ask, url, token })
      this.#clock.learn(answer.body?.time)
      if ((answer.status !== 401 && answer.status !== 403) || round > 0) return answer
      this.session.refuse(token)
    }
  }
}

/** Which pillar is meant, as the wire has it. */
function asked({ saltenv, pillarenv, override }: PillarRequest): Mapping {
  return {
    ...(saltenv === undefined ? {} : { saltenv }),
    ...(pillarenv === undefined ? {} : { pillarenv }),
    ...(override === undefined ? {} : { override }),
  }
}

function mappingOf(value: Value): Mapping {
  if (isMapping(value)) return value
  return isMap(value) ? Object.fromEntries(entries(value).map(([key, item]) => [pythonStr(key), item])) : {}
}

function refusal(what: string, answer: Answer): BrineError {
  const message = RefusalSchema.safeParse(answer.body).data?.message ?? `it answers ${answer.status}`
  return new BrineError(`The master did not take ${what}: ${message}`, { code: 'unreachable' })
}
