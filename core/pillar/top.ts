// Which pillar files a minion gets, by the top files of the environments.
import { BrineError } from '../error.ts'
import { type HighWorld, matchTop, type SlsFile, type SlsMatches, type Top } from '../state/index.ts'
import { findSls, type StateFiles } from '../state/state-files.ts'
import type { Nodegroups, TargetMinion } from '../target/index.ts'
import { Dict, entries, get, isInteger, isList, isMap, pythonStr, pythonTruth, type Value } from '../value/index.ts'

/** What top files are read for. */
export interface PillarTopOptions {
  readonly minion: TargetMinion
  readonly nodegroups: Nodegroups
  /** The environments that have pillar files, `base` first. */
  readonly environments: readonly string[]
  /** Only this environment. */
  readonly pillarenv: string | undefined
  /** Below the root of each environment. */
  readonly top: string
}

/** The files by environment, those that need not be there, and what is wrong with the top files. */
export interface PillarMatches {
  readonly matches: SlsMatches
  readonly ignored: ReadonlyMap<string, ReadonlySet<string>>
  readonly errors: readonly string[]
}

/** The top files as one, unmatched. */
export interface PillarTop extends Pick<PillarMatches, 'ignored' | 'errors'> {
  readonly top: Top
}

/** Renders the top files with what they include and matches them. Throws what is no fault of a file. */
export function matchPillarTop(world: HighWorld, options: PillarTopOptions): PillarMatches {
  const { top, ignored, errors } = readPillarTop(world, options)
  const given = { minion: options.minion, nodegroups: options.nodegroups, hasEnvironment: () => false }
  const matched = matchTop(top, options.pillarenv === undefined ? given : { ...given, saltenv: options.pillarenv })
  return { matches: new Map([...matched].map(([env, names]) => [env, [...new Set(names)]])), ignored, errors }
}

/** Renders the top files with what they include, each target with its files, in order. Throws what is no fault of a file. */
export function readPillarTop(world: HighWorld, options: Omit<PillarTopOptions, 'nodegroups'>): PillarTop {
  const errors: string[] = []
  const top: Top = new Dict()
  const orders = new Map<string, number>()
  const ignored = new Map<string, Set<string>>()
  for (const env of options.environments) {
    if (options.pillarenv !== undefined && options.pillarenv !== env) continue
    for (const file of topsOf(world, env, options.top, errors)) {
      for (const [to, targets] of entries(file)) {
        if (isMap(targets)) for (const [target, items] of entries(targets)) take(pythonStr(to), target, items)
        else errors.push('Error encountered while rendering pillar top file.')
      }
    }
  }
  function take(env: string, target: Value, items: Value): void {
    const list = isList(items) ? items : []
    const known = top.get(env)
    const merged = known instanceof Dict ? known : new Dict()
    top.set(env, merged)
    const names = [...new Set(list.filter((item) => typeof item === 'string'))]
    merged.set(target, [...list.filter((item) => isMap(item) && get(item, 'match') !== undefined), ...names])
    for (const item of list) {
      if (!isMap(item)) continue
      const order = get(item, 'order')
      if (isInteger(order)) orders.set(`${env}\n${pythonStr(target)}`, Number(order))
      if (!pythonTruth(get(item, 'ignore_missing') ?? false)) continue
      ignored.set(env, new Set([...(ignored.get(env) ?? []), ...names.map(pythonStr)]))
    }
  }
  for (const [env, targets] of top) {
    if (!(targets instanceof Map)) continue
    const order = (target: Value): number => orders.get(`${pythonStr(env)}\n${pythonStr(target)}`) ?? 0
    top.set(env, new Dict([...targets].sort(([a], [b]) => order(a) - order(b))))
  }
  return { top, ignored, errors }
}

function topsOf(world: HighWorld, env: string, path: string, errors: string[]): Dict[] {
  const text = world.files.read(path, env)
  if (text === undefined) return []
  const first = rendered(
    world,
    { sls: '', env, path, text },
    'Rendering Primary Top file failed, render error:',
    errors,
  )
  const tops = [first]
  const done = new Set<string>()
  const waiting = includeOf(first)
  for (let sls = waiting.shift(); sls !== undefined; sls = waiting.shift()) {
    if (done.has(sls)) continue
    done.add(sls)
    const file = found(world.files, sls, env)
    if (file === undefined) continue
    const more = rendered(world, file, `Rendering Top file ${sls} failed, render error:`, errors)
    waiting.push(...includeOf(more))
    tops.push(more)
  }
  return tops
}

function found(files: StateFiles, sls: string, env: string): SlsFile | undefined {
  return findSls(files, sls, env)
}

function rendered(world: HighWorld, file: SlsFile, words: string, errors: string[]): Dict {
  if (file.text.trim() === '') return new Dict()
  const document = guarded(
    () => world.render(file),
    (message) => errors.push(`${words}\n${message}`),
  )
  return document !== undefined && isMap(document) ? new Dict(entries(document)) : new Dict()
}

function includeOf(top: Dict): string[] {
  const include = top.get('include')
  top.delete('include')
  return isList(include) ? include.map(pythonStr) : []
}

/** What a file's own fault is told; everything else passes through. */
export function guarded<T>(work: () => T, tell: (message: string) => void): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof BrineError)) throw error
    tell(error.message)
    return undefined
  }
}
