// What the gateway has for everybody but minions: salt-api, commands and library, the console, what monitoring asks.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import { BrineError } from '../../../core/error.ts'
import { buildApp, routesRoute } from '../../../master/api/app.ts'
import { consolePages } from '../../../master/api/console-pages.ts'
import { keyRoutes } from '../../../master/api/key-routes.ts'
import { opsRoutes } from '../../../master/api/ops-routes.ts'
import { prometheusText } from '../../../master/api/prometheus.ts'
import type { Route, TransportBindings } from '../../../master/api/route.ts'
import { createSaltApi } from '../../../master/api/salt/index.ts'
import { standingFigures } from '../../../master/api/standing-figures.ts'
import { userRoutes } from '../../../master/api/user-routes.ts'
import type { StartRun } from '../../../master/run.ts'
import type { AwsDesk } from '../compose.ts'

/** What it is joined to. */
export interface UserAppNeeds {
  readonly aws: AwsDesk
  readonly startRun: StartRun
  readonly report: (error: unknown, where: string) => void
  /** The routes that are served elsewhere: told of, and not answered. */
  readonly others: readonly Route[]
  /** Where watchers of the log are rung. */
  readonly socketUrl: string
}

/** Milliseconds within which every call is answered: an HTTP API waits for 30 s. */
const longest = 24_000

/** The console's files, which the bundle has beside it. */
const consoleFolder = join(dirname(fileURLToPath(import.meta.url)), 'console')

/** Joins the routes. Without `external_auth` users have no tokens, and the user routes take IAM's word alone. */
export function openUserApp({
  aws,
  startRun,
  report,
  others,
  socketUrl,
}: UserAppNeeds): Hono<{ Bindings: TransportBindings }> {
  const { store, settings, desk } = aws
  const master = { ...desk, startRun, runners: () => undefined }
  const readText = async (path: string): Promise<string> => {
    const bytes = await store.files.read('base', path.replace(/^\/srv\/salt\//, ''))
    if (bytes !== undefined) return Buffer.from(bytes).toString()
    throw new BrineError(`There is no ${path} among the deployed files. Put it below a fileRoot.`, { code: 'config' })
  }
  const api = createSaltApi(master, store, settings.api, { readText, report, longest, socketUrl })
  const routes: Route[] = [
    ...userRoutes(master, store, { longest, rights: api.rights }),
    ...keyRoutes(master, store),
    ...api.routes,
    ...consolePages(consoleFolder, { rootPrefix: settings.api.rootPrefix, socketUrl }),
    ...opsRoutes({
      version: settings.options.version,
      ready: async () => void (await store.log.end()),
      metrics: () => figuresText(aws),
      openMetrics: settings.api.statsDisableAuth,
      routes: () => [...others, ...routes],
    }),
    routesRoute(() => [...others, ...routes]),
  ]
  return buildApp(routes, {
    tokens: store.tokens,
    keys: store.keys,
    clock: store.clock,
    report,
    holderOf: api.auth.holderOf,
    takeTicket: api.auth.takeTicket,
    corsOrigins: settings.api.corsOrigins,
    fallback: api.fallback,
  })
}

/** How things stand, as Prometheus' text. What happened how often is counted over all functions, by CloudWatch. */
async function figuresText({ store, desk, settings }: AwsDesk): Promise<string> {
  const figures = await standingFigures({
    version: settings.options.version,
    keys: desk.keys,
    presence: desk.presence,
    connections: store.connections,
    deliveries: { waiting: () => store.queue.depth(), dead: () => store.queue.deadCount() },
  })
  return prometheusText(figures)
}
