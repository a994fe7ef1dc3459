// From high data to a plan: extended, verified, requisites turned round, excluded, cut into chunks, and ordered.
import { DECLARED } from '../sls/requisite-kinds.ts'
import { entries, get, has, isList, isMap, pythonStr, pythonTruth, type Value } from '../value/index.ts'
import { ChunkLookup } from './chunk-lookup.ts'
import { OrderCap } from './chunk-order.ts'
import { DependencyGraph, type GraphNode } from './dependency-graph.ts'
import { applyExclude, applyExtend } from './extend.ts'
import { type High, thawed } from './high.ts'
import { type DraftLow, draftLows, lowText, putLow } from './low.ts'
import type { Plan } from './plan.ts'
import { applyRequisiteIn } from './requisite-in.ts'
import { verifyHigh } from './verify-high.ts'

/** What compiling has to know of the states there are. */
export interface CompileWorld {
  /** Whether there is a state function: `service.mod_watch`. A `watch` of a state without one is a `require`. */
  readonly has: (fun: string) => boolean
  /** Salt's `disabled_requisites`: keywords that are passed over, whatever they name. @default none */
  readonly disabled?: ReadonlySet<string>
  /** Given to every chunk of an orchestration. */
  readonly orchestrationJid?: string
}

/** High data as it stands after compiling, with the plan or Salt's errors. */
export type CompiledHigh =
  | { readonly kind: 'plan'; readonly high: High; readonly plan: Plan }
  | { readonly kind: 'errors'; readonly high: High; readonly errors: readonly string[] }

/** Compiles high data as `state.highstate` and `state.sls` do. The data that is given stays as it is. */
export function compileHigh(given: High, world: CompileWorld): CompiledHigh {
  const high = thawed(given)
  const unsound = [...applyExtend(high, false), ...verifyHigh(high)]
  if (unsound.length > 0) return { kind: 'errors', high, errors: unsound }
  const inverted = applyRequisiteIn(high, world.disabled)
  applyExclude(high)
  if (inverted.length > 0) return { kind: 'errors', high, errors: inverted }
  const compiled = compileChunks(high, world)
  return { ...compiled, high }
}

/** Cuts high data into chunks and orders them, and nothing besides, as `state.show_low_sls` does. */
export function compileChunks(high: High, world: CompileWorld): Ordered {
  return orderChunks(draftLows(high, world.orchestrationJid), world)
}

/** Chunks in the order of a run, or Salt's errors. */
export type Ordered =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'errors'; readonly errors: readonly string[] }

/** Orders chunks by what they require and by their `order`. */
export function orderChunks(drafts: readonly DraftLow[], world: CompileWorld): Ordered {
  const graph = new DependencyGraph()
  const lookup = new ChunkLookup()
  for (const draft of drafts) lookup.add(graph.add(draft))
  const cap = new OrderCap()
  const errors: string[] = []
  for (const draft of drafts) {
    watchOrRequire(draft, world)
    const node = graph.nodeOf(draft)
    const error = node === undefined ? undefined : connectAll(graph, lookup, node, draft, world)
    if (error === undefined) cap.take(draft)
    else errors.push(error)
  }
  const sorted = graph.sort(cap.value)
  if (sorted.kind === 'cycle') errors.push(sorted.message)
  if (sorted.kind === 'cycle' || errors.length > 0) return { kind: 'errors', errors }
  return { kind: 'plan', plan: planOf(sorted.nodes) }
}

/** Without a `mod_watch` there is nothing that watching could call. */
function watchOrRequire(draft: DraftLow, world: CompileWorld): void {
  if (!has(draft.low, 'watch') && !has(draft.low, 'watch_any')) return
  if (world.has(`${lowText(draft.low, 'state')}.mod_watch`)) return
  for (const [watch, require] of [
    ['watch', 'require'],
    ['watch_any', 'require_any'],
  ] as const) {
    const watched = get(draft.low, watch)
    if (watched === undefined) continue
    const required = get(draft.low, require)
    draft.low = putLow(draft.low, require, [...listOf(required), ...listOf(watched)])
    if (draft.low instanceof Map) draft.low.delete(watch)
    else delete draft.low[watch]
  }
}

/** Adds what a chunk declares; the first reference that leads nowhere is the error. */
function connectAll(
  graph: DependencyGraph,
  lookup: ChunkLookup,
  node: GraphNode,
  { low }: DraftLow,
  { disabled }: CompileWorld,
): string | undefined {
  for (const kind of DECLARED) {
    const references = get(low, kind)
    if (disabled?.has(kind) === true || references === undefined || !pythonTruth(references)) continue
    for (const reference of listOf(references)) {
      const [type, target] = typeof reference === 'string' ? ['id', reference] : firstPair(reference)
      if (target === null) continue
      const where = `in state [${lowText(low, 'name')}] in SLS [${lowText(low, '__sls__')}]`
      if (typeof target !== 'string') return `Requisite [${kind}: ${type}] ${where} must have a string as the value`
      const found = lookup.find(type, target)
      if (found === undefined) {
        return `Referenced state does not exist for requisite [${kind}: (${type}: ${target})] ${where}`
      }
      for (const required of found) graph.connect(node, required, kind)
    }
  }
  return undefined
}

function listOf(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : []
}

/** The type, without the function that may follow it, and the target. */
function firstPair(reference: Value): [type: string, target: Value] {
  const [pair] = isMap(reference) ? entries(reference) : []
  return pair === undefined ? ['', null] : [pythonStr(pair[0]).split('.', 1)[0] ?? '', pair[1]]
}

function planOf(sorted: readonly GraphNode[]): Plan {
  const places = new Map(sorted.map((node, index) => [node, index]))
  const drafts = [...new Set(sorted.map(({ draft }) => draft))]
  const chunkOf = new Map(drafts.map((draft, index) => [draft, index]))
  const nodes = sorted.map((node) => ({
    chunk: chunkOf.get(node.draft) ?? 0,
    tag: node.tested?.tag ?? node.tag,
    test: node.tested !== undefined,
    needs: [...node.in].flatMap(([needed, kinds]) =>
      [...kinds].map((kind) => ({ kind, node: places.get(needed) ?? 0 })),
    ),
  }))
  return { chunks: drafts.map(({ low }) => low), nodes }
}
