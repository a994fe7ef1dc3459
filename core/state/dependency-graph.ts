// Which chunks wait for which, and the order that follows: Salt 3008's dependency graph.
import { type ReadyKey, readyOrder } from '../sls/ready-order.ts'
import { REQUISITES, type RequisiteKind } from '../sls/requisite-kinds.ts'
import { get, pythonRepr, type Value } from '../value/index.ts'
import { seenOrder, settleOrder } from './chunk-order.ts'
import { type DraftLow, lowTag, lowText, putLow } from './low.ts'

/** A moment of a run: a chunk, or the test of a chunk that another one has a `prereq` on. */
export interface GraphNode {
  readonly tag: string
  draft: DraftLow
  /** The node of the chunk itself where this is its test. */
  readonly tested: GraphNode | undefined
  /** What it waits for, and why, in the order it was found. */
  readonly in: Map<GraphNode, Set<RequisiteKind>>
  readonly out: Map<GraphNode, Set<RequisiteKind>>
}

/** The order of a run, or Salt's account of a cycle. */
export type Sorted =
  | { readonly kind: 'sorted'; readonly nodes: readonly GraphNode[] }
  | { readonly kind: 'cycle'; readonly message: string }

/** The chunks of a run and the requisites between them. Chunks of one tag are one: the last. */
export class DependencyGraph {
  readonly #nodes = new Map<string, GraphNode>()

  /** Adds a chunk, in the place of an earlier one of its tag. */
  add(draft: DraftLow): GraphNode {
    const tag = lowTag(draft.low)
    const known = this.#nodes.get(tag)
    if (known !== undefined) {
      known.draft = draft
      return known
    }
    const node: GraphNode = { tag, draft, tested: undefined, in: new Map(), out: new Map() }
    this.#nodes.set(tag, node)
    return node
  }

  /** The node of a chunk. */
  nodeOf(draft: DraftLow): GraphNode | undefined {
    return this.#nodes.get(lowTag(draft.low))
  }

  /** Says that a chunk waits for another one. What is named by a `prereq` waits itself, and is tested before both. */
  connect(dependent: GraphNode, required: GraphNode, kind: RequisiteKind): void {
    if (kind === 'prereq') {
      this.#connectPrereq(dependent, required)
      return
    }
    const test = this.#testOf(dependent)
    if (test !== undefined) link(required, test, kind)
    link(required, dependent, kind)
  }

  #connectPrereq(dependent: GraphNode, required: GraphNode): void {
    mark(dependent, '__prerequiring__')
    mark(required, '__prereq__')
    const test = this.#testOf(required) ?? this.#addTest(required)
    link(test, dependent, 'prereq')
    link(dependent, required, 'require')
    const own = this.#testOf(dependent)
    if (own !== undefined) link(test, own, 'prereq')
  }

  #testOf(node: GraphNode): GraphNode | undefined {
    return this.#nodes.get(`${node.tag}${TEST}`)
  }

  /** A chunk's test waits for whatever the chunk waits for. */
  #addTest(node: GraphNode): GraphNode {
    const test: GraphNode = {
      tag: `${node.tag}${TEST}`,
      draft: node.draft,
      tested: node,
      in: new Map(),
      out: new Map(),
    }
    this.#nodes.set(test.tag, test)
    for (const [source, kinds] of node.in) for (const kind of kinds) if (kind !== 'prereq') link(source, test, kind)
    return test
  }

  /** Of what is ready, the smallest goes first. Settles the `order` of every chunk. */
  sort(cap: number): Sorted {
    const { order, stuck } = readyOrder(this.#nodes.values(), (node) => keyOf(node, cap))
    if (stuck.size === 0) return { kind: 'sorted', nodes: order }
    return {
      kind: 'cycle',
      message: `Recursive requisites were found: ${describeCycle(findCycle([...this.#nodes.values()]))}`,
    }
  }
}

const TEST = '_|-__prereq_test__'

function mark({ draft }: GraphNode, key: string): void {
  draft.low = putLow(draft.low, key, true)
}

function link(from: GraphNode, to: GraphNode, kind: RequisiteKind): void {
  from.out.set(to, (from.out.get(to) ?? new Set()).add(kind))
  to.in.set(from, (to.in.get(from) ?? new Set()).add(kind))
}

/** The smaller of its own order and those of the dependents that pull hardest; then its own; then its label. */
function keyOf(node: GraphNode, cap: number): ReadyKey {
  const own = settleOrder(node.draft, cap)
  let order = own
  let heaviest = -1
  for (const [dependent, kinds] of node.out) {
    for (const kind of kinds) {
      const weight = REQUISITES.indexOf(kind)
      if (weight < heaviest) continue
      heaviest = weight
      order = Math.min(order, seenOrder(dependent.draft, cap))
    }
  }
  const label = ['state', 'name', 'fun'].map((key) => lowText(node.draft.low, key)).join('')
  return { order, own, label, tag: node.tag, place: 0 }
}

interface Edge {
  readonly from: GraphNode
  readonly to: GraphNode
  readonly kind: RequisiteKind
}

/** The first cycle that a depth-first walk closes. It keeps its own stack: chains may be long. */
function findCycle(nodes: readonly GraphNode[]): Edge[] {
  const finished = new Set<GraphNode>()
  for (const start of nodes) {
    if (finished.has(start)) continue
    const path: { readonly node: GraphNode; readonly edges: Iterator<Edge>; readonly by: Edge | undefined }[] = []
    const onPath = new Set<GraphNode>()
    const enter = (node: GraphNode, by: Edge | undefined): void => {
      path.push({ node, edges: edgesOf(node)[Symbol.iterator](), by })
      onPath.add(node)
    }
    enter(start, undefined)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.edges.next()
      if (next.done === true) {
        finished.add(top.node)
        onPath.delete(top.node)
        path.pop()
      } else if (onPath.has(next.value.to)) {
        const from = path.findIndex(({ node }) => node === next.value.to)
        return [...path.slice(from + 1).flatMap(({ by }) => (by === undefined ? [] : [by])), next.value]
      } else if (!finished.has(next.value.to)) {
        enter(next.value.to, next.value)
      }
    }
  }
  return []
}

function edgesOf(from: GraphNode): Edge[] {
  return [...from.out].flatMap(([to, kinds]) => [...kinds].map((kind) => ({ from, to, kind })))
}

function describeCycle(cycle: readonly Edge[]): string {
  return cycle.map(({ from, to, kind }) => `(${describe(to)}, '${shownKind(kind, to)}', ${describe(from)})`).join(', ')
}

/** What was added for a `prereq` is shown as one. */
function shownKind(kind: RequisiteKind, dependent: GraphNode): RequisiteKind {
  return kind === 'require' && get(dependent.draft.low, kind) === undefined ? 'prereq' : kind
}

function describe({ draft: { low } }: GraphNode): string {
  const [id, name] = ['__id__', 'name'].map((key): Value => get(low, key) ?? null)
  const shown = { SLS: get(low, '__sls__') ?? null, ID: id ?? null }
  return pythonRepr(lowText(low, '__id__') === lowText(low, 'name') ? shown : { ...shown, NAME: name ?? null })
}
