// What a configuration means for a master, whatever platform runs it: its options, and its API's settings.
import type { ParsedMaster } from '../core/config/index.ts'
import { isMap, pythonStr, type Value } from '../core/value/index.ts'
import { readExternalAuth } from './acl/index.ts'
import { type ApiSettings, readHookSignatures } from './api/salt/index.ts'
import { defaultMasterOptions, type MasterOptions } from './options.ts'
import type { PillarSource } from './pillar.ts'

/** What the platform says beside the configuration. */
export interface PlatformFacts {
  /** What minions prove their keys to where the configuration names nothing: the origin of the bootstrap URL. */
  readonly origin: string
  readonly version: string
  /** Where the configuration stands, for messages about it. */
  readonly confFile: string
}

/** The options of a master. */
export function masterOptionsOf({ config }: Pick<ParsedMaster, 'config'>, facts: PlatformFacts): MasterOptions {
  return {
    ...defaultMasterOptions,
    id: config.id === '' ? facts.origin : config.id,
    user: config.user,
    version: facts.version,
    autoAccept: config.auto_accept,
    maxMinions: config.max_minions,
    maxPending: config.max_pending_keys,
    pendInterval: config.pend_interval,
    authEvents: config.auth_events,
    presenceEvents: config.presence_events,
    presenceInterval: config.loop_interval,
    stateEvents: config.state_events,
    orchestrationEvents: config.orchestration_events,
    legacyEvents: config.legacy_events,
    nodegroups: nodegroupsOf(config.nodegroups),
    confFile: facts.confFile,
    tokenSeconds: Math.min(config.minion_token_seconds, 900),
    reactionExpiry: config.reaction_expiry,
  }
}

/** The API's settings. Throws for what in them could not hold. */
export function apiSettingsOf({ config, rest }: Pick<ParsedMaster, 'config' | 'rest'>): ApiSettings {
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

/** How pillars are compiled, apart from where their files are. */
export type PillarRules = Omit<PillarSource, 'files' | 'external' | 'error'>

/** What the configuration says of pillars. */
export function pillarRulesOf({ config }: Pick<ParsedMaster, 'config'>): PillarRules {
  return {
    merging: { strategy: config.pillar_source_merging_strategy, lists: config.pillar_merge_lists },
    safeErrors: config.pillar_safe_render_error,
    top: config.state_top,
    envOrder: config.env_order,
    withOpts: config.pillar_opts,
  }
}

/** `reactor_retry`: seconds, as they are written, in the engine's microseconds. */
export function reactorRetryOf({ config }: Pick<ParsedMaster, 'config'>): {
  readonly tries?: number
  readonly base?: number
  readonly cap?: number
} {
  const { tries, base, cap } = config.reactor_retry
  return {
    ...(tries === undefined ? {} : { tries }),
    ...(base === undefined ? {} : { base: base * 1_000_000 }),
    ...(cap === undefined ? {} : { cap: cap * 1_000_000 }),
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
