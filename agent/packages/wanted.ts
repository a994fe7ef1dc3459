// Which packages a call means: `name`, `pkgs` and `sources`, as Salt lets them be written.
import { isAbsolute } from 'node:path'
import { entries, isMap, pythonRepr, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../modules/errors.ts'
import type { Call } from '../modules/module.ts'
import type { PackageManager, PackageTarget } from './package-manager.ts'

/** Versions wanted by name; undefined: any. */
export type Wanted = ReadonlyMap<string, string | undefined>

/** `[a, {b: '1.2'}]`, or `a,b`, by name. Throws SaltInvocationError for a name that stands there twice. */
export function wantedOf(pkgs: Value, normalize: (name: string) => string): Map<string, string | undefined> {
  const items = Array.isArray(pkgs) ? pkgs : typeof pkgs === 'string' ? pkgs.split(',') : [pkgs]
  const pairs = items.flatMap((item): [string, string | undefined][] => {
    if (item === null || !isMap(item)) return [[pythonStr(item).trim(), undefined]]
    return entries(item).map(([name, version]) => [
      pythonStr(name),
      version === null || version === '' ? undefined : pythonStr(version),
    ])
  })
  const wanted = new Map(pairs.map(([name, version]) => [normalize(name), version] as const))
  if (wanted.size !== pairs.length) {
    throw new SaltInvocationError(
      `You are passing a list of packages that contains duplicated packages names: ${pythonRepr(pkgs)}. This cannot be processed. In case you are targeting different versions of the same package, please target them individually`,
    )
  }
  return wanted
}

/** `[{foo: salt://foo.deb}]`: files by name. Throws SaltInvocationError for another shape. */
export function sourcesOf(sources: Value): Map<string, string> {
  const found = new Map<string, string>()
  for (const source of Array.isArray(sources) ? sources : [sources]) {
    const [pair, ...more] = source !== null && isMap(source) ? entries(source) : []
    if (pair === undefined || more.length > 0) {
      throw new SaltInvocationError(`sources must be a list of 1-element dicts, not ${pythonRepr(sources)}`)
    }
    found.set(pythonStr(pair[0]), pythonStr(pair[1]))
  }
  return found
}

/** The packages that `name`, `pkgs` or `sources` name; files of `sources` are fetched. */
export async function targetsOf(args: Arguments, call: Call, manager: PackageManager): Promise<PackageTarget[]> {
  const [pkgs, sources] = [args.value('pkgs'), args.value('sources')]
  const isNormal = args.value('normalize') !== false && args.keywords.split_arch !== false
  const normalize = (name: string): string => (isNormal ? manager.normalize(call, name) : name)
  if (args.is('pkgs') && args.is('sources'))
    throw new SaltInvocationError('Only one of "pkgs" and "sources" can be used.')
  if (args.is('sources')) {
    const saltenv = pythonStr(args.keywords.saltenv ?? 'base')
    return Promise.all([...sourcesOf(sources)].map(([name, path]) => fetched(call, name, path, saltenv)))
  }
  const version = args.keywords.version ?? null
  const wanted = args.is('pkgs')
    ? wantedOf(pkgs, normalize)
    : new Map(
        (args.textIfAny('name') ?? '')
          .split(',')
          .filter((name) => name !== '')
          .map((name) => [normalize(name), version === null ? undefined : pythonStr(version)] as const),
      )
  return [...wanted].map(([name, wantedVersion]) => ({ name, version: wantedVersion }))
}

async function fetched(call: Call, name: string, path: string, saltenv: string): Promise<PackageTarget> {
  if (/^(salt|https?|ftp|file|s3):\/\//.test(path)) {
    const file = await call.salt('cp.cache_file', [path, saltenv])
    if (typeof file === 'string' && file !== '') return { name, file }
    throw new CommandExecutionError(`Unable to cache source ${path} for package ${name}`)
  }
  if (!isAbsolute(path))
    throw new SaltInvocationError(`Path ${path} for package ${name} is either not absolute or an invalid protocol`)
  return { name, file: path }
}
