// What monitoring and tools ask: /health, /ready, /metrics, /openapi.json.
import { messageOf } from '../../core/error.ts'
import type { Value } from '../../core/value/index.ts'
import { answer } from './answer.ts'
import { prometheusType } from './prometheus.ts'
import type { Audience, Route } from './route.ts'

/** What these routes ask. */
export interface OpsNeeds {
  readonly version: string
  /** Rejects, with the reason, while requests cannot be served. */
  readonly ready: () => Promise<void>
  /** The figures; none where the platform keeps them elsewhere. */
  readonly metrics?: () => Promise<string>
  /** Salt's `stats_disable_auth`: figures for anybody. */
  readonly openMetrics: boolean
  /** All routes there are, these included. */
  readonly routes: () => readonly Route[]
}

/** Milliseconds after which who does not answer is not ready. */
const patience = 2_000

/** The routes. */
export function opsRoutes({ version, ready, metrics, openMetrics, routes }: OpsNeeds): readonly Route[] {
  const open = { method: 'GET', who: ['anyone'], maxBody: 0 } as const
  const readers: readonly Audience[] = openMetrics ? ['anyone'] : ['user', 'local']
  return [
    { ...open, path: '/health', about: 'says that the process answers', handle: () => answer({ status: 'ok' }) },
    {
      ...open,
      path: '/ready',
      about: 'says whether requests can be served; 503 with the reason while they cannot',
      async handle() {
        const problem = await problemOf(ready)
        return problem === undefined
          ? answer({ status: 'ready' })
          : answer({ status: 'not ready', reason: problem }, 503)
      },
    },
    {
      ...open,
      path: '/openapi.json',
      about: 'what the API takes, as OpenAPI 3.1',
      // Loaded when it is asked for, with what reads the schemas.
      handle: async () => answer((await import('./openapi.ts')).openApi(routes(), version) as Value),
    },
    ...(metrics === undefined
      ? []
      : [
          {
            method: 'GET',
            path: '/metrics',
            who: readers,
            maxBody: 0,
            about: "figures in Prometheus' text form",
            handle: async () => new Response(await metrics(), { headers: { 'content-type': prometheusType } }),
          } satisfies Route,
        ]),
  ]
}

async function problemOf(ready: () => Promise<void>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patience / 1000} s`)), patience)
  })
  try {
    await Promise.race([ready(), late])
    return undefined
  } catch (error) {
    return messageOf(error)
  } finally {
    clearTimeout(timer)
  }
}
