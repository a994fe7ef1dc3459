// The embedded master's HTTP app: every route there is, over one gate.
import type { Hono } from 'hono'
import { messageOf } from '../../core/error.ts'
import { agentPage } from '../../master/api/agent-page.ts'
import { buildApp, routesRoute } from '../../master/api/app.ts'
import { consolePages } from '../../master/api/console-pages.ts'
import type { EventCounts } from '../../master/api/event-counts.ts'
import { fileRoutes } from '../../master/api/file-routes.ts'
import { keyRoutes } from '../../master/api/key-routes.ts'
import { minionRoutes, sameOrigin } from '../../master/api/minion-routes.ts'
import { opsRoutes } from '../../master/api/ops-routes.ts'
import type { Route, TransportBindings } from '../../master/api/route.ts'
import type { ApiSettings, SaltApi } from '../../master/api/salt/index.ts'
import { userRoutes } from '../../master/api/user-routes.ts'
import type { Master } from '../../master/master.ts'
import type { ReactorCounts } from '../../reaction/index.ts'
import { appFront, appPages } from './file-pages.ts'
import { type MetricsNeeds, metricsText } from './metrics.ts'
import type { EmbeddedStore } from './store/index.ts'

interface AppParts {
  readonly master: Master
  readonly store: EmbeddedStore
  readonly api: SaltApi
  readonly settings: ApiSettings
  readonly events: EventCounts
  readonly reactor: () => Readonly<ReactorCounts>
  readonly consoleFolder: string | undefined
  readonly agent: (() => Promise<Uint8Array | undefined>) | undefined
  readonly log: { error(message: string): void }
}

/** Joins the routes. */
export function embeddedApp(parts: AppParts): Hono<{ Bindings: TransportBindings }> {
  const { master, store, api, settings, consoleFolder, agent, events, reactor, log } = parts
  const figures: MetricsNeeds = { master, store, events, answers: api.counts, reactor }
  const declared: Route[] = [
    ...minionRoutes(master, store, sameOrigin),
    ...fileRoutes(store),
    ...userRoutes(master, store, { rights: api.rights }),
    ...keyRoutes(master, store),
    ...api.routes,
    ...appPages(settings),
    ...(agent === undefined ? [] : [agentPage(agent)]),
    ...(consoleFolder === undefined ? [] : consolePages(consoleFolder, settings)),
  ]
  const routes: Route[] = [
    ...declared,
    ...opsRoutes({
      version: master.options.version,
      ready: async () => void (await store.log.end()),
      metrics: () => metricsText(figures),
      openMetrics: settings.statsDisableAuth,
      routes: () => routes,
    }),
    routesRoute(() => routes),
  ]
  const front = appFront(settings)
  return buildApp(routes, {
    tokens: store.tokens,
    keys: store.keys,
    clock: store.clock,
    report: (error, where) => log.error(`${where}: ${messageOf(error)}`),
    holderOf: api.auth.holderOf,
    takeTicket: api.auth.takeTicket,
    corsOrigins: settings.corsOrigins,
    fallback: api.fallback,
    ...(front === undefined ? {} : { front }),
  })
}
