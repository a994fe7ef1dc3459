// The gateway function's work: the API of a master, behind an HTTP API and for whoever may invoke it.
import type { Hono } from 'hono'
import { BrineError, messageOf } from '../../../core/error.ts'
import type { InvokeRequest } from '../../../core/protocol/index.ts'
import { agentPage } from '../../../master/api/agent-page.ts'
import { buildApp } from '../../../master/api/app.ts'
import { fileRoutes } from '../../../master/api/file-routes.ts'
import { type Endpoints, minionRoutes } from '../../../master/api/minion-routes.ts'
import type { Route, TransportBindings } from '../../../master/api/route.ts'
import { createReception, type VerifyIdentity } from '../../../master/reception.ts'
import { deployedAutosign } from '../autosign.ts'
import { type AwsDesk, openDesk } from '../compose.ts'
import { type Environment, variableIn } from '../deploy/environment.ts'
import { agentFiles } from '../layout/index.ts'
import { remoteRuns } from '../runs.ts'
import { receivedObjects } from '../store/received-files.ts'
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

/** Below it are the routes of minions, which ask most; what is for others is loaded with the first of them. */
const minionPath = '/minion/'

/** Bytes of a file in one answer: Lambda's 6 MB, of which base64 takes a quarter. */
const filePiece = 4 * 1024 * 1024

/** Opens it. */
export function openGateway(environment: Environment, telemetry: Telemetry): GatewayFunction {
  const aws = openDesk(environment, telemetry)
  const { store, settings } = aws
  const url = variableIn(environment, 'url')
  const entrance: Entrance = { url, user: settings.options.user }
  const startRun = remoteRuns(variableIn(environment, 'runFunction'), store.clock)
  const report = (error: unknown, where: string): void => telemetry.error(`${where}: ${messageOf(error)}`)
  const socketUrl = variableIn(environment, 'socketUrl')
  const others = minionsOwn(aws, url, socketUrl)
  const minions = buildApp(others, { tokens: store.tokens, keys: store.keys, clock: store.clock, report })
  let loading: Promise<App> | undefined
  const users = (): Promise<App> => {
    loading ??= import('./user-app.ts').then(({ openUserApp }) =>
      openUserApp({ aws, startRun, report, others, socketUrl }),
    )
    return loading
  }
  const fetch = async ({ request, transport }: Arrived): Promise<Response> => {
    const app = new URL(request.url).pathname.startsWith(minionPath) ? minions : await users()
    return app.fetch(request, transport)
  }
  return async (event) => {
    if ('brine' in event) {
      requireForm(event)
      return invokeAnswer(await fetch(requestOfInvoke(event, entrance)))
    }
    return httpAnswer(await fetch(requestOf(event, entrance)))
  }
}

function minionsOwn(aws: AwsDesk, url: string, socketUrl: string): readonly Route[] {
  const { store, settings, desk } = aws
  const checks = {
    verifyIdentity: identityLater(aws),
    ...(settings.mostReceived === undefined
      ? {}
      : { receive: { files: receivedObjects(store.objects), most: settings.mostReceived } }),
    ...(settings.hasAutosign ? { autosign: () => deployedAutosign(store.autosignFiles) } : {}),
  }
  const master = { ...desk, ...createReception(store, desk, settings.template.opts, checks) }
  return [
    ...minionRoutes(master, store, endpointsBelow(url, socketUrl)),
    ...fileRoutes({ files: store.files, clock: store.clock, piece: filePiece }),
    ...(settings.hasClouds ? [agentPage(() => store.cloudFiles.read('base', agentFiles.program))] : []),
  ]
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
    push: `${base}/minion/push`,
    socket: socketUrl,
  }
}

function requireForm(event: { readonly brine: number }): void {
  if (event.brine === 1) return
  throw new BrineError(`The gateway takes {"brine": 1, method, path, …}; this invocation said ${event.brine}.`, {
    code: 'protocol',
  })
}
