// What pkg.installed has to do: which packages are missing, or have another version than the one wanted.
import { isList, isMap, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { packageManagerOf } from '../../packages/of-machine.ts'
import { fulfils } from '../../packages/versions.ts'
import { sourcesOf, type Wanted, wantedOf } from '../../packages/wanted.ts'
import type { StateCall } from '../state-module.ts'

/** What is asked for. */
export interface InstallRequest {
  readonly name: string
  readonly version: string | undefined
  readonly pkgs: Value
  readonly sources: Value
  readonly normalize: boolean
  readonly ignoreEpoch: boolean | undefined
  readonly reinstall: boolean
  readonly allowUpdates: boolean
  readonly refresh: boolean
  readonly fromrepo: Value
}

/** What is to be done, or why nothing is. */
export type InstallPlan =
  | { readonly kind: 'settled'; readonly result: boolean; readonly comment: string }
  | {
      readonly kind: 'work'
      readonly desired: Wanted
      readonly targets: Wanted
      readonly reinstall: Wanted
      readonly wasRefreshed: boolean
    }

/** Versions of installed packages as `pkg.list_pkgs` lists them. */
export async function installedVersions(call: StateCall, more: Mapping = {}): Promise<Map<string, string[]>> {
  const listed = await call.salt('pkg.list_pkgs', [], { versions_as_list: true, ...more })
  const pairs = listed !== null && isMap(listed) ? Object.entries(listed) : []
  return new Map(pairs.map(([name, versions]) => [name, isList(versions) ? versions.map(pythonStr) : []]))
}

/** Compares what is wanted with what is there. */
export async function installPlan(call: StateCall, request: InstallRequest): Promise<InstallPlan> {
  const { name, pkgs, sources } = request
  const manager = packageManagerOf(call)
  const settled = (result: boolean, comment: string): InstallPlan => ({ kind: 'settled', result, comment })
  if (pkgs !== null && sources !== null) return settled(false, 'Only one of "pkgs" and "sources" is permitted.')
  const current = await installedVersions(call)
  const normalize = (one: string): string => (request.normalize ? manager.normalize(call, one) : one)
  const desired: Map<string, string | undefined> =
    sources !== null
      ? new Map([...sourcesOf(sources)].map(([one, path]) => [normalize(one), path]))
      : wantedOf(pkgs ?? [{ [name]: request.version ?? null }], normalize)
  if (desired.size === 0)
    return settled(false, `Invalidly formatted '${sources === null ? 'pkgs' : 'sources'}' parameter. See minion log.`)
  const wasRefreshed = sources === null && (await resolveLatest(call, desired, current, request))
  const targets = new Map<string, string | undefined>()
  const reinstall = new Map<string, string | undefined>()
  let hasVersions = false
  for (const [one, version] of desired) {
    const versions = current.get(one) ?? current.get(normalize(one)) ?? []
    if (versions.length === 0) targets.set(one, version)
    else if (request.reinstall) reinstall.set(one, version)
    else if (version !== undefined && sources === null) {
      hasVersions = true
      const options = { compare: manager.compare, ignoreEpoch: request.ignoreEpoch, allowUpdates: request.allowUpdates }
      if (!fulfils(versions, version, options)) targets.set(one, version)
    }
  }
  if (targets.size === 0 && reinstall.size === 0) {
    const at = hasVersions ? ' and are at the desired version' : ''
    return settled(true, `All specified packages are already installed${at}`)
  }
  return { kind: 'work', desired, targets, reinstall, wasRefreshed }
}

/** Puts the newest version in the place of `latest`. True where the lists were fetched for it. */
async function resolveLatest(
  call: StateCall,
  desired: Map<string, string | undefined>,
  current: ReadonlyMap<string, readonly string[]>,
  { refresh, fromrepo }: InstallRequest,
): Promise<boolean> {
  const names = [...desired].flatMap(([name, version]) => (version === 'latest' ? [name] : []))
  if (names.length === 0) return false
  const told = await call.salt('pkg.latest_version', names, { refresh, fromrepo })
  for (const name of names) {
    const found =
      names.length === 1
        ? told
        : told !== null && isMap(told)
          ? (Object.entries(told).find(([key]) => key === name)?.[1] ?? null)
          : null
    const newest = found === null || found === '' ? current.get(name)?.at(-1) : pythonStr(found)
    desired.set(name, newest)
  }
  return refresh
}

/** Which of the packages are as they should be now, and which are not. */
export function verified(
  call: StateCall,
  desired: Wanted,
  current: ReadonlyMap<string, readonly string[]>,
  ignoreEpoch: boolean | undefined,
): { readonly fine: string[]; readonly failed: string[] } {
  const manager = packageManagerOf(call)
  const isFine = ([name, version]: readonly [string, string | undefined]): boolean => {
    const versions = current.get(name) ?? current.get(manager.normalize(call, name)) ?? []
    if (versions.length === 0 || version === undefined || version === 'latest') return versions.length > 0
    return fulfils(versions, version, { compare: manager.compare, ignoreEpoch })
  }
  const entries = [...desired]
  return {
    fine: entries.filter(isFine).map(([name]) => name),
    failed: entries.filter((entry) => !isFine(entry)).map(([name]) => name),
  }
}

/** `hello`, `hello=1.2` or `hello>=1.2`. */
export function shown(name: string, wanted: Wanted): string {
  const version = wanted.get(name) ?? ''
  return version === '' || /^[<>=]/.test(version) ? `${name}${version}` : `${name}=${version}`
}

/** What would be installed in test mode, by name. */
export async function foreseen(
  call: StateCall,
  targets: Wanted,
  current: ReadonlyMap<string, string> = new Map(),
): Promise<Mapping> {
  const open = [...targets].flatMap(([name, version]) => (version === undefined ? [name] : []))
  const latest = open.length > 0 ? await call.salt('pkg.latest_version', open, {}) : ''
  const newest = (name: string): Value => {
    if (open.length === 1) return latest
    return latest !== null && isMap(latest) ? (Object.entries(latest).find(([key]) => key === name)?.[1] ?? '') : ''
  }
  const told: Mapping = {}
  for (const [name, version] of targets) {
    const found = version === undefined ? newest(name) : /^[<>!]|\*/.test(version) ? '' : version.replace(/^=+\s*/, '')
    told[name] = { new: found === '' || found === null ? 'installed' : found, old: current.get(name) ?? '' }
  }
  return told
}
