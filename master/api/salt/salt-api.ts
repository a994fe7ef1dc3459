// salt-api: its pages joined over a master.
import {
  type Authenticator,
  type Backend,
  createAuthenticator,
  createBackends,
  type ReadText,
} from '../../auth/index.ts'
import type { Master } from '../../master.ts'
import type { Ports } from '../../ports.ts'
import type { FunctionTable } from '../../run.ts'
import type { Fallback } from '../app.ts'
import type { Route } from '../route.ts'
import { callPages } from './call-pages.ts'
import { createRights, type Rights } from './caller.ts'
import { AnswerCounts } from './counts.ts'
import { eventPage } from './event-page.ts'
import { saltFallback } from './fallback.ts'
import { hookPages } from './hook-page.ts'
import { createApiJobs } from './jobs.ts'
import { keygenPage } from './keygen-page.ts'
import { localClients } from './local-clients.ts'
import { createLowstate } from './lowstate.ts'
import { pageRoute } from './page.ts'
import { ReturnsWatch } from './returns-watch.ts'
import { runClients } from './run-clients.ts'
import { sessionPages } from './session-pages.ts'
import type { ApiSettings } from './settings.ts'
import { statsPage } from './stats-page.ts'

/** What the platform adds. */
export interface SaltApiExtras {
  readonly readText: ReadText
  readonly report: (error: unknown, where: string) => void
  /** Backends of the platform's own, by name. */
  readonly backends?: ReadonlyMap<string, Backend>
  /** Milliseconds after which the platform ends an answer: a call answers before with what there is. @default none */
  readonly longest?: number
  /** Where watchers of the bus are rung, where that is a socket of the platform's own. @default none */
  readonly socketUrl?: string
}

/** What of a master the API uses. */
export interface SaltApiMaster
  extends Pick<Master, 'options' | 'fire' | 'publish' | 'resolve' | 'presence' | 'startRun' | 'keys'> {
  /** The runners there are; undefined where they run elsewhere. */
  readonly runners: () => FunctionTable | undefined
}

/** The API: routes for the app, and what the app and the sockets ask beside them. */
export interface SaltApi {
  readonly routes: readonly Route[]
  readonly fallback: Fallback
  readonly auth: Authenticator
  /** Who may do what: for routes beside the pages. */
  readonly rights: Rights
  readonly counts: AnswerCounts
  /** Ends what it reads. */
  close(): void
}

/** Makes it. Throws where the configuration names a backend that is not there. */
export function createSaltApi(
  master: SaltApiMaster,
  ports: Ports,
  settings: ApiSettings,
  extras: SaltApiExtras,
): SaltApi {
  const longest = extras.longest === undefined ? {} : { longest: extras.longest }
  const auth = createAuthenticator({
    auth: settings.externalAuth,
    backends: createBackends(settings.externalAuth, {
      sharedsecret: settings.sharedsecret,
      readText: extras.readText,
      ...(extras.backends === undefined ? {} : { others: extras.backends }),
    }),
    tokens: ports.tokens,
    clock: ports.clock,
    audit: ports.audit,
    tokenSeconds: settings.tokenSeconds,
  })
  const counts = new AnswerCounts()
  const returns = new ReturnsWatch(ports.log)
  const rights = createRights(auth, master.resolve)
  const jobs = createApiJobs({
    publish: master.publish,
    presence: master.presence,
    returns,
    jobs: ports.jobs,
    clock: ports.clock,
    ...longest,
  })
  const clients = new Map(
    Object.entries({
      ...localClients({ jobs, rights, settings }),
      ...runClients({ startRun: master.startRun, runners: master.runners, rights, clock: ports.clock, ...longest }),
    }),
  )
  const { run, prove } = createLowstate({ clients, enabled: settings.enabledClients, auth })
  const pages = [
    ...callPages(run),
    keygenPage({ keys: master.keys, rights, prove, enabled: settings.keygen }),
    ...sessionPages(auth, settings, extras.socketUrl),
    eventPage(ports.log, auth, extras.longest),
    ...hookPages(master.fire, settings),
    statsPage(counts, ports.clock, master.options.version, settings),
  ]
  const needs = {
    settings,
    clock: ports.clock,
    report: extras.report,
    count: (path: string, status: number, seconds: number) => counts.add(path, status, seconds),
  }
  return {
    routes: pages.map((page) => pageRoute(page, needs)),
    fallback: saltFallback(pages, settings, ports.clock),
    auth,
    rights,
    counts,
    close: () => returns.close(),
  }
}
