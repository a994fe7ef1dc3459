// pkg.installed: packages that are there, at the version wanted.
import {
  isList,
  isMap,
  isMapping,
  type Mapping,
  pythonStr,
  pythonTruth,
  type Value,
} from '../../../core/value/index.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError, InformedCommandError, SaltInvocationError } from '../../modules/errors.ts'
import type { Wanted } from '../../packages/wanted.ts'
import { fine, would, wrong } from '../outcome.ts'
import type { StateCall, StateReturn } from '../state-module.ts'
import {
  foreseen,
  type InstallPlan,
  type InstallRequest,
  installedVersions,
  installPlan,
  shown,
  verified,
} from './install-plan.ts'
import { refreshes } from './refresh.ts'

/** `pkg.installed`. */
export async function installed(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const [pkgs, sources] = [args.value('pkgs'), args.value('sources')]
  // Altered files of packages are not looked for; Salt does so on Red Hat's systems alone, and says this elsewhere.
  if (args.value('pkg_verify') === true || isList(args.value('pkg_verify')))
    return wrong(name, 'pkg.verify not implemented')
  if (isList(pkgs) && pkgs.length === 0) return fine(name, 'No packages to install provided')
  const request: InstallRequest = {
    name,
    version: args.textIfAny('version'),
    pkgs,
    sources,
    normalize: args.value('normalize') !== false,
    ignoreEpoch: args.value('ignore_epoch') === null ? undefined : args.is('ignore_epoch'),
    reinstall: args.is('reinstall'),
    allowUpdates: args.is('allow_updates'),
    refresh: await refreshes(call, args.value('refresh')),
    fromrepo: args.value('fromrepo'),
  }
  try {
    const plan = await installPlan(call, request)
    if (plan.kind === 'settled') return await settled(args, call, plan)
    return await work(args, call, request, plan)
  } catch (error) {
    if (error instanceof InformedCommandError) return wrong(name, error.withoutChanges, error.changes)
    if (error instanceof CommandExecutionError)
      return wrong(name, `An error was encountered while installing package(s): ${error.message}`)
    throw error
  }
}

/** Nothing to install; what is to be held is held. */
async function settled(
  args: Arguments,
  call: StateCall,
  plan: InstallPlan & { kind: 'settled' },
): Promise<StateReturn> {
  const name = args.text('name')
  if (!('hold' in args.keywords) || !plan.result)
    return plan.result ? fine(name, plan.comment) : wrong(name, plan.comment)
  const held = await holding(args, call, { name, pkgs: args.value('pkgs'), sources: args.value('sources') })
  if (held.kind === 'failed') return wrong(name, held.comment)
  const changes: Mapping = {}
  for (const one of held.all)
    if (pythonTruth(one.changes ?? null)) changes[pythonStr(one.name ?? '')] = one.changes ?? {}
  const comment = [plan.comment, ...held.all.map((one) => pythonStr(one.comment ?? ''))].join('.\n')
  const results = held.all.map((one) => one.result ?? null)
  const result = results.includes(false) ? false : results.includes(null) ? null : true
  return { name, result, changes, comment }
}

type Holding =
  | { readonly kind: 'held'; readonly all: readonly Mapping[] }
  | { readonly kind: 'failed'; readonly comment: string }

async function holding(args: Arguments, call: StateCall, what: Mapping): Promise<Holding> {
  const action = pythonTruth(args.keywords.hold ?? null) ? 'pkg.hold' : 'pkg.unhold'
  try {
    const told = await call.salt(action, [], what)
    return { kind: 'held', all: told !== null && isMap(told) ? Object.values(told).filter(isMapping) : [] }
  } catch (error) {
    if (error instanceof CommandExecutionError || error instanceof SaltInvocationError)
      return { kind: 'failed', comment: error.message }
    throw error
  }
}

async function work(
  args: Arguments,
  call: StateCall,
  request: InstallRequest,
  plan: InstallPlan & { kind: 'work' },
): Promise<StateReturn> {
  const { name, sources } = request
  if (call.test) return inTestMode(call, request, plan)
  const { desired, targets, reinstall } = plan
  const wanted = new Map([...targets, ...reinstall])
  const asked: Mapping =
    sources === null
      ? { pkgs: [...wanted].map(([one, version]) => ({ [one]: version ?? null })) }
      : { sources: [...wanted].map(([one, path]) => ({ [one]: path ?? '' })) }
  const answer = await call.salt('pkg.install', [], {
    ...args.cleanKeywords,
    ...asked,
    name: null,
    refresh: request.refresh && !plan.wasRefreshed,
    fromrepo: request.fromrepo,
    skip_verify: args.value('skip_verify'),
    reinstall: reinstall.size > 0,
    normalize: request.normalize,
    ignore_epoch: request.ignoreEpoch ?? false,
    split_arch: false,
    saltenv: call.env,
  })
  const changes: Mapping = answer !== null && isMapping(answer) ? { ...answer } : {}
  const held = 'hold' in args.keywords ? await holding(args, call, { name, pkgs: [...desired.keys()] }) : undefined
  if (held?.kind === 'failed') return wrong(name, held.comment, changes)
  return told(call, request, plan, changes, held?.all ?? [])
}

async function told(
  call: StateCall,
  request: InstallRequest,
  { desired, targets, reinstall }: InstallPlan & { kind: 'work' },
  changes: Mapping,
  held: readonly Mapping[],
): Promise<StateReturn> {
  const isFile = request.sources !== null
  const expected: Wanted = isFile ? new Map([...desired.keys()].map((name) => [name, undefined])) : desired
  const now = verified(call, expected, await installedVersions(call), request.ignoreEpoch)
  const list = (names: readonly string[]): string => names.map((name) => shown(name, expected)).join(', ')
  const done = now.fine.filter((name) => targets.has(name))
  const same = now.fine.filter((name) => !targets.has(name) && !reinstall.has(name))
  const failed = now.failed.filter((name) => targets.has(name))
  const comment: string[] = []
  if (failed.length > 0) comment.push(`The following packages failed to install/update: ${list(failed)}`)
  if (done.length > 0) comment.push(installedWords(done.length, list(done)))
  for (const one of held.filter(({ changes: changed = null }) => pythonTruth(changed))) {
    comment.push(pythonStr(one.comment ?? ''))
    mergeHold(changes, one)
  }
  if (same.length > 0) comment.push(sameWords(same.length, list(same)))
  for (const one of held.filter(({ changes: changed = null }) => !pythonTruth(changed)))
    comment.push(pythonStr(one.comment ?? ''))
  const again = [...reinstall.keys()]
  for (const name of again.filter((one) => one in changes))
    comment.push(`Package ${shown(name, desired)} was reinstalled.`)
  const lost = again.filter((name) => !(name in changes))
  for (const name of lost) comment.push(`Reinstall was not successful for package ${shown(name, desired)}.`)
  const result = failed.length === 0 && lost.length === 0 && held.every((one) => one.result !== false)
  return { name: request.name, result, changes, comment: comment.join('\n') }
}

function installedWords(count: number, summary: string): string {
  if (summary.length < 20) return `The following packages were installed/updated: ${summary}`
  return `${count} targeted package${count > 1 ? 's were' : ' was'} installed/updated.`
}

function sameWords(count: number, summary: string): string {
  if (count <= 20) return `The following packages were already installed: ${summary}`
  return `${count} targeted package${count > 1 ? 's were' : ' was'} already installed`
}

/** A package that was installed and is held now has both in its changes. */
function mergeHold(changes: Mapping, held: Mapping): void {
  const name = pythonStr(held.name ?? '')
  const change: Mapping = isMapping(held.changes ?? null) ? (held.changes as Mapping) : {}
  const before = changes[name] ?? null
  if (!isMapping(before)) {
    changes[name] = { new: change.new ?? '' }
    return
  }
  const both = (key: string): Value =>
    [before[key] ?? '', change[key] ?? '']
      .map(pythonStr)
      .filter((text) => text !== '')
      .join('\n')
  changes[name] = { old: both('old'), new: both('new') }
}

async function inTestMode(
  call: StateCall,
  request: InstallRequest,
  { targets, reinstall }: InstallPlan & { kind: 'work' },
): Promise<StateReturn> {
  const comment: string[] = []
  const changes: Mapping = {}
  const isFile = request.sources !== null
  if (targets.size > 0) {
    const blind = Object.fromEntries([...targets.keys()].map((name) => [name, { new: 'installed', old: '' }]))
    Object.assign(changes, isFile ? blind : await foreseen(call, targets))
    comment.push(`The following packages would be installed/updated: ${[...targets.keys()].join(', ')}`)
  }
  if (reinstall.size > 0) {
    const names = [...reinstall.keys()].map((name) => (isFile ? name : shown(name, reinstall)))
    for (const name of names) changes[name] = { new: 'installed', old: '' }
    comment.push(`The following packages would be reinstalled: ${names.join(', ')}`)
  }
  return would(request.name, comment.join('\n'), changes)
}
