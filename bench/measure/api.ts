// `bench api`: requests a second at the REST API with 8 and 64 connections, and how long they take, beside Salt's salt-api.
import { Agent, request } from 'node:http'
import { startApiLab } from '../../test/api/api-lab.ts'
import { type PeerFigure, percentile, type Row, rowOf } from '../figure.ts'
import type { Measure } from '../run.ts'
import { jsonLines, startSaltLab } from '../salt-lab.ts'
import { say } from '../talk.ts'

const CONNECTIONS = [8, 64] as const
/** Seconds a figure is measured for; `--size` says another number. */
const SECONDS = 5
const credentials = { username: 'saltdev', password: 'brine-lab-secret', eauth: 'sharedsecret' }

interface Load {
  readonly name: string
  readonly path: string
  readonly body: unknown
  readonly withToken: boolean
  /** What a good answer says. */
  readonly says: string
  /** How Salt's program of the lab names the same. */
  readonly salt: string
  /** What was measured of Salt before, requests a second. */
  readonly recorded: number
  readonly target?: number
}

const loads: readonly Load[] = [
  {
    name: 'POST /run local test.ping',
    path: '/run',
    body: [{ client: 'local', tgt: 'db1', fun: 'test.ping', ...credentials }],
    withToken: false,
    says: '"db1": true',
    salt: '/run local test.ping db1',
    recorded: 6,
    target: 100,
  },
  {
    name: 'POST / local_async test.ping',
    path: '/',
    body: [{ client: 'local_async', tgt: 'db1', fun: 'test.ping' }],
    withToken: true,
    says: '"jid"',
    salt: 'POST / token local_async',
    recorded: 15,
  },
  {
    name: 'POST /hook/bench',
    path: '/hook/bench',
    body: { a: 1 },
    withToken: true,
    says: 'success',
    salt: 'POST /hook/bench',
    recorded: 500,
    target: 10,
  },
]

interface Sample {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

/** Requests a second and milliseconds of a request, of each run. */
export const measure: Measure = async ({ peer, runs, size }) => {
  const seconds = size ?? SECONDS
  const found = new Map<string, Sample[]>()
  const stage = await startApiLab()
  try {
    const token = (await post(stage.port, '/login', credentials, {}, undefined)).token
    for (const load of loads)
      for (const connections of CONNECTIONS)
        for (let run = 0; run < runs; run++) {
          const sample = await under(stage.port, load, connections, seconds, token)
          say(`${load.name}, ${connections} connections: ${sample.rate.toFixed(0)}/s, p99 ${sample.p99.toFixed(1)} ms`)
          const key = `${load.name} ${connections}`
          found.set(key, [...(found.get(key) ?? []), sample])
        }
  } finally {
    await stage.lab.close()
  }
  const salt = peer ? await measureSalt(runs, seconds) : undefined
  return loads.flatMap((load) =>
    CONNECTIONS.flatMap((connections) =>
      rows(load, connections, found.get(`${load.name} ${connections}`) ?? [], salt?.get(`${load.salt} ${connections}`)),
    ),
  )
}

function rows(load: Load, connections: number, samples: readonly Sample[], salt: SaltFigures | undefined): Row[] {
  const what = `${load.name}, ${connections} connections`
  const from = 'salt-lab on the same kind of machine, 8 connections'
  const rate: PeerFigure = salt?.rate ?? { recorded: load.recorded, from }
  return [
    rowOf({
      what,
      unit: 'requests/s',
      better: 'higher',
      brine: samples.map((sample) => sample.rate),
      peer: rate,
      ...(load.target === undefined ? {} : { target: load.target }),
    }),
    rowOf({
      what: `${what}, p50`,
      unit: 'ms',
      better: 'lower',
      brine: samples.map((sample) => sample.p50),
      peer: salt?.p50,
    }),
    rowOf({
      what: `${what}, p99`,
      unit: 'ms',
      better: 'lower',
      brine: samples.map((sample) => sample.p99),
      peer: salt?.p99,
    }),
  ]
}

/** So many connections that ask again as soon as they are answered. Throws where one answer is not good. */
async function under(port: number, load: Load, connections: number, seconds: number, token: string): Promise<Sample> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers: Record<string, string> = load.withToken ? { 'x-auth-token': token } : {}
  const taken: number[] = []
  const began = performance.now()
  const end = began + seconds * 1000
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now()
      const { status, text } = await post(port, load.path, load.body, headers, agent)
      if (status !== 200 || !text.includes(load.says))
        throw new Error(`${load.path} answered ${status}: ${text.slice(0, 300)}`)
      taken.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  const elapsed = (performance.now() - began) / 1000
  agent.destroy()
  return { rate: taken.length / elapsed, p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) }
}

function post(
  port: number,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  agent: Agent | undefined,
): Promise<{ status: number; text: string; token: string }> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const all = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const options = { host: '127.0.0.1', port, path, method: 'POST', headers: all }
    const sent = request(agent === undefined ? options : { ...options, agent }, (response) => {
      let answer = ''
      response.on('data', (part) => {
        answer += part
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: answer,
          token: String(response.headers['x-auth-token'] ?? ''),
        }),
      )
    })
    sent.once('error', reject)
    sent.end(text)
  })
}

interface SaltFigures {
  readonly rate: PeerFigure
  readonly p50: PeerFigure
  readonly p99: PeerFigure
}

async function measureSalt(runs: number, seconds: number): Promise<ReadonlyMap<string, SaltFigures>> {
  const figures = new Map<string, SaltFigures>()
  const salt = await startSaltLab(['master', 'minion1', 'minion2', 'api'])
  try {
    for (const connections of CONNECTIONS) {
      say(`Salt: ${connections} connections`)
      const words = [String(connections), String(seconds), String(runs)]
      for (const line of jsonLines(await salt.python('b_api.py', words, 1_200_000))) {
        const { what, rps, p50_ms: p50, p99_ms: p99 } = line
        const once = (value: unknown): PeerFigure => ({ min: Number(value), median: Number(value), max: Number(value) })
        figures.set(`${String(what)} ${connections}`, { rate: rps as PeerFigure, p50: once(p50), p99: once(p99) })
      }
    }
  } finally {
    await salt.stop()
  }
  return figures
}
