// Which chunks wait for which, and the order that follows: Salt 3008's dependency graph.
import { entries, get, isList, isMap, pythonStr, pythonTruth, type Value } from '../value/index.ts'
import { type Draft, draftText } from './chunk.ts'
import { numberOfOrder, rawOrder, settledOrder } from './order.ts'
import { type ReadyKey, readyOrder } from './ready-order.ts'
import type { AwaitedKind, Requisite } from './requisite.ts'
import { DECLARED, REQUISITES, type RequisiteKind } from './requisite-kinds.ts'
import { RequisiteLookup } from './requisite-lookup.ts'

/** Whether a chunk declares anything that the graph has to know. */
export function hasRequisites(draft: Draft): boolean {
  for (const kind of DECLARED) if (get(draft.low, kind) !== undefined) return true
  return false
}

/** A place in the order: a chunk, or the moment at which Salt would test a chunk that has a `prereq` on it. */
interface Node {
  readonly draft: number
  readonly label: string
  readonly tag: string
  readonly out: Map<Node, Set<RequisiteKind>>
  readonly in: Map<Node, Set<RequisiteKind>>
  test?: Node
}

/** A file's chunk names what does not exist, or something no requisite can be. */
export interface RequisiteProblem {
  readonly file: number
  readonly message: string
}

/** The chunks in order with what they wait for, or the problems, each with its file. */
export type Ordered =
  | {
      readonly kind: 'ordered'
      readonly order: readonly number[]
      readonly requisites: ReadonlyMap<number, Requisite[]>
    }
  | { readonly kind: 'broken'; readonly problems: readonly RequisiteProblem[] }

/** Orders chunks of which some have requisites. `cap` is the order of those without; nothing is changed. */
export function orderByRequisites(drafts: readonly Draft[], cap: number): Ordered {
  const graph = new RequisiteGraph(drafts)
  for (const [index, draft] of drafts.entries()) graph.addRequisites(index, draft)
  if (graph.problems.length > 0) return { kind: 'broken', problems: graph.problems }
  return graph.order(cap)
}

class RequisiteGraph {
  readonly problems: RequisiteProblem[] = []
  readonly #drafts: readonly Draft[]
  readonly #nodes: readonly Node[]
  readonly #lookup: RequisiteLookup
  readonly #requisites = new Map<number, Map<AwaitedKind, Set<number>>>()
  /** Drafts whose order Salt has written back by now. */
  readonly #settled = new Set<number>()

  constructor(drafts: readonly Draft[]) {
    this.#drafts = drafts
    this.#lookup = new RequisiteLookup(drafts)
    this.#nodes = drafts.map((draft, index) => {
      const [state, id, name, fun] = ['state', '__id__', 'name', 'fun'].map((key) => draftText(draft, key))
      const tag = `${state}_|-${id}_|-${name}_|-${fun}`
      return { draft: index, label: `${state}${name}${fun}`, tag, out: new Map(), in: new Map() }
    })
  }

  /** Adds what a chunk declares; the first reference that leads nowhere is its problem. */
  addRequisites(index: number, draft: Draft): void {
    for (const kind of DECLARED) {
      const references = get(draft.low, kind)
      if (references === undefined || !pythonTruth(references)) continue
      const message = isList(references)
        ? this.#addReferences(index, draft, kind, references)
        : `The ${kind} statement ${where(draft)} needs to be formed as a list`
      if (message !== undefined) {
        this.problems.push({ file: draft.file, message })
        return
      }
    }
  }

  #addReferences(index: number, draft: Draft, kind: RequisiteKind, references: readonly Value[]): string | undefined {
    for (const reference of references) {
      const [type, target] = typeof reference === 'string' ? ['id', reference] : firstPair(reference)
      if (type === undefined || target === undefined) {
        return `Requisite declaration ${pythonStr(reference)} ${where(draft)} is not formed as a single key dictionary`
      }
      if (target === null) continue
      if (typeof target !== 'string') {
        return `Requisite [${kind}: ${type}] ${where(draft)} must have a string as the value`
      }
      const found = this.#lookup.find(draft.file, type, target)
      if (found === undefined) {
        const hint = this.#lookup.hint(type, target)
        return `Referenced state does not exist for requisite [${kind}: (${type}: ${target})] ${where(draft)}. ${hint}`
      }
      for (const required of found) this.#connect(index, required, kind)
    }
    return undefined
  }

  #connect(dependent: number, required: number, kind: RequisiteKind): void {
    const node = this.#nodes[dependent]
    const need = this.#nodes[required]
    if (node === undefined || need === undefined) return
    if (kind === 'prereq') {
      this.#connectPrereq(node, need)
      this.#require(required, 'require', dependent)
      return
    }
    if (node.test !== undefined) link(need, node.test, kind)
    link(need, node, kind)
    this.#require(dependent, kind, required)
  }

  /** What is named goes after the one that declares it; the order is that of Salt's test run before both. */
  #connectPrereq(node: Node, need: Node): void {
    if (need.test === undefined) {
      need.test = {
        draft: need.draft,
        label: need.label,
        tag: `${need.tag}_|-__prereq_test__`,
        out: new Map(),
        in: new Map(),
      }
      for (const [source, kinds] of need.in)
        for (const kind of kinds) if (kind !== 'prereq') link(source, need.test, kind)
    }
    link(need.test, node, 'prereq')
    link(node, need, 'require')
    if (node.test !== undefined) link(need.test, node.test, 'prereq')
  }

  #require(dependent: number, kind: AwaitedKind, required: number): void {
    const kinds = this.#requisites.get(dependent) ?? new Map<AwaitedKind, Set<number>>()
    this.#requisites.set(dependent, kinds)
    const chunks = kinds.get(kind) ?? new Set<number>()
    kinds.set(kind, chunks.add(required))
  }

  /** Of what is ready, the smallest goes first. */
  order(cap: number): Ordered {
    const nodes = this.#nodes.flatMap((node) => (node.test === undefined ? [node] : [node, node.test]))
    const { order: sorted, stuck } = readyOrder(nodes, (node) => this.#key(node, cap))
    if (stuck.size > 0) return { kind: 'broken', problems: this.#cycle(stuck) }
    const order = sorted.flatMap((node) => (this.#nodes[node.draft] === node ? [node.draft] : []))
    return { kind: 'ordered', order, requisites: this.#renumbered(order) }
  }

  /** Salt's key: the smaller of its own order and those of the dependents that pull hardest, then its own. */
  #key(node: Node, cap: number): ReadyKey {
    const draft = this.#drafts[node.draft]
    const { label, tag, draft: place } = node
    if (draft === undefined) return { order: cap, own: cap, label, tag, place }
    const own = numberOfOrder(settledOrder(draft, cap))
    this.#settled.add(node.draft)
    let order = own
    let heaviest = Number.NEGATIVE_INFINITY
    for (const [dependent, kinds] of node.out) {
      const pulling = this.#drafts[dependent.draft]
      for (const kind of kinds) {
        const weight = REQUISITES.indexOf(kind)
        if (weight < heaviest || pulling === undefined) continue
        heaviest = weight
        order = Math.min(order, this.#pull(dependent.draft, pulling, cap))
      }
    }
    return { order, own, label, tag, place }
  }

  /** What Salt reads from the dependent's chunk, which may not be settled yet. */
  #pull(index: number, draft: Draft, cap: number): number {
    return this.#settled.has(index) ? numberOfOrder(settledOrder(draft, cap)) : rawOrder(draft, cap)
  }

  /** One cycle among the nodes that never became ready, told in Salt's form to every file that has a part in it. */
  #cycle(stuck: ReadonlySet<Node>): RequisiteProblem[] {
    const path: Node[] = []
    let [current] = stuck
    while (current !== undefined && !path.includes(current)) {
      path.push(current)
      current = [...current.in.keys()].find((source) => stuck.has(source))
    }
    const cycle = current === undefined ? path : path.slice(path.indexOf(current))
    const steps = cycle.map((node, index) => {
      const source = cycle[(index + 1) % cycle.length] ?? node
      const [kind = 'require'] = node.in.get(source) ?? []
      return `(${this.#describe(source)}, '${kind}', ${this.#describe(node)})`
    })
    const message = `Recursive requisites were found: ${steps.join(', ')}. Take one of them out.`
    const files = new Set(cycle.map((node) => this.#drafts[node.draft]?.file ?? 0))
    return [...files].map((file) => ({ file, message }))
  }

  #describe(node: Node): string {
    const draft = this.#drafts[node.draft]
    if (draft === undefined) return node.tag
    const [sls, id, name] = ['__sls__', '__id__', 'name'].map((key) => draftText(draft, key))
    return `{'SLS': '${sls}', 'ID': '${id}'${id === name ? '' : `, 'NAME': '${name}'`}}`
  }

  #renumbered(order: readonly number[]): Map<number, Requisite[]> {
    const place = new Map(order.map((draft, index) => [draft, index]))
    const result = new Map<number, Requisite[]>()
    for (const [draft, kinds] of this.#requisites) {
      const requisites = [...kinds].map(([kind, drafts]) => ({
        kind,
        chunks: [...drafts].map((required) => place.get(required) ?? 0).sort((a, b) => a - b),
      }))
      result.set(draft, requisites)
    }
    return result
  }
}

function where(draft: Draft): string {
  return `in state [${draftText(draft, 'name')}] in SLS [${draftText(draft, '__sls__')}]`
}

/** The type, without the function that may follow it, and the target. */
function firstPair(reference: Value): [string, Value] | [] {
  const [pair] = isMap(reference) ? entries(reference) : []
  return pair === undefined ? [] : [pythonStr(pair[0]).split('.', 1)[0] ?? '', pair[1]]
}

function link(from: Node, to: Node, kind: RequisiteKind): void {
  from.out.set(to, (from.out.get(to) ?? new Set()).add(kind))
  to.in.set(from, (to.in.get(from) ?? new Set()).add(kind))
}
