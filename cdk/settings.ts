// The settings that the functions read: the props, and a master's options by Salt's names.
import { Duration, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { type IgnoresFile, ignoresFile, parseMasterSettings, problemText } from '../core/config/index.ts'
import { BrineError } from '../core/error.ts'
import type { Mapping } from '../core/value/index.ts'
import type { BrineMasterProps } from './brine-master-props.ts'
import { machineTagsOf } from './machine-tag.ts'

/** JSON for the environment of every function. */
export function settingsOf(props: BrineMasterProps, scope: Construct): Record<string, unknown> {
  const { account, region } = Stack.of(scope)
  return {
    ...props.settings,
    ...(props.masterId === undefined ? {} : { id: props.masterId }),
    presence_events: props.presenceEvents ?? false,
    legacy_events: props.legacyEvents ?? true,
    event_keep_seconds: props.eventRetention?.toSeconds() ?? 86_400,
    loop_interval: props.presenceInterval?.toSeconds() ?? 60,
    ...(props.externalAuth === undefined ? {} : { external_auth: props.externalAuth }),
    ...(props.cloud === undefined ? {} : { clouds: { tags: machineTagsOf(scope) } }),
    fleet: {
      accounts: props.identityAccounts ?? [account],
      regions: props.identityRegions ?? [region],
      groups: props.identityGroups ?? ['*'],
      certificates: props.identityCertificates ?? {},
      issuers: props.identityIssuers ?? [],
      start_up_job: props.startUpJob ?? 'test.ping',
    },
  }
}

/** Files of `fileRoots` that are not deployed: `file_ignore_glob` and `file_ignore_regex` of the settings. Throws `config` for wrong ones. */
export function ignoredOf(settings: BrineMasterProps['settings'] = {}): IgnoresFile {
  const { file_ignore_glob: globs, file_ignore_regex: regexes } = settings
  const written = {
    ...(globs === undefined ? {} : { file_ignore_glob: globs }),
    ...(regexes === undefined ? {} : { file_ignore_regex: regexes }),
  }
  const { config, problems } = parseMasterSettings(written as Mapping, 'settings')
  if (problems.length > 0) throw new BrineError(problems.map(problemText).join('\n'), { code: 'config' })
  return ignoresFile(config)
}

/** Bytes that the settings may take of a function's environment: it holds 4 KB, of which the names of things take up to 1.9. */
const room = 2100

/** Throws `config` where the settings do not fit into the environment of a function, which Lambda would find at the deployment's end. */
export function requireRoom(settings: Readonly<Record<string, unknown>>, scope: Construct): void {
  const bytes = Buffer.byteLength(JSON.stringify(Stack.of(scope).resolve(settings)))
  if (bytes <= room) return
  const parts = Object.entries(settings).map(([key, value]) => [key, JSON.stringify(value ?? null).length] as const)
  const [largest = ['', 0]] = parts.sort((a, b) => b[1] - a[1])
  throw new BrineError(
    `The settings take ${bytes} bytes, and a function's environment has room for ${room}. The largest is ${largest[0]} with ${largest[1]}. Name groups by globs or grains rather than one by one, and leave out what equals the default.`,
    { code: 'config' },
  )
}

/** The keys that say for how many seconds records are kept, with what holds where they are not set. */
const retention: Readonly<Record<string, number>> = {
  event_keep_seconds: 86_400,
  keep_jobs_seconds: 86_400,
  ledger_keep_seconds: 7 * 86_400,
}

/** The longest that any record is kept. One that is kept for good (0) counts as ten years. */
export function longestKept(settings: Readonly<Record<string, unknown>>): Duration {
  const seconds = Object.entries(retention).map(([key, otherwise]) => {
    const value = Number(settings[key] ?? otherwise)
    return value === 0 ? 10 * 365 * 86_400 : value
  })
  return Duration.seconds(Math.max(...seconds))
}
