// What the configuration says of the API.
import type { Value } from '../../../core/value/index.ts'
import type { ExternalAuth } from '../../acl/index.ts'

/** A path of the hooks whose requests must be signed. */
export interface HookSignature {
  /** A glob over the path below the hook's, `github/*`. */
  readonly path: string
  readonly secret: string
  /** The header that carries the signature, in small letters. */
  readonly header: string
  /** What stands before it there: `sha256=`. */
  readonly prefix: string
  readonly algorithm: 'sha1' | 'sha256' | 'sha512'
  readonly encoding: 'hex' | 'base64'
}

/** Settings of the API, under Salt's names where Salt has them. */
export interface ApiSettings {
  readonly externalAuth: ExternalAuth
  readonly sharedsecret: string | null
  /** Salt's `token_expire`, seconds. */
  readonly tokenSeconds: number
  /** Salt's `netapi_enable_clients`. */
  readonly enabledClients: readonly string[]
  /** Salt's `timeout` and `gather_job_timeout`, seconds. */
  readonly timeout: number
  readonly gatherJobTimeout: number
  /** `POST /keys` makes keys. */
  readonly keygen: boolean
  readonly rootPrefix: string
  readonly webhookUrl: string
  readonly webhookDisableAuth: boolean
  readonly hookSignatures: readonly HookSignature[]
  /** Other origins whose pages may use the session's cookie and read answers; empty for any page's reading, without cookie. */
  readonly corsOrigins: readonly string[]
  readonly maxBody: number
  /** Salt's `authorized_ips`; empty for all. */
  readonly authorizedIps: readonly string[]
  /** Salt's `api_acl: users`: from which addresses a user may log in. Absent for all. */
  readonly apiAcl?: Value
  /** Salt's `stats_disable_auth`. */
  readonly statsDisableAuth: boolean
  /** Salt's `app`, `app_path`, `static`, `static_path`: files of a page to serve. */
  readonly app: string | null
  readonly appPath: string
  readonly static: string | null
  readonly staticPath: string
}

/** The settings of an API nobody configured: nobody may log in, no client is offered. */
export const defaultApiSettings: ApiSettings = {
  externalAuth: new Map(),
  sharedsecret: null,
  tokenSeconds: 43_200,
  enabledClients: [],
  timeout: 5,
  gatherJobTimeout: 10,
  keygen: false,
  rootPrefix: '/',
  webhookUrl: '/hook',
  webhookDisableAuth: false,
  hookSignatures: [],
  corsOrigins: [],
  maxBody: 1_048_576,
  authorizedIps: [],
  statsDisableAuth: false,
  app: null,
  appPath: '/app',
  static: null,
  staticPath: '/static',
}
