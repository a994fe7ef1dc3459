// The settings of a deployment, as its functions read them: a master's configuration, and what fleets are told.
import { type ExternalPillarEntry, readExternalPillars } from '../../core/config/external-pillar.ts'
import { type ConfigProblem, masterMinionId, parseMasterSettings, problemText } from '../../core/config/index.ts'
import { BrineError } from '../../core/error.ts'
import { isList, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { parseJson } from '../../core/value/json.ts'
import { checkExternalAuth } from '../../master/acl/index.ts'
import type { ApiSettings } from '../../master/api/salt/index.ts'
import {
  apiSettingsOf,
  masterOptionsOf,
  type PillarRules,
  pillarRulesOf,
  reactorRetryOf,
} from '../../master/configured.ts'
import type { MasterOptions } from '../../master/options.ts'
import type { RenderFacts } from '../../master/render-file.ts'
import { type Environment, variableIn } from './deploy/environment.ts'

/** What a deployment's configuration says. */
export interface Settings {
  readonly options: MasterOptions
  /** Salt's `timeout`, seconds. */
  readonly timeout: number
  /** Salt's `gather_job_timeout`, seconds. */
  readonly gatherJobTimeout: number
  readonly api: ApiSettings
  readonly template: RenderFacts
  readonly pillar: PillarRules
  readonly externalPillar: readonly ExternalPillarEntry[]
  readonly reactorRetry: ReturnType<typeof reactorRetryOf>
  readonly reactorBreaker: number
  readonly fleet: FleetSettings
  /** Whether the deployment brought what `cloud.*` needs. */
  readonly hasClouds: boolean
  /** The most bytes of a file that a minion pushes; undefined where none are taken. */
  readonly mostReceived: number | undefined
  /** Whether the deployment brought files by which keys are accepted and rejected. */
  readonly hasAutosign: boolean
  /** What every machine that is made bears. */
  readonly machineTags: Readonly<Record<string, string>>
  /** The API's URL. */
  readonly url: string
}

/** Which instances may prove who they are, and what decides whether a launched one serves. */
export interface FleetSettings {
  readonly accounts: readonly string[]
  readonly regions: readonly string[]
  /** Globs over the names of Auto Scaling groups. */
  readonly groups: readonly string[]
  /** Certificates (PEM) by region, beside AWS's own. */
  readonly certificates: Readonly<Record<string, string | readonly string[]>>
  /** Issuers of STS whose web identity tokens are believed. */
  readonly issuers: readonly string[]
  /** The function whose job decides. */
  readonly startUpJob: string
}

/** The version of this bundle; esbuild writes it. */
declare const __BRINE_VERSION__: string
/** The version that a master on AWS says it has. */
const version: string = typeof __BRINE_VERSION__ === 'string' ? __BRINE_VERSION__ : '0.0.0'

const confFile = "the stack's settings"

/** Reads them. Throws `config` where a value is wrong; what is unknown is told to `warn`. */
export function readSettings(environment: Environment, warn: (message: string) => void): Settings {
  const { fleet, clouds, ...written } = settingsIn(environment)
  const parsed = parseMasterSettings(written, confFile)
  reportTo(parsed.problems, warn)
  const { config } = parsed
  const api = apiSettingsOf(parsed)
  for (const problem of checkExternalAuth(api.externalAuth)) warn(problem)
  const url = variableIn(environment, 'url')
  const options = masterOptionsOf(parsed, { origin: new URL(url).origin, version, confFile })
  const ownId = masterMinionId(config.id, options.id)
  return {
    options,
    timeout: config.timeout,
    gatherJobTimeout: config.gather_job_timeout,
    api,
    template: {
      opts: { ...(config as unknown as Mapping), ...(isMapping(parsed.written) ? parsed.written : {}), id: ownId },
      grains: { id: ownId, kernel: 'Linux', os: 'Amazon' },
      pillar: {},
      ...(isMapping(config.jinja_env) ? { jinja: config.jinja_env } : {}),
    },
    pillar: pillarRulesOf(parsed),
    externalPillar: readExternalPillars(config.ext_pillar),
    reactorRetry: reactorRetryOf(parsed),
    reactorBreaker: config.reactor_breaker,
    fleet: fleetOf(fleet),
    hasClouds: clouds !== undefined,
    mostReceived: config.file_recv ? config.file_recv_max_size * 1024 * 1024 : undefined,
    hasAutosign: [config.autosign_file, config.autoreject_file, config.autosign_grains_dir].some(
      (path) => path !== null,
    ),
    machineTags: tagsOf(clouds),
    url,
  }
}

/** `clouds: {tags: {…}}`. */
function tagsOf(clouds: Value | undefined): Record<string, string> {
  const tags = clouds !== undefined && isMapping(clouds) ? (clouds.tags ?? null) : null
  return isMapping(tags) ? Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, pythonStr(value)])) : {}
}

/** Without settings of a fleet nobody is believed. */
function fleetOf(written: Value | undefined): FleetSettings {
  const given = written !== undefined && isMapping(written) ? written : {}
  const texts = (value: Value | undefined): string[] => (isList(value ?? null) ? (value as Value[]).map(pythonStr) : [])
  const certificates = isMapping(given.certificates ?? null) ? (given.certificates as Mapping) : {}
  return {
    accounts: texts(given.accounts),
    regions: texts(given.regions),
    groups: texts(given.groups),
    issuers: texts(given.issuers),
    certificates: Object.fromEntries(
      Object.entries(certificates).map(([region, pem]) => [region, isList(pem) ? texts(pem) : pythonStr(pem)]),
    ),
    startUpJob: typeof given.start_up_job === 'string' ? given.start_up_job : 'test.ping',
  }
}

/** The settings as they were written. */
function settingsIn(environment: Environment): Mapping {
  const value = parseJson(variableIn(environment, 'settings'))
  if (isMapping(value)) return value
  throw new BrineError(`The settings of the deployment are no map. Deploy the stack again; it writes them.`, {
    code: 'config',
  })
}

function reportTo(problems: readonly ConfigProblem[], warn: (message: string) => void): void {
  const errors = problems.filter(({ severity }) => severity === 'error')
  for (const problem of problems) if (problem.severity === 'warning') warn(problemText(problem))
  if (errors.length > 0) throw new BrineError(errors.map(problemText).join('\n'), { code: 'config' })
}
