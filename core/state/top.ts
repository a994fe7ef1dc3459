// The top file: which SLS files of which environment a minion is to apply.
import { compileTop, type Nodegroups, type TargetMinion } from '../target/index.ts'
import {
  Dict,
  entries,
  get,
  isList,
  isMap,
  type Mapping,
  mapOf,
  pythonRepr,
  pythonStr,
  pythonTruth,
  type Value,
} from '../value/index.ts'
import { matching } from './include.ts'
import type { HighWorld, SlsMatches } from './render-high.ts'
import { findSls, type SlsFile, type StateFiles, StateTree } from './state-files.ts'

/** How top files are found and merged; Salt's options. */
export interface TopOptions {
  /** Only this environment, its own top file. */
  readonly saltenv?: string
  /** Below the root of each environment. @default 'top.sls' */
  readonly stateTop?: string
  /** Only this environment's top file. */
  readonly stateTopSaltenv?: string
  /** @default 'merge' */
  readonly mergingStrategy?: string
  /** Whose top file stands in for a missing one with the strategy `same`. */
  readonly defaultTop?: string
  /** The environments in the order in which they are merged. */
  readonly envOrder?: readonly string[]
}

/** A merged top file: environment → target → names and maps, or the words for why there is none. */
export type Top = Dict

type Tops = Map<string, Dict[]>

/**
 * Renders the top files of the environments, with what they include, and merges them. A file that does not render throws
 * what rendering threw.
 */
export function readTop(world: HighWorld, options: TopOptions): Top {
  const tops = gather(world, options)
  switch (options.mergingStrategy) {
    case 'same':
      return mergeSame(tops, options.defaultTop)
    case 'merge_all':
      return mergeAll(tops)
    default:
      return mergeBaseFirst(tops)
  }
}

/** Every environment there is, `base` first, unless an order is given. */
export function environmentsOf(files: StateFiles, envOrder: readonly string[] = []): readonly string[] {
  const there = files.environments()
  if (envOrder.length > 0) return [...new Set(envOrder)].filter((env) => there.length === 0 || there.includes(env))
  return [...new Set(['base', ...there])]
}

function gather(world: HighWorld, options: TopOptions): Tops {
  const one = options.saltenv ?? options.stateTopSaltenv
  const environments = one === undefined ? environmentsOf(world.files, options.envOrder) : [one]
  const path = (options.stateTop ?? 'top.sls').replace(/^salt:\/\//, '').replace(/^\//, '')
  const tops: Tops = new Map()
  const tree = new StateTree(world.files)
  for (const env of environments) {
    const text = world.files.read(path, env)
    const rendered = text === undefined ? new Dict() : render(world, { sls: '', env, path, text })
    tops.set(env, [rendered, ...included(world, tree, env, rendered)])
  }
  return tops
}

function render(world: HighWorld, file: SlsFile): Dict {
  if (file.text.trim() === '') return new Dict()
  const document = world.render(file)
  return isMap(document) ? new Dict(entries(document)) : new Dict()
}

/** The top files that one includes; an include of theirs is not followed, as in Salt. */
function included(world: HighWorld, tree: StateTree, env: string, top: Dict): Dict[] {
  const names = top.get('include')
  top.delete('include')
  const found = new Set((isList(names) ? names : []).flatMap((name) => matching(tree, env, pythonStr(name))))
  return [...found].map((sls) => {
    const file = findSls(world.files, sls, env)
    return file === undefined ? new Dict() : render(world, file)
  })
}

/** The targets of an environment in one top file. */
function targetsOf(top: Dict, env: string): [Value, Value][] {
  const targets = top.get(env)
  return targets !== undefined && isMap(targets) ? entries(targets) : []
}

function put(top: Top, env: string, targets: Iterable<readonly [Value, Value]>): void {
  const known = top.get(env)
  const merged = known instanceof Dict ? known : new Dict()
  for (const [target, states] of targets) merged.set(target, states)
  top.set(env, merged)
}

function environmentKeys(top: Dict): string[] {
  return [...top.keys()].filter((env) => env !== 'include').map(pythonStr)
}

/** `base` says it all; another environment's top file counts for that environment, where `base` says nothing of it. */
function mergeBaseFirst(tops: Tops): Top {
  const merged: Top = new Dict()
  for (const top of tops.get('base') ?? [])
    for (const env of environmentKeys(top)) put(merged, env, targetsOf(top, env))
  for (const [env, list] of tops) {
    if (env === 'base') continue
    for (const top of list) if (top.has(env) && !merged.has(env)) put(merged, env, targetsOf(top, env))
  }
  return merged
}

/** Every environment's own top file, or what the default one says of it. */
function mergeSame(tops: Tops, defaultTop: string | undefined): Top {
  const merged: Top = new Dict()
  for (const [env, list] of tops) {
    const own = list.every((top) => top.size === 0) ? (tops.get(defaultTop ?? '') ?? []) : list
    for (const top of own) if (top.has(env)) put(merged, env, targetsOf(top, env))
  }
  return merged
}

/** All that any top file says; the same target in two of them has the states of both. */
function mergeAll(tops: Tops): Top {
  const merged: Top = new Dict()
  for (const top of [...tops.values()].flat()) {
    for (const env of environmentKeys(top)) {
      put(merged, env, [])
      const known = merged.get(env)
      for (const [target, states] of targetsOf(top, env)) {
        const there = known instanceof Dict ? known.get(target) : undefined
        put(merged, env, [[target, there === undefined ? states : joined(there, states)]])
      }
    }
  }
  return merged
}

function joined(first: Value, second: Value): Value[] {
  const [a, b] = [first, second].map((states) => (isList(states) ? states : []))
  const match = b?.findLast(isMap) ?? a?.findLast(isMap)
  const names = [...(a ?? []), ...(b ?? [])].filter((item) => typeof item === 'string')
  return [...(match === undefined ? [] : [match]), ...new Set(names)]
}

/** What is wrong with a top file, in Salt's words. */
export function verifyTop(top: Top): string[] {
  const errors: string[] = []
  for (const [env, targets] of top) {
    if (typeof env !== 'string') errors.push(`Environment ${pythonStr(env)} in top file is not formed as a string`)
    if (env === '') errors.push('Empty saltenv statement in top file')
    for (const [target, states] of isMap(targets) ? entries(targets) : []) {
      if (isList(states)) for (const item of states) verifyItem(item, pythonStr(env), errors)
      else {
        errors.push(
          `Malformed topfile: state declarations for matcher ${pythonRepr(target)} in saltenv ${pythonRepr(env)} ` +
            `are not formed as a list (got ${typeName(states)})`,
        )
      }
    }
  }
  return errors
}

function verifyItem(item: Value, env: string, errors: string[]): void {
  if (item === '') errors.push(`Environment ${env} contains an empty sls index`)
  for (const [, value] of isMap(item) ? entries(item) : []) {
    if (pythonTruth(value)) continue
    errors.push(`Improperly formatted top file matcher in saltenv ${pythonStr(item)}: ${pythonStr(value)} file`)
  }
}

function typeName(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  return isMap(value) ? 'dict' : typeof value === 'number' && !Number.isInteger(value) ? 'float' : 'int'
}

/** What a top file is matched against. */
export interface TopMinion {
  readonly minion: TargetMinion
  readonly nodegroups?: Nodegroups
  /** Only this environment. */
  readonly saltenv?: string
  /** Whether there is an environment that an item `{environment: name}` names. */
  readonly hasEnvironment: (env: string) => boolean
}

/** Environment → names of SLS files for a minion, in the top file's order, repeats included. */
export function matchTop(top: Top, given: TopMinion): SlsMatches {
  const matches = new Map<string, string[]>()
  for (const [env, targets] of top) {
    if (given.saltenv !== undefined && given.saltenv !== env) continue
    for (const [target, data] of isMap(targets) ? entries(targets) : [])
      matchTarget(pythonStr(env), target, data, given, matches)
  }
  return matches
}

function matchTarget(env: string, target: Value, data: Value, given: TopMinion, matches: Map<string, string[]>): void {
  const items = isList(data) ? data : [data]
  if (!compileTop(pythonStr(target), items, given.nodegroups)(given.minion)) return
  const add = (to: string, name: Value): void => void matches.set(to, [...(matches.get(to) ?? []), pythonStr(name)])
  if (!matches.has(env)) matches.set(env, [])
  for (const item of items) {
    if (typeof item === 'string') add(env, item)
    if (!isMap(item)) continue
    const nested = get(item, 'subfilter')
    for (const [inner, states] of nested !== undefined && isMap(nested) ? entries(nested) : []) {
      matchTarget(env, inner, states, given, matches)
    }
    const last = entries(item).findLast(([key]) => key !== 'subfilter')
    if (last !== undefined && given.hasEnvironment(pythonStr(last[0]))) add(pythonStr(last[0]), last[1])
  }
}

/** Matches as `state.show_top` prints them. */
export function showTop(matches: SlsMatches): Mapping | Dict {
  return mapOf([...matches].map(([env, names]) => [env, [...names]] as const))
}

/** Of the matches those that `mods` names. */
export function onlyNamed(matches: SlsMatches, mods: readonly string[]): SlsMatches {
  const kept = new Map<string, readonly string[]>()
  for (const [env, names] of matches) {
    const named = names.filter((name) => mods.includes(name))
    if (named.length > 0) kept.set(env, named)
  }
  return kept
}
