// Cloud profiles: what a machine is made of, by name, each with the provider it belongs to.
import type { Written } from '../config/merge.ts'
import { BrineError } from '../error.ts'
import { type Mapping, pythonStr } from '../value/index.ts'
import { mergeDeep } from '../value/merge.ts'
import { mappingOf } from './mapping.ts'
import { type CloudProviders, driverOf, fileKeys } from './providers.ts'

/** The settings of each profile, with `provider` as `alias:driver` and `profile` as its own name. */
export type CloudProfiles = ReadonlyMap<string, Mapping>

/** Profiles, and what led nowhere. */
export interface ReadProfiles {
  readonly profiles: CloudProfiles
  readonly left: readonly { readonly file: string; readonly message: string }[]
}

/**
 * Reads them. A profile takes over what it `extends`; one whose provider is not there, or that extends one that is not,
 * is left out with a sentence. Throws `cloud-config` for what is no profile.
 */
export function readProfiles(written: ReadonlyMap<string, Written>, providers: CloudProviders): ReadProfiles {
  const left: { file: string; message: string }[] = []
  const profiles = new Map<string, Mapping>()
  for (const [profile, { file }] of written) {
    if (fileKeys.has(profile)) continue
    const details = detailsOf(profile, written, [])
    if ('message' in details) {
      left.push({ file, message: pythonStr(details.message ?? '') })
      continue
    }
    const { provider } = details.settings
    if (provider === undefined)
      throw wrong(file, `The profile '${profile}' names no provider. Write provider: ALIAS, as in cloud.providers.`)
    const found = driverOf(providers, pythonStr(provider))
    if (found === undefined) {
      const known = [...providers.keys()].join(', ') || 'none'
      const message = `The profile '${profile}' is of the provider '${pythonStr(provider)}', which is not configured (${known} are). It is left out.`
      left.push({ file, message })
      continue
    }
    profiles.set(profile, { ...details.settings, profile, provider: `${found.alias}:${found.driver}` })
  }
  return { profiles, left }
}

type Details = { readonly settings: Mapping } | { readonly message: string }

function detailsOf(profile: string, written: ReadonlyMap<string, Written>, above: readonly string[]): Details {
  const each = written.get(profile)
  const settings = mappingOf(each?.value)
  if (each === undefined || settings === undefined)
    throw wrong(each?.file ?? '', `The profile '${profile}' holds no settings: the file is not in the proper format.`)
  const { extends: extended, ...own } = settings
  if (extended === undefined) return { settings: own }
  const name = pythonStr(extended)
  if (above.includes(profile)) return { message: `The profile '${profile}' extends itself. It is left out.` }
  if (!written.has(name))
    return {
      message: `The '${profile}' profile is trying to extend data from '${name}' though '${name}' is not defined in the salt profiles loaded data. Not extending and removing from listing!`,
    }
  const base = detailsOf(name, written, [...above, profile])
  if ('message' in base) return base
  return { settings: mappingOf(mergeDeep(base.settings, own)) ?? own }
}

function wrong(file: string, message: string): BrineError {
  return new BrineError(`${file}: ${message}`, { code: 'cloud-config' })
}
