// A master's configuration from its files and the environment.
import { parseReactorConfig, type ReactorConfig } from '../sls/reactor-config.ts'
import { type Dict, entries, isList, isMap, type Mapping, mapOf, pythonStr, size, type Value } from '../value/index.ts'
import { checkKeys, type KnownElsewhere, placeOf, writtenOptions } from './check.ts'
import { type Environment, environmentKeys } from './environment.ts'
import { type MasterConfig, masterKeys, type RestConfig, restKeys } from './master-keys.ts'
import { type ConfigFile, mergeFiles, type Written } from './merge.ts'
import { minionKeys } from './minion-keys.ts'
import type { ConfigProblem } from './problem.ts'
import { moveBelowRoot } from './root-dir.ts'
import { saltOnlyKeys } from './salt-only-keys.ts'

/** A master's configuration, and what was found wrong on the way. With an `error` among it, do not start. */
export interface ParsedMaster {
  readonly config: MasterConfig
  readonly rest: RestConfig
  readonly reactor: ReactorConfig
  /** All that was written, also keys that Brine does not know. */
  readonly written: Mapping | Dict
  readonly problems: readonly ConfigProblem[]
}

/**
 * Reads `master` and `master.d/*.conf`, in the order given; `BRINE_*` variables go over them, `defaults` under them.
 * Never throws: whatever is wrong is among the problems, with file and line.
 */
export function parseMasterConfig(
  files: readonly ConfigFile[],
  environment: Environment = {},
  defaults: Partial<MasterConfig> = {},
): ParsedMaster {
  const problems: ConfigProblem[] = []
  const written = new Map([...mergeFiles(files, problems), ...environmentKeys(masterKeys, environment)])
  return masterOf(written, defaults, elsewhere, problems)
}

/** The same of settings that are one map already, as a deployment has them; a key that Brine does not know is a warning. */
export function parseMasterSettings(settings: Mapping, source: string): ParsedMaster {
  const written = new Map(Object.entries(settings).map(([key, value]) => [key, { value, file: source }]))
  return masterOf(written, {}, () => undefined, [])
}

function masterOf(
  written: ReadonlyMap<string, Written>,
  defaults: Partial<MasterConfig>,
  known: KnownElsewhere,
  problems: ConfigProblem[],
): ParsedMaster {
  const checked = checkKeys(masterKeys, written, defaults, known, problems)
  const config = moveBelowRoot(masterKeys, checked, written)
  const rest = restOf(written.get('rest_cherrypy'), problems)
  const keep =
    written.has('keep_jobs_seconds') || !written.has('keep_jobs') ? config.keep_jobs_seconds : config.keep_jobs * 3600
  return {
    config: { ...config, keep_jobs_seconds: keep, nodegroups: repacked(config.nodegroups) },
    rest,
    reactor: reactorOf(config.reactor, written.get('reactor'), problems),
    written: writtenOptions(written),
    problems,
  }
}

function elsewhere(key: string): string | undefined {
  return Object.hasOwn(minionKeys, key) ? "It belongs into the minion's configuration." : saltOnlyKeys.get(key)
}

/** CherryPy's own settings are known, and of no use here. */
const CHERRYPY =
  /^(?:thread_pool|socket_queue_size|expire_responses|debug|log_access_file|log_error_file|collect_stats|stats_disable_auth|enable_sessions)$/

function restOf(section: Written | undefined, problems: ConfigProblem[]): RestConfig {
  const pairs = section !== undefined && isMap(section.value) ? entries(section.value) : []
  const place = section === undefined ? { file: '' } : placeOf(section)
  const written = new Map(pairs.map(([key, value]) => [pythonStr(key), { value, ...place }]))
  const known = (key: string) => (CHERRYPY.test(key) ? 'It is a setting of CherryPy.' : undefined)
  const rest = checkKeys(restKeys, written, {}, known, problems, 'rest_cherrypy: ')
  if ((rest.ssl_crt === null) !== (rest.ssl_key === null)) {
    const missing = rest.ssl_crt === null ? 'ssl_crt' : 'ssl_key'
    problems.push({
      severity: 'error',
      ...place,
      message: `rest_cherrypy has no ${missing}. A certificate needs both, ssl_crt and ssl_key.`,
    })
  }
  return rest
}

/** Reads the `reactor:` option and reports what of it leads nowhere. */
export function reactorOf(option: Value, written: Written | undefined, problems: ConfigProblem[]): ReactorConfig {
  const parsed = parseReactorConfig(option)
  for (const { index, message, isError } of parsed.problems) {
    const place = written === undefined ? { file: '' } : placeOf(written)
    const text = index < 0 ? message : `reactor, entry ${index + 1}: ${message}`
    problems.push({ severity: index < 0 || isError === true ? 'error' : 'warning', ...place, message: text })
  }
  return parsed.config
}

/** A list of one-key maps is a map. */
function repacked(value: Value): Value {
  if (!isList(value) || !value.every((item) => isMap(item) && size(item) === 1)) return value
  return mapOf(value.flatMap((item) => (isMap(item) ? entries(item) : [])))
}
