// The API over a real store, in this process, with minions that answer at once: for tests of what it lets whom do.

import type { Value } from '../../core/value/index.ts'
import { readExternalAuth } from '../../master/acl/index.ts'
import { buildApp } from '../../master/api/app.ts'
import type { TransportBindings } from '../../master/api/route.ts'
import { type ApiSettings, createSaltApi, defaultApiSettings, type SaltApi } from '../../master/api/salt/index.ts'
import { type TestMaster, testMaster, testMinion } from '../master/harness.ts'

/** A request's particulars. */
export interface Asked {
  readonly method?: string
  readonly token?: string | undefined
  readonly json?: unknown
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly from?: TransportBindings
}

/** A running API. */
export interface Stage {
  readonly test: TestMaster
  readonly api: SaltApi
  /** What was called on minions: `db1 cmd.run`. */
  readonly ran: string[]
  ask(path: string, asked?: Asked): Promise<Response>
  /** A session's token. */
  logIn(username: string, password?: string): Promise<string>
  close(): Promise<void>
}

/** Over the network, from this machine. */
export const tcp: TransportBindings = { transport: 'tcp', localUser: 'root', remote: '127.0.0.1' }
/** Through the master's own socket. */
export const socket: TransportBindings = { transport: 'socket', localUser: 'root' }

/** Every client there is. */
export const clients = [
  'local',
  'local_async',
  'local_subset',
  'local_batch',
  'runner',
  'runner_async',
  'wheel',
  'wheel_async',
] as const

/** Starts one with the minions db1 and web1. */
export async function startStage(settings: Partial<ApiSettings> & { access?: Value } = {}): Promise<Stage> {
  const test = await testMaster({ autoAccept: true })
  const { master, store } = test
  const { access, ...rest } = settings
  const api = createSaltApi(
    { ...master, runners: master.tables.runner },
    store,
    {
      ...defaultApiSettings,
      sharedsecret: 'secret',
      externalAuth: readExternalAuth({ sharedsecret: access ?? { admin: ['.*', '@runner', '@wheel'], nobody: [] } }),
      enabledClients: clients,
      timeout: 2,
      gatherJobTimeout: 1,
      ...rest,
    },
    { readText: async () => '', report: (error) => void reports.push(error) },
  )
  const reports: unknown[] = []
  const app = buildApp(api.routes, {
    tokens: store.tokens,
    keys: store.keys,
    clock: store.clock,
    report: (error) => void reports.push(error),
    holderOf: api.auth.holderOf,
    corsOrigins: rest.corsOrigins ?? [],
    fallback: api.fallback,
  })
  const ran: string[] = []
  const stop = new AbortController()
  const minions = ['db1', 'web1'].map((id) => answering(test, id, ran, stop.signal))
  await Promise.all(minions.map(({ ready }) => ready))

  const ask = (
    path: string,
    { method, token, json, body, headers = {}, from = tcp }: Asked = {},
  ): Promise<Response> => {
    const text = json === undefined ? body : JSON.stringify(json)
    const request = new Request(`http://master${path}`, {
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { 'x-auth-token': token }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    })
    return Promise.resolve(app.fetch(request, from))
  }
  return {
    test,
    api,
    ran,
    ask,
    async logIn(username, password = 'secret') {
      const answer = await ask('/login', { json: { username, password, eauth: 'sharedsecret' } })
      return answer.headers.get('x-auth-token') ?? ''
    },
    async close() {
      stop.abort()
      await Promise.all(minions.map(({ ended }) => ended))
      api.close()
      await test.close()
    },
  }
}

/** A minion that returns `true` to everything at once, and the functions it has to who asks. */
function answering(
  { master, store }: TestMaster,
  id: string,
  ran: string[],
  signal: AbortSignal,
): { ready: Promise<unknown>; ended: Promise<void> } {
  const ready = testMinion(id)
    .request()
    .then((request) => master.authenticate(request))
  const leave = store.connections.register(id, () => undefined)
  const work = async (): Promise<void> => {
    await ready
    while (!signal.aborted) {
      for (const { jid } of await store.mailbox.fetch(id, store.clock.now())) {
        const job = await store.jobs.get(jid)
        const fun = String(job?.fun)
        ran.push(`${id} ${fun}`)
        const returned = fun === 'sys.list_functions' ? ['test.ping', 'cmd.run'] : true
        const ret = { id: store.clock.eventId(), jid, fun, fun_args: [], return: returned, retcode: 0, success: true }
        await master.collect.returns({ kind: 'minion', id, epoch: 1 }, [ret])
      }
      await store.mailbox.wait(id, AbortSignal.any([signal, AbortSignal.timeout(1000)]))
    }
    leave()
  }
  return { ready, ended: work() }
}
