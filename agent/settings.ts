// What the agent makes of its configuration: its id, its master's address, its files.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { MinionConfig } from '../core/config/minion-keys.ts'
import { BrineError } from '../core/error.ts'
import { check } from '../core/protocol/check.ts'
import { MinionIdSchema } from '../core/protocol/minion.ts'
import type { Dict, Mapping, Value } from '../core/value/index.ts'
import { type Bootstrap, bootstrapOf } from './connection/http.ts'
import { nameGrains } from './grains/network.ts'

/** A parsed configuration (`parseMinionConfig`) and the directory its files are in. */
export interface AgentSetup {
  readonly config: MinionConfig
  /** All that was written, also keys that nobody knows. */
  readonly written?: Mapping | Dict
  /** `/etc/brine`: where the grains file is. */
  readonly confDir: string
}

/** The setup with what follows from it. */
export interface AgentSettings {
  readonly config: MinionConfig
  readonly id: string
  /** The whole configuration as `config.get` sees it. */
  readonly opts: Mapping
  readonly bootstrap: Bootstrap
  /** Whom the proof of the key is for. */
  readonly audience: string
  readonly isLocal: boolean
  readonly journalPath: string
  readonly grainsPath: string
  readonly modulesPath: string
}

/** Reads a setup. Throws a BrineError `config` for an id no minion may have. */
export function settingsOf(setup: AgentSetup): AgentSettings {
  const { config, confDir, written = {} } = setup
  const id = idOf(config)
  const valid = check(MinionIdSchema, id)
  if (!valid.success) {
    throw new BrineError(
      `The id ${JSON.stringify(id)} cannot be a minion's: it ${valid.error.issues[0]?.message}. Set id in ${join(confDir, 'minion')}.`,
      { code: 'config' },
    )
  }
  const bootstrap = bootstrapOf(config.master, config.master_port)
  const opts: Mapping = {
    ...(config as unknown as Mapping),
    ...Object.fromEntries(
      (written instanceof Map ? [...written] : Object.entries(written)).map(([key, value]) => [String(key), value]),
    ),
    id,
    conf_file: join(confDir, 'minion'),
  }
  const isLocal =
    (config.file_client === 'local' || opts.local === true || opts.master_type === 'disable') &&
    !config.use_master_when_local
  return {
    config,
    id,
    opts,
    bootstrap,
    audience: textAt(opts, 'master_id') ?? bootstrap.origin,
    isLocal,
    journalPath: join(config.data_dir, 'journal'),
    grainsPath: join(confDir, 'grains'),
    modulesPath: join(config.cachedir, 'extmods'),
  }
}

function idOf(config: MinionConfig): string {
  const name = config.id === '' ? fullName() : config.id
  const cased = config.minion_id_lowercase ? name.toLowerCase() : name
  if (config.append_domain === '' || cased.endsWith(`.${config.append_domain}`)) return cased
  return `${cased}.${config.append_domain}`
}

/** The machine's name, with its domain where `/etc/hosts` has one. */
function fullName(): string {
  try {
    const { fqdn } = nameGrains(hostname(), readFileSync('/etc/hosts', 'utf8'))
    return typeof fqdn === 'string' && fqdn !== 'localhost' && !fqdn.startsWith('localhost.') ? fqdn : hostname()
  } catch {
    return hostname()
  }
}

function textAt(opts: Mapping, key: string): string | undefined {
  const value: Value | undefined = opts[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
