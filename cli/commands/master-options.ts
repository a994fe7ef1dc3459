// What a master's configuration means for the embedded master.
import { join } from 'node:path'
import type { MasterConfig } from '../../core/config/index.ts'
import { parseReactorConfig } from '../../core/sls/reactor-config.ts'
import { get, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import { defaultMasterOptions } from '../../platform/embedded/index.ts'
import type { EmbeddedOptions, Log } from '../../platform/embedded/index.ts'
import { version } from '../version.ts'

/** The host and port of the API, and so of the minions' bootstrap URL. */
export function addressOf(config: MasterConfig): { host: string; port: number } {
  const rest = config.rest_cherrypy
  const of = (key: string): Value | undefined => (isMap(rest) ? get(rest, key) : undefined)
  return { host: pythonStr(of('host') ?? config.interface), port: Number(of('port') ?? 8000) }
}

/** Joins the configuration to the options; what is odd about the reactor entries is logged. */
export function embeddedOptions(config: MasterConfig, log: Log): EmbeddedOptions {
  const { host, port } = addressOf(config)
  const { config: reactors, problems } = parseReactorConfig(config.reactor)
  for (const { message } of problems) log.warn(`reactor: ${message}`)
  return {
    master: {
      ...defaultMasterOptions,
      id: config.id === '' ? `http://${host}:${port}` : config.id,
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
      tokenSeconds: Math.min(config.minion_token_seconds, 900),
      reactionExpiry: config.reaction_expiry,
    },
    timeout: config.timeout,
    host,
    port,
    dataDir: config.data_dir,
    pkiDir: config.pki_dir,
    sockDir: config.sock_dir,
    places: { reactorRoot: config.reactor_root, fileRoots: config.file_roots },
    entries: reactors.entries.map(({ glob, files }) => ({ glob, files: [...files] })),
    runnerDirs: [...config.runner_dirs, ...(config.file_roots.base ?? []).map((root) => join(root, '_runners'))],
    keepJobsSeconds: config.keep_jobs_seconds,
    keepEventsSeconds: config.event_keep_seconds,
    log,
  }
}

/** A group is a target's text or a list of its words. */
function nodegroupsOf(groups: Value): Record<string, string | string[]> {
  if (!isMap(groups)) return {}
  const pairs = groups instanceof Map ? [...groups] : Object.entries(groups)
  return Object.fromEntries(pairs.map(([name, group]) => [pythonStr(name), Array.isArray(group) ? group.map(pythonStr) : pythonStr(group)]))
}
