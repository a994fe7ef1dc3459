// The configuration of clouds from its files: `cloud`, `cloud.providers` and `cloud.profiles`, each with its folder.
import { type ConfigFile, mergeFiles, type Written } from '../config/merge.ts'
import { nearest } from '../config/nearest.ts'
import type { ConfigProblem } from '../config/problem.ts'
import { plainOf } from '../config/types.ts'
import { type Mapping, pythonStr } from '../value/index.ts'
import { checkEc2Settings, ec2Keys, placeKeys, saltsOwn } from './ec2-settings.ts'
import { mappingOf } from './mapping.ts'
import { type CloudProfiles, readProfiles } from './profiles.ts'
import { type CloudProviders, fileKeys, readProviders } from './providers.ts'

/** The files as they were read, main files first. */
export interface CloudFiles {
  readonly cloud: readonly ConfigFile[]
  readonly providers: readonly ConfigFile[]
  readonly profiles: readonly ConfigFile[]
}

/** What they say. */
export interface CloudConfig {
  /** What holds for every machine: the file `cloud`. */
  readonly main: Mapping
  readonly providers: CloudProviders
  readonly profiles: CloudProfiles
  readonly problems: readonly ConfigProblem[]
}

/** Keys of `cloud` that are no machine's. */
export const notMachines: ReadonlySet<string> = new Set([
  'providers',
  'query.selection',
  'filter_events',
  'enable_hard_maps',
  'pool_size',
  'maps',
])

/** Keys of `cloud`. */
const mainKeys = new Set([...ec2Keys, ...notMachines])

/** Keys of Salt's `cloud` that the master's own configuration holds here. */
const mastersOwn =
  /^(?:log_|master_config$|providers_config$|profiles_config$|root_dir$|cachedir$|user$|verify_env$|update_cachedir$|diff_cache_events$|include$|default_include$|conf_file$|os$|cache$|features$|hash_type$|sock_dir$|pki_dir$|transport$|timeout$)/

/**
 * Reads them. Throws `cloud-config` where an alias or a profile could not be meant; what is wrong with single keys is among
 * the problems, with its file.
 */
export function readCloudConfig(files: CloudFiles): CloudConfig {
  const problems: ConfigProblem[] = []
  const main = mergeFiles(files.cloud, problems)
  const providers = mergeFiles(files.providers, problems)
  const profiles = mergeFiles(files.profiles, problems)
  const inMain = main.get('providers')
  const all = new Map(providers)
  for (const [alias, value] of Object.entries(mappingOf(inMain?.value) ?? {}))
    all.set(alias, { value, file: inMain?.file ?? '' })
  return joined(main, all, profiles, problems)
}

function joined(
  main: ReadonlyMap<string, Written>,
  writtenProviders: ReadonlyMap<string, Written>,
  writtenProfiles: ReadonlyMap<string, Written>,
  problems: ConfigProblem[],
): CloudConfig {
  const providers = readProviders(writtenProviders)
  const { profiles, left } = readProfiles(writtenProfiles, providers)
  for (const each of left) problems.push({ severity: 'warning', ...each })
  const fileOf = (from: ReadonlyMap<string, Written>, name: string) => from.get(name)?.file ?? ''
  for (const [key, { file }] of main)
    if (!mainKeys.has(key) && !mastersOwn.test(key)) problems.push(unknownKey(key, 'cloud', file))
  for (const [alias, drivers] of providers)
    for (const [driver, settings] of drivers) {
      const file = fileOf(writtenProviders, alias)
      if (driver === 'ec2') problems.push(...problemsOf(settings, `The provider '${alias}'`, file))
      else
        problems.push({
          severity: 'warning',
          file,
          message: `The provider '${alias}' has the driver '${driver}'. There is ec2 alone; the provider is left out.`,
        })
    }
  for (const [name, settings] of profiles) {
    const file = fileOf(writtenProfiles, name)
    problems.push(...problemsOf(settings, `The profile '${name}'`, file), ...elsewhere(name, settings, providers, file))
  }
  return {
    main: Object.fromEntries([...main].flatMap(([key, { value }]) => (fileKeys.has(key) ? [] : [[key, value]]))),
    providers: onlyEc2(providers),
    profiles: new Map([...profiles].filter(([, { provider }]) => pythonStr(provider ?? '').endsWith(':ec2'))),
    problems,
  }
}

function onlyEc2(providers: CloudProviders): CloudProviders {
  const kept = [...providers].flatMap(([alias, drivers]) => {
    const settings = drivers.get('ec2')
    return settings === undefined ? [] : [[alias, new Map([['ec2', settings]])] as const]
  })
  return new Map(kept)
}

function problemsOf(settings: Mapping, whose: string, file: string): ConfigProblem[] {
  const checked = checkEc2Settings(plainOf(settings))
  const wrong = checked.kind === 'settings' ? [] : checked.issues
  const unknown = Object.keys(settings).filter((key) => !ec2Keys.includes(key))
  return [
    ...wrong.map(
      ({ key, message }): ConfigProblem => ({ severity: 'error', file, message: `${whose}: ${key}: ${message}` }),
    ),
    ...unknown.map((key) => unknownKey(key, whose, file)),
  ]
}

/** A profile whose machines would stand where its provider does not look. */
function elsewhere(name: string, settings: Mapping, providers: CloudProviders, file: string): ConfigProblem[] {
  const [alias = '', driver = ''] = pythonStr(settings.provider ?? '').split(':')
  const provider = providers.get(alias)?.get(driver) ?? {}
  return placeKeys
    .filter((key) => settings[key] !== undefined && settings[key] !== provider[key])
    .map((key) => ({
      severity: 'error',
      file,
      message: `The profile '${name}': ${key} is not that of its provider '${alias}', which would not find its machines. Write a provider of its own (extends: ${alias}:ec2).`,
    }))
}

function unknownKey(key: string, whose: string, file: string): ConfigProblem {
  const known = saltsOwn(key)
  if (known !== undefined) return { severity: 'warning', file, message: `${whose}: ${key}: ${known}` }
  const meant = nearest(key, ec2Keys)
  const hint = meant === undefined ? 'Take it out.' : `Did you mean ${meant}?`
  return { severity: 'warning', file, message: `${whose}: ${key} is no key that Brine knows. ${hint}` }
}
