// From names of SLS files, or the top file, to what is to run on this minion.

import { BrineError } from '../../core/error.ts'
import {
  aggregated,
  type CompiledHigh,
  type CompileWorld,
  compileHigh,
  environmentsOf,
  type High,
  type HighWorld,
  matchTop,
  onlyNamed,
  type RenderedHigh,
  readTop,
  renderFailure,
  renderHigh,
  type SlsMatches,
  type Top,
  type TopOptions,
  verifyTop,
} from '../../core/state/index.ts'
import type { Nodegroups } from '../../core/target/index.ts'
import { isList, isMapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Call } from '../modules/module.ts'
import { joinPackages } from './pkg/aggregate.ts'
import type { Scope } from './scope.ts'
import { withSls } from './sls.ts'

/** Why there is nothing to run: words of the top file, or no match at all. */
export type TopMatches =
  | { readonly kind: 'matches'; readonly matches: SlsMatches; readonly errors: readonly string[] }
  | { readonly kind: 'unrendered'; readonly message: string }

/** Renders the named files of one environment. */
export function renderNamed({ call }: Scope, env: string, names: readonly string[]): Promise<RenderedHigh> {
  return withSls(call, (world) => renderHigh(new Map([[env, names]]), world))
}

/** Renders what was matched. */
export function renderMatches({ call }: Scope, matches: SlsMatches): Promise<RenderedHigh> {
  return withSls(call, (world) => renderHigh(matches, world))
}

/** The top file, and what of it is for this minion. */
export function matchTops(scope: Scope, stateTop?: string): Promise<TopMatches> {
  return withSls(scope.call, (world) => {
    let top: Top
    try {
      top = readTop(world, topOptions(scope, stateTop))
    } catch (error) {
      if (!(error instanceof BrineError)) throw error
      const file = { sls: '', env: scope.saltenv ?? 'base', path: 'top.sls', text: '' }
      return { kind: 'unrendered', message: renderFailure(error, file) }
    }
    return { kind: 'matches', matches: matchesOf(scope, top, world), errors: verifyTop(top) }
  })
}

function matchesOf({ call, saltenv }: Scope, top: Top, world: HighWorld): SlsMatches {
  const { agent } = call
  const there = new Set(environmentsOf(world.files))
  const nodegroups = isMapping(agent.opts.nodegroups ?? null) ? (agent.opts.nodegroups as Nodegroups) : {}
  return matchTop(top, {
    minion: { id: agent.id, grains: agent.grains.all(), pillar: agent.pillar() },
    nodegroups,
    hasEnvironment: (env) => there.has(env),
    ...(saltenv === undefined ? {} : { saltenv }),
  })
}

function topOptions({ call, saltenv }: Scope, stateTop: string | undefined): TopOptions {
  const { opts } = call.agent
  const text = (key: string): string | undefined =>
    typeof opts[key] === 'string' && opts[key] !== '' ? opts[key] : undefined
  const [top, strategy, defaultTop] = [
    stateTop ?? text('state_top'),
    text('top_file_merging_strategy'),
    text('default_top'),
  ]
  const order = opts.env_order ?? null
  return {
    ...(saltenv === undefined ? {} : { saltenv }),
    ...(top === undefined ? {} : { stateTop: top }),
    ...(strategy === undefined ? {} : { mergingStrategy: strategy }),
    ...(defaultTop === undefined ? {} : { defaultTop }),
    ...(isList(order) ? { envOrder: order.map(pythonStr) } : {}),
  }
}

/** Of the matches those that `whitelist` names, where it names any. */
export function whitelisted(matches: SlsMatches, whitelist: Value): SlsMatches {
  const names = namesOf(whitelist)
  return names.length === 0 ? matches : onlyNamed(matches, names)
}

/** Adds `exclude=` of the command line: names of SLS files, or maps of `sls` or `id`. */
export function excluding(high: High, exclude: Value): void {
  const wanted = isList(exclude) ? exclude : namesOf(exclude)
  if (wanted.length === 0) return
  const there = high.get('__exclude__')
  high.set('__exclude__', [...(isList(there) ? there : []), ...wanted])
}

/** Names of a list, or between commas. */
export function namesOf(value: Value): string[] {
  if (value === null || value === '') return []
  if (isList(value)) return value.map(pythonStr)
  return pythonStr(value)
    .split(',')
    .map((name) => name.trim())
}

/** Compiles high data for the states this minion has. */
export function compiled(call: Call, high: High): CompiledHigh {
  return compileHigh(high, compileWorld(call))
}

/** {@link compiled} with the states joined that want it, to be run. */
export function compiledToRun(call: Call, high: High): CompiledHigh {
  const made = compiled(call, high)
  if (made.kind === 'errors') return made
  const option = call.agent.opts.state_aggregate ?? false
  return { ...made, plan: aggregated(made.plan, { ...compileWorld(call), option, joinings: { pkg: joinPackages } }) }
}

/** The states there are, and the requisites that the configuration turns off. */
export function compileWorld({ agent }: Call): CompileWorld {
  const { disabled_requisites: given = [] } = agent.opts
  const disabled = new Set((Array.isArray(given) ? given : [given]).map(pythonStr))
  return { has: (fun) => agent.states.get(fun) !== undefined, disabled }
}
