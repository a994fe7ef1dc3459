// pkg.removed and pkg.purged: packages that are not there.
import { isMapping, type Mapping } from '../../../core/value/index.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError, InformedCommandError } from '../../modules/errors.ts'
import { packageManagerOf } from '../../packages/of-machine.ts'
import { fulfils } from '../../packages/versions.ts'
import { wantedOf } from '../../packages/wanted.ts'
import { fine, would, wrong } from '../outcome.ts'
import type { StateCall, StateReturn } from '../state-module.ts'
import { installedVersions } from './install-plan.ts'

/** `pkg.removed` and `pkg.purged`. */
export function gone(action: 'remove' | 'purge') {
  return async (args: Arguments, call: StateCall): Promise<StateReturn> => {
    const name = args.text('name')
    try {
      return await removeAll(args, call, action)
    } catch (error) {
      if (error instanceof InformedCommandError) return wrong(name, error.withoutChanges, error.changes)
      if (!(error instanceof CommandExecutionError)) throw error
      const doing = action === 'purge' ? 'purging' : 'removing'
      return wrong(name, `An error was encountered while ${doing} package(s): ${error.message}`)
    }
  }
}

async function removeAll(args: Arguments, call: StateCall, action: 'remove' | 'purge'): Promise<StateReturn> {
  const name = args.text('name')
  const manager = packageManagerOf(call)
  const normalize = (one: string): string => (args.value('normalize') === false ? one : manager.normalize(call, one))
  const wanted = wantedOf(args.value('pkgs') ?? [{ [name]: args.value('version') }], normalize)
  const current = await installedVersions(call)
  const ignoreEpoch = args.value('ignore_epoch') === null ? undefined : args.is('ignore_epoch')
  const targets: string[] = []
  let hasVersions = false
  for (const [one, version] of wanted) {
    const versions = current.get(one)
    if (versions === undefined) continue
    if (version !== undefined) hasVersions = true
    if (version === undefined || fulfils(versions, version, { compare: manager.compare, ignoreEpoch }))
      targets.push(one)
  }
  if (action === 'purge') {
    const remains = await installedVersions(call, { removed: true })
    targets.push(...[...wanted.keys()].filter((one) => remains.has(one)))
  }
  targets.sort()
  if (targets.length === 0) {
    if (action === 'purge') return fine(name, 'None of the targeted packages are installed or partially installed')
    return fine(name, `All specified packages${hasVersions ? ' (matching specified versions)' : ''} are already absent`)
  }
  if (call.test) {
    const changes = Object.fromEntries(targets.map((one) => [one, { new: `${action}d`, old: '' }]))
    return would(name, `The following packages will be ${action}d: ${targets.join(', ')}.`, changes)
  }
  const answer = await call.salt(`pkg.${action}`, [], {
    ...args.cleanKeywords,
    name: null,
    pkgs: targets,
    split_arch: false,
  })
  return told(call, name, action, [...wanted.keys()], targets, answer !== null && isMapping(answer) ? answer : {})
}

async function told(
  call: StateCall,
  name: string,
  action: 'remove' | 'purge',
  wanted: readonly string[],
  targets: readonly string[],
  changes: Mapping,
): Promise<StateReturn> {
  const left = await installedVersions(call)
  const remains = action === 'purge' ? await installedVersions(call, { removed: true }) : new Map<string, string[]>()
  const failed = targets.filter((one) => left.has(one) || remains.has(one)).sort()
  if (failed.length > 0)
    return wrong(name, `The following packages failed to ${action}: ${failed.join(', ')}.`, changes)
  const absent = wanted.filter((one) => !targets.includes(one)).sort()
  const comment =
    absent.length > 0
      ? `The following packages were not installed: ${absent.join(', ')} The following packages were ${action}d: ${targets.join(', ')}.`
      : `All targeted packages were ${action}d.`
  return fine(name, comment, changes)
}
