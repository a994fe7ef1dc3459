// What a master's configuration means for the embedded master.
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { ParsedMaster } from '../../core/config/index.ts'
import { isMap, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { ApiSettings, CertificateSource, EmbeddedOptions, Log } from '../../platform/embedded/index.ts'
import { defaultMasterOptions, readExternalAuth, readHookSignatures } from '../../platform/embedded/index.ts'
import { consoleFolder } from '../console-folder.ts'
import { version } from '../version.ts'

/** Joins the configuration to the options. */
export function embeddedOptions(
  { config, rest, reactor, written, confFile }: ParsedMaster & { readonly confFile: string },
  log: Log,
): EmbeddedOptions {
  const host = rest.host ?? config.interface
  const { port } = rest
  return {
    master: {
      ...defaultMasterOptions,
      id: config.id === '' ? `${rest.disable_ssl ? 'http' : 'https'}://${host}:${port}` : config.id,
      user: config.user,
      version,
      autoAccept: config.auto_accept,
      maxMinions: config.max_minions,
      maxPending: config.max_pending_keys,
      pendInterval: config.pend_interval,
      authEvents: config.auth_events,
      presenceEvents: config.presence_events,
      presenceInterval: config.loop_interval,
      stateEvents: config.state_events,
      legacyEvents: config.legacy_events,
      nodegroups: nodegroupsOf(config.nodegroups),
      confFile,
      tokenSeconds: Math.min(config.minion_token_seconds, 900),
      reactionExpiry: config.reaction_expiry,
    },
    timeout: config.timeout,
    gatherJobTimeout: config.gather_job_timeout,
    api: apiSettings({ config, rest }),
    certificate: certificateSource(rest),
    consoleFolder: consoleFolder(),
    host,
    port,
    dataDir: config.data_dir,
    pkiDir: config.pki_dir,
    sockDir: config.sock_dir,
    places: { reactorRoot: config.reactor_root, fileRoots: config.file_roots },
    pillar: {
      roots: config.pillar_roots,
      merging: { strategy: config.pillar_source_merging_strategy, lists: config.pillar_merge_lists },
      safeErrors: config.pillar_safe_render_error,
      top: config.state_top,
      envOrder: config.env_order,
      withOpts: config.pillar_opts,
    },
    entries: reactor.entries,
    runnerDirs: [...config.runner_dirs, ...(config.file_roots.base ?? []).map((root) => join(root, '_runners'))],
    keepJobsSeconds: config.keep_jobs_seconds,
    keepEventsSeconds: config.event_keep_seconds,
    keepEvents: config.event_keep,
    keepLedgerSeconds: config.ledger_keep_seconds,
    auditDays: config.audit_days,
    reactorBreaker: config.reactor_breaker,
    reactorRetry: inMicroseconds(config.reactor_retry),
    template: {
      opts: { ...(config as unknown as Mapping), ...(isMapping(written) ? written : {}), id: hostname() },
      grains: { id: hostname(), host: hostname().split('.')[0] ?? '', os: 'Linux', kernel: 'Linux' },
      pillar: {},
      ...(isMapping(config.jinja_env) ? { jinja: config.jinja_env } : {}),
    },
    minionFunctions: async () => (await import('./minion-functions.ts')).minionFunctions(),
    log,
  }
}

/** Seconds, as they are written, in the engine's unit. */
function inMicroseconds({
  tries,
  base,
  cap,
}: ParsedMaster['config']['reactor_retry']): Exclude<EmbeddedOptions['reactorRetry'], undefined> {
  return {
    ...(tries === undefined ? {} : { tries }),
    ...(base === undefined ? {} : { base: base * 1_000_000 }),
    ...(cap === undefined ? {} : { cap: cap * 1_000_000 }),
  }
}

/** The configured pair, or one of the master's own; plain HTTP where that is asked for. */
function certificateSource(rest: ParsedMaster['rest']): CertificateSource {
  if (rest.disable_ssl) return { kind: 'none' }
  if (rest.ssl_crt === null || rest.ssl_key === null) return { kind: 'own' }
  return {
    kind: 'files',
    crt: rest.ssl_crt,
    key: rest.ssl_key,
    ...(rest.ssl_chain === null ? {} : { chain: rest.ssl_chain }),
  }
}

/** The API's part. Throws for what in it could not hold. */
function apiSettings({ config, rest }: Pick<ParsedMaster, 'config' | 'rest'>): ApiSettings {
  return {
    externalAuth: readExternalAuth(config.external_auth),
    sharedsecret: config.sharedsecret,
    tokenSeconds: config.token_expire,
    enabledClients: config.netapi_enable_clients,
    timeout: config.timeout,
    gatherJobTimeout: config.gather_job_timeout,
    keygen: config.rest_keygen,
    rootPrefix: rest.root_prefix,
    webhookUrl: rest.webhook_url,
    webhookDisableAuth: rest.webhook_disable_auth,
    hookSignatures: readHookSignatures(rest.webhook_hmac),
    corsOrigins: rest.cors_origin,
    maxBody: rest.max_request_body_size,
    authorizedIps: rest.authorized_ips,
    apiAcl: rest.api_acl,
    statsDisableAuth: rest.stats_disable_auth,
    app: rest.app,
    appPath: rest.app_path,
    static: rest.static,
    staticPath: rest.static_path,
  }
}

/** A group is a target's text or a list of its words. */
function nodegroupsOf(groups: Value): Record<string, string | string[]> {
  if (!isMap(groups)) return {}
  const pairs = groups instanceof Map ? [...groups] : Object.entries(groups)
  return Object.fromEntries(
    pairs.map(([name, group]) => [pythonStr(name), Array.isArray(group) ? group.map(pythonStr) : pythonStr(group)]),
  )
}
