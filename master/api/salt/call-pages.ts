// The pages that call something: /, /run, /minions, /jobs, /keys.
import * as z from 'zod/mini'
import { get, isMap, type Mapping, type Value } from '../../../core/value/index.ts'
import { lowstateOf } from './body.ts'
import { type Caller, callerOf } from './caller.ts'
import { ApiError, noPermission } from './error-page.ts'
import { clientNames, noCredentials, type RunLowstate } from './lowstate.ts'
import type { Page, PageCall } from './page.ts'
import { welcome } from './welcome.ts'

const Call = z.looseObject({
  client: z.enum(clientNames),
  fun: z.union([z.string(), z.array(z.string())]),
  tgt: z.optional(z.union([z.string(), z.array(z.string())])),
  tgt_type: z.optional(z.string()),
  arg: z.optional(z.array(z.unknown())),
  kwarg: z.optional(z.record(z.string(), z.unknown())),
  full_return: z.optional(z.boolean()),
})
const Lowstate = z.union([Call, z.array(Call)])
const Job = z.omit(Call, { client: true })

/** The pages of calls. */
export function callPages(run: RunLowstate): readonly Page[] {
  const allow = 'GET, HEAD, POST'
  const users = { who: ['user', 'local'], allow } as const
  const call = (page: PageCall, lowstate: Value): Promise<Value[]> =>
    run(lowstate, callerOfPage(page), page.transport.remote ?? '')
  const posted = async (page: PageCall): Promise<Value> => lowstateOf((await page.body()).data)

  const minions = async (page: PageCall): Promise<{ value: Value }> => ({
    value: { return: await call(page, [{ client: 'local', tgt: asked(page, 'mid') ?? '*', fun: 'grains.items' }]) },
  })
  const jobs = async (page: PageCall): Promise<{ value: Value }> => {
    const jid = asked(page, 'jid', ['timeout'])
    const [found = null] = await call(page, [
      { client: 'runner', ...(jid === undefined ? { fun: 'jobs.list_jobs' } : { fun: 'jobs.list_job', jid }) },
    ])
    return { value: jid === undefined ? { return: [found] } : { info: [found], return: [returnsIn(found)] } }
  }
  const keys = async (page: PageCall): Promise<{ value: Value }> => {
    const mid = asked(page, 'mid')
    const wheel = mid === undefined ? { fun: 'key.list_all' } : { fun: 'key.finger', match: mid }
    const [answer = null] = await call(page, [{ client: 'wheel', ...wheel }])
    const data = isMap(answer) ? (get(answer, 'data') ?? null) : null
    return { value: { return: isMap(data) ? (get(data, 'return') ?? {}) : {} } }
  }
  const keysFrame = { ...users, isPrivate: false, refusal: noCredentials }

  return [
    welcome('/'),
    {
      ...users,
      method: 'POST',
      path: '/',
      about: 'runs a lowstate',
      body: Lowstate,
      answer: async (page) => ({ value: { return: await call(page, await posted(page)) } }),
    },
    welcome('/run'),
    {
      method: 'POST',
      path: '/run',
      who: ['anyone'],
      allow,
      session: false,
      about: 'runs a lowstate whose calls carry credentials or a token of /token',
      body: Lowstate,
      answer: async (page) => ({
        value: { return: await run(await posted(page), undefined, page.transport.remote ?? '') },
      }),
    },
    { ...users, method: 'GET', path: '/minions', about: 'grains of all minions', answer: minions },
    { ...users, method: 'GET', path: '/minions/:mid', about: "a minion's grains", answer: minions },
    {
      ...users,
      method: 'POST',
      path: '/minions',
      about: 'publishes jobs and answers with their jids',
      body: z.union([Job, z.array(Job)]),
      async answer(page) {
        const lowstate = await posted(page)
        const sent = await call(page, asyncJobs(lowstate))
        const jids = sent.flatMap((job) => (isMap(job) ? (get(job, 'jid') ?? []) : []))
        return {
          status: 202,
          value: { return: sent, _links: { jobs: jids.map((jid) => ({ href: `/jobs/${String(jid)}` })) } },
        }
      },
    },
    { ...users, method: 'GET', path: '/jobs', about: 'the jobs that are kept', answer: jobs },
    { ...users, method: 'GET', path: '/jobs/:jid', about: 'a job and what came back', answer: jobs },
    { ...keysFrame, method: 'GET', path: '/keys', about: "the minions' keys, by list", answer: keys },
    { ...keysFrame, method: 'GET', path: '/keys/:mid', about: "a key's fingerprint", answer: keys },
  ]
}

/** Whom a page is called by. The gate lets nobody else through. */
function callerOfPage({ principal }: PageCall): Caller {
  const caller = callerOf(principal)
  if (caller === undefined) throw new ApiError(401, noPermission)
  return caller
}

/** What stands in the path, or in the query under the same name. Other names are no resource of ours. */
function asked({ params, query }: PageCall, name: string, others: readonly string[] = []): string | undefined {
  for (const given of query.keys()) {
    if (given !== name && !others.includes(given)) throw new ApiError(404, 'Nothing matches the given URI')
  }
  const found = params[name] ?? query.get(name) ?? undefined
  return found === '' ? undefined : found
}

function asyncJobs(lowstate: Value): Value {
  if (!Array.isArray(lowstate)) return lowstate
  return lowstate.map((chunk) =>
    isMap(chunk)
      ? ({
          ...Object.fromEntries(chunk instanceof Map ? chunk : Object.entries(chunk)),
          client: 'local_async',
        } as Mapping)
      : chunk,
  )
}

/** The returns of a job as the runner tells it. */
function returnsIn(job: Value): Mapping {
  const results = isMap(job) ? (get(job, 'Result') ?? {}) : {}
  const returned: Mapping = {}
  for (const [id, result] of isMap(results) ? Object.entries(results) : [])
    returned[id] = isMap(result) ? (get(result, 'return') ?? null) : null
  return returned
}
