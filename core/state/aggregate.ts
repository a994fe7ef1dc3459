// `aggregate`: the first of several states of a module does the work of all, in one go.
import { get, isList, isMap, pythonTruth, type Value } from '../value/index.ts'
import { deepCopy } from '../value/merge.ts'
import { type CompileWorld, orderChunks } from './compile-low.ts'
import { type Low, lowText, putLow } from './low.ts'
import type { Plan } from './plan.ts'

/** How a module joins chunks: `low` with the work of those of `others` it names by index, or nothing where it cannot. */
export type Joining = (
  low: Low,
  others: readonly Low[],
) => { readonly low: Low; readonly taken: readonly number[] } | undefined

/** What joining has to know. */
export interface AggregateWorld extends CompileWorld {
  /** The option `state_aggregate`: true, or the modules that are joined without being told. */
  readonly option: Value
  /** The modules that can be joined. */
  readonly joinings: Readonly<Record<string, Joining>>
}

/**
 * The plan in which chunks that want it have the work of later ones too, and wait for what those wait for. Those stay, and
 * find it done. A chunk that runs on a condition (`onlyif`, `onchanges`, …) is never joined to another: it may not run. Where
 * joining would make chunks wait for each other, the plan stays as it was.
 */
export function aggregated(plan: Plan, world: AggregateWorld): Plan {
  const lows = new Map(plan.chunks.entries())
  const order = plan.nodes.filter(({ test }) => !test).map(({ chunk }) => chunk)
  const joined = new Set<number>()
  for (const [place, index] of order.entries()) {
    const low = lows.get(index)
    const join = low === undefined ? undefined : world.joinings[lowText(low, 'state')]
    if (low === undefined || join === undefined || joined.has(index) || !isAsked(low, world.option)) continue
    const places = order.slice(place + 1).filter((other) => !joined.has(other) && isJoinable(lows.get(other), low))
    const found = join(
      copied(low),
      places.map((other) => copied(lows.get(other) ?? {})),
    )
    if (found === undefined || found.taken.length === 0) continue
    const taken = found.taken.flatMap((other) => places[other] ?? [])
    for (const other of taken) joined.add(other)
    const required = taken.flatMap((other) => requirements(lows.get(other) ?? {}, plan, taken.concat(index)))
    lows.set(index, withRequired(found.low, required))
  }
  if (joined.size === 0) return plan
  const drafts = [...lows.values()].map((low) => ({ low: copied(low), nameOrder: 0 }))
  const ordered = orderChunks(drafts, world)
  return ordered.kind === 'plan' ? ordered.plan : plan
}

function isAsked(low: Low, option: Value): boolean {
  const written = get(low, 'aggregate') ?? option
  return isList(written) ? written.includes(lowText(low, 'state')) : written === true
}

const CONDITIONS = ['onlyif', 'unless', 'creates', 'onchanges', 'onchanges_any', 'onfail', 'onfail_any', 'onfail_all']

function isJoinable(other: Low | undefined, low: Low): boolean {
  if (other === undefined || lowText(other, 'state') !== lowText(low, 'state')) return false
  return ![...CONDITIONS, 'prereq', '__prereq__'].some((key) => pythonTruth(get(other, key) ?? null))
}

/** What a chunk requires or watches, but for the chunks named by index. */
function requirements(low: Low, plan: Plan, without: readonly number[]): Value[] {
  const own = without.map((index) => plan.chunks[index]).filter((chunk) => chunk !== undefined)
  return ['require', 'watch']
    .flatMap((key) => {
      const written = get(low, key)
      return isList(written) ? written : []
    })
    .filter((reference) => !own.some((chunk) => isMeant(reference, chunk)))
}

function isMeant(reference: Value, chunk: Low): boolean {
  const names = [lowText(chunk, '__id__'), lowText(chunk, 'name')]
  if (typeof reference === 'string') return names.includes(reference)
  const name = isMap(reference) ? get(reference, lowText(chunk, 'state')) : undefined
  return typeof name === 'string' && names.includes(name)
}

function withRequired(low: Low, required: readonly Value[]): Low {
  if (required.length === 0) return low
  const own = get(low, 'require')
  return putLow(low, 'require', [...(isList(own) ? own : []), ...required])
}

function copied(low: Low): Low {
  const copy = deepCopy(low)
  return isMap(copy) ? copy : {}
}
