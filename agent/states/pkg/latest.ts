// pkg.latest and pkg.uptodate: packages at the newest version there is.
import { isList, isMap, isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError, InformedCommandError } from '../../modules/errors.ts'
import { wantedOf } from '../../packages/wanted.ts'
import { fine, would, wrong } from '../outcome.ts'
import type { StateCall, StateReturn } from '../state-module.ts'
import { foreseen } from './install-plan.ts'
import { refreshes } from './refresh.ts'

/** One name's answer is a text, several names' a map. */
function byName(answer: Value, names: readonly string[]): Map<string, string> {
  if (answer !== null && isMap(answer))
    return new Map(Object.entries(answer).map(([key, item]) => [key, pythonStr(item)]))
  return new Map(names.slice(0, 1).map((name) => [name, pythonStr(answer)]))
}

/** `pkg.latest`. */
export async function latest(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const pkgs = args.value('pkgs')
  const refresh = await refreshes(call, args.value('refresh'))
  if ('sources' in args.keywords) return wrong(name, 'The "sources" parameter is not supported.')
  if (isList(pkgs) && pkgs.length === 0) return fine(name, 'No packages to install provided')
  const names = pkgs === null ? [name] : [...wantedOf(pkgs, (one) => one).keys()]
  const fromrepo = args.value('fromrepo')
  let available: Map<string, string>
  try {
    available = byName(
      await call.salt('pkg.latest_version', names, { ...args.cleanKeywords, fromrepo, refresh, saltenv: call.env }),
      names,
    )
  } catch (error) {
    if (!(error instanceof CommandExecutionError)) throw error
    const words = 'An error was encountered while checking the newest available version of package(s)'
    return wrong(name, `${words}: ${error.message}`)
  }
  const current = byName(await call.salt('pkg.version', names, {}), names)
  const isKnown = (one: string): boolean => (available.get(one) ?? '') !== '' || (current.get(one) ?? '') !== ''
  const unknown = names.filter((one) => !isKnown(one))
  if (unknown.length > 0) return wrong(name, unknown.map((one) => `No information found for '${one}'.`).join(' '))
  const targets = new Map(
    names.flatMap((one) => ((available.get(one) ?? '') === '' ? [] : [[one, available.get(one)]])),
  )
  const same = pkgs === null ? [] : names.filter((one) => !targets.has(one)).sort()
  if (targets.size === 0) return fine(name, upToDate(names))
  if (call.test) return inTestMode(call, name, targets, same, current)
  try {
    const answer = await call.salt('pkg.install', [], {
      ...args.cleanKeywords,
      name: null,
      refresh: false,
      fromrepo,
      skip_verify: args.value('skip_verify'),
      pkgs: [...targets.keys()],
      saltenv: call.env,
    })
    return told(name, targets, same, answer !== null && isMapping(answer) ? answer : {})
  } catch (error) {
    if (!(error instanceof CommandExecutionError)) throw error
    return wrong(name, `An error was encountered while installing package(s): ${error.message}`)
  }
}

function upToDate(names: readonly string[]): string {
  if (names.length > 10) return `All ${names.length} packages are up-to-date.`
  if (names.length > 1) return `All packages are up-to-date (${[...names].sort().join(', ')}).`
  return `Package ${names[0]} is already up-to-date`
}

async function inTestMode(
  call: StateCall,
  name: string,
  targets: ReadonlyMap<string, string | undefined>,
  same: readonly string[],
  current: ReadonlyMap<string, string>,
): Promise<StateReturn> {
  const lines = [`The following packages would be installed/upgraded: ${[...targets.keys()].sort().join(', ')}`]
  if (same.length > 10) lines.push(`${same.length} packages are already up-to-date`)
  else if (same.length > 0) {
    const versions = same.map((one) => `${one} (${current.get(one) ?? ''})`)
    lines.push(`The following packages are already up-to-date: ${versions.join(', ')}`)
  }
  return would(name, lines.join('\n'), await foreseen(call, targets, current))
}

function told(
  name: string,
  targets: ReadonlyMap<string, string | undefined>,
  same: readonly string[],
  changes: Mapping,
): StateReturn {
  const names = [...targets.keys()].sort()
  const sameWords =
    same.length === 0
      ? []
      : [
          same.length > 10
            ? `${same.length} packages were already up-to-date`
            : `The following packages were already up-to-date: ${same.join(', ')}`,
        ]
  if (Object.keys(changes).length === 0) {
    const failed =
      names.length > 10
        ? `${names.length} targeted packages failed to update. See debug log for details.`
        : names.length > 1
          ? `The following targeted packages failed to update. See debug log for details: (${names.join(', ')}).`
          : `Package ${names[0]} failed to update.`
    return wrong(name, [failed, ...sameWords].join(' '))
  }
  const isDone = (one: string): boolean => {
    const change = changes[one] ?? null
    return (
      isMapping(change) &&
      pythonStr(change.new ?? '')
        .split(',')
        .includes(targets.get(one) ?? '')
    )
  }
  const [done, failed] = [names.filter(isDone), names.filter((one) => !isDone(one))]
  const comment = [
    ...(failed.length > 0 ? [`The following packages failed to update: ${failed.join(', ')}`] : []),
    ...(done.length > 0 ? [`The following packages were successfully installed/upgraded: ${done.join(', ')}`] : []),
    ...sameWords,
  ].join(' ')
  return { name, changes, result: failed.length === 0, comment }
}

/** `pkg.uptodate`. */
export async function uptodate(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const refresh = args.value('refresh')
  if (typeof refresh !== 'boolean') return wrong(name, 'refresh must be either True or False')
  const pkgs = args.value('pkgs')
  const named = isList(pkgs) ? pkgs.map(pythonStr) : undefined
  const upgrades = await call.salt('pkg.list_upgrades', [], { ...args.cleanKeywords, refresh })
  const all = upgrades !== null && isMap(upgrades) ? Object.entries(upgrades) : []
  const wanted = all.filter(([one]) => named === undefined || named.includes(one))
  if (wanted.length === 0) return fine(name, 'System is already up-to-date')
  const names = wanted.map(([one]) => one)
  if (call.test) {
    const current = byName(await call.salt('pkg.version', names, {}), names)
    const expected = wanted.map(([one, version]) => [one, { new: version, old: current.get(one) ?? '' }])
    return would(name, 'System update will be performed', Object.fromEntries(expected))
  }
  try {
    const answer = await call.salt('pkg.upgrade', [], { ...args.cleanKeywords, refresh, pkgs })
    const changes = answer !== null && isMapping(answer) ? answer : {}
    const missing = named === undefined ? [] : names.filter((one) => !(one in changes))
    if (missing.length > 0)
      return wrong(name, `The following package(s) failed to update: ${missing.join(', ')}`, changes)
    return fine(name, 'Upgrade ran successfully', changes)
  } catch (error) {
    if (error instanceof InformedCommandError) return wrong(name, error.withoutChanges, error.changes)
    if (!(error instanceof CommandExecutionError)) throw error
    return wrong(name, `An error was encountered while updating packages: ${error.message}`)
  }
}
