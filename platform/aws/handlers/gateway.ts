// The gateway function's work: the API of a master, behind an HTTP API and for whoever may invoke it.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import { BrineError, messageOf } from '../../../core/error.ts'
import type { InvokeRequest } from '../../../core/protocol/index.ts'
import { buildApp, routesRoute } from '../../../master/api/app.ts'
import { consolePages } from '../../../master/api/console-pages.ts'
import { fileRoutes } from '../../../master/api/file-routes.ts'
import { keyRoutes } from '../../../master/api/key-routes.ts'
import { type Endpoints, minionRoutes } from '../../../master/api/minion-routes.ts'
import type { Route, TransportBindings } from '../../../master/api/route.ts'
import { createSaltApi } from '../../../master/api/salt/index.ts'
import { userRoutes } from '../../../master/api/user-routes.ts'
import { createReception, type VerifyIdentity } from '../../../master/reception.ts'
import { type AwsDesk, openDesk } from '../compose.ts'
import { type Environment, variableIn } from '../deploy/environment.ts'
import { remoteRuns } from '../runs.ts'
import type { Telemetry } from '../telemetry.ts'
import {
  type Arrived,
  type Entrance,
  type HttpEvent,
  httpAnswer,
  invokeAnswer,
  requestOf,
  requestOfInvoke,
} from './http-event.ts'

/** Answers an event of the HTTP API (payload 2.0) or of an Invoke ({@link InvokeRequest}). */
export type GatewayFunction = (event: HttpEvent | InvokeRequest) => Promise<object>

type App = Hono<{ Bindings: TransportBindings }>

/** Milliseconds within which every call is answered: an HTTP API waits for 30 s. */
const longest = 24_000
/** Bytes of a file in one answer: Lambda's 6 MB, of which base64 takes a quarter. */
const filePiece = 4 * 1024 * 1024

/** The console's files, which the bundle has beside it. */
const consoleFolder = join(dirname(fileURLToPath(import.meta.url)), 'console')

/** Opens it. Without `external_auth` users have no tokens, and the user routes take IAM's word alone. */
export function openGateway(environment: Environment, telemetry: Telemetry): GatewayFunction {
  const { app, entrance } = openApp(environment, telemetry)
  const fetch = async ({ request, transport }: Arrived): Promise<Response> => app.fetch(request, transport)
  return async (event) => {
    if ('brine' in event) {
      requireForm(event)
      return invokeAnswer(await fetch(requestOfInvoke(event, entrance)))
    }
    return httpAnswer(await fetch(requestOf(event, entrance)))
  }
}

function openApp(environment: Environment, telemetry: Telemetry): { readonly app: App; readonly entrance: Entrance } {
  const aws = openDesk(environment, telemetry)
  const { store, settings, desk } = aws
  const url = variableIn(environment, 'url')
  const startRun = remoteRuns(variableIn(environment, 'runFunction'), store.clock)
  const master = {
    ...desk,
    ...createReception(store, desk, settings.template.opts, identityLater(aws)),
    startRun,
    runners: () => undefined,
  }
  const report = (error: unknown, where: string): void => telemetry.error(`${where}: ${messageOf(error)}`)
  const readText = async (path: string): Promise<string> => {
    const bytes = await store.files.read('base', path.replace(/^\/srv\/salt\//, ''))
    if (bytes !== undefined) return Buffer.from(bytes).toString()
    throw new BrineError(`There is no ${path} among the deployed files. Put it below a fileRoot.`, { code: 'config' })
  }
  const api = createSaltApi(master, store, settings.api, { readText, report, longest })
  const declared: Route[] = [
    ...minionRoutes(master, store, endpointsBelow(url, variableIn(environment, 'socketUrl'))),
    ...fileRoutes({ files: store.files, clock: store.clock, piece: filePiece }),
    ...userRoutes(master, store, { longest, rights: api.rights }),
    ...keyRoutes(master, store),
    ...api.routes,
    ...consolePages(consoleFolder, settings.api),
  ]
  const routes: Route[] = [...declared, routesRoute(() => routes)]
  const app = buildApp(routes, {
    tokens: store.tokens,
    keys: store.keys,
    clock: store.clock,
    report,
    holderOf: api.auth.holderOf,
    corsOrigins: settings.api.corsOrigins,
    fallback: api.fallback,
  })
  return { app, entrance: { url, user: settings.options.user } }
}

/** The check of what a minion shows of its instance, loaded with the first that shows any. */
function identityLater(aws: AwsDesk): NonNullable<VerifyIdentity> {
  let loading: Promise<NonNullable<VerifyIdentity>> | undefined
  return async (request) => {
    if (request.identity === undefined && request.web_identity === undefined) return undefined
    loading ??= import('../compose-fleet.ts').then(({ openIdentity }) => openIdentity(aws))
    return (await loading)(request)
  }
}

/** Whole URLs: the API's may have a path of its own, and sockets are elsewhere. */
function endpointsBelow(url: string, socketUrl: string): Endpoints {
  const base = url.replace(/\/$/, '')
  return {
    events: `${base}/minion/events`,
    jobs: `${base}/minion/jobs`,
    returns: `${base}/minion/returns`,
    refresh: `${base}/minion/refresh`,
    files: `${base}/minion/files`,
    socket: socketUrl,
  }
}

function requireForm(event: { readonly brine: number }): void {
  if (event.brine === 1) return
  throw new BrineError(`The gateway takes {"brine": 1, method, path, …}; this invocation said ${event.brine}.`, {
    code: 'protocol',
  })
}
