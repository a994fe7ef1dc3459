// The order of what waits for one another: of what is ready, the smallest goes first (Kahn's algorithm).
import { byCodePoint } from './high.ts'

/** What waits (`in`) and is waited for (`out`), with every reason for it. */
export interface Waiting<N> {
  readonly in: ReadonlyMap<N, ReadonlySet<unknown>>
  readonly out: ReadonlyMap<N, ReadonlySet<unknown>>
}

/** What decides among those that are ready, the first that differs. */
export interface ReadyKey {
  /** The smaller of its own order and those of the dependents that pull hardest. */
  readonly order: number
  readonly own: number
  readonly label: string
  readonly tag: string
  /** Where nothing else differs. */
  readonly place: number
}

/**
 * The nodes in order, each behind what it waits for, and those that are stuck in cycles or behind one. `keyOf` is asked
 * once for a node, in the moment it is ready.
 */
export function readyOrder<N extends Waiting<N>>(
  nodes: Iterable<N>,
  keyOf: (node: N) => ReadyKey,
): { readonly order: readonly N[]; readonly stuck: ReadonlySet<N> } {
  const missing = new Map<N, number>()
  for (const node of nodes) missing.set(node, edgeCount(node.in))
  const ready = new ReadyList<N>()
  for (const [node, count] of missing) if (count === 0) ready.push(node, keyOf(node))
  const order: N[] = []
  for (let node = ready.shift(); node !== undefined; node = ready.shift()) {
    missing.delete(node)
    order.push(node)
    for (const [dependent, reasons] of node.out) {
      const left = (missing.get(dependent) ?? 0) - reasons.size
      missing.set(dependent, left)
      if (left === 0) ready.push(dependent, keyOf(dependent))
    }
  }
  return { order, stuck: new Set(missing.keys()) }
}

function edgeCount(edges: ReadonlyMap<unknown, ReadonlySet<unknown>>): number {
  let count = 0
  for (const reasons of edges.values()) count += reasons.size
  return count
}

/** What is ready, smallest first. */
class ReadyList<N> {
  readonly #items: { readonly node: N; readonly key: ReadyKey }[] = []

  push(node: N, key: ReadyKey): void {
    let low = 0
    let high = this.#items.length
    while (low < high) {
      const middle = (low + high) >> 1
      const item = this.#items[middle]
      if (item !== undefined && compare(item.key, key) <= 0) low = middle + 1
      else high = middle
    }
    this.#items.splice(low, 0, { node, key })
  }

  shift(): N | undefined {
    return this.#items.shift()?.node
  }
}

function compare(a: ReadyKey, b: ReadyKey): number {
  return (
    a.order - b.order ||
    a.own - b.own ||
    byCodePoint(a.label, b.label) ||
    byCodePoint(a.tag, b.tag) ||
    a.place - b.place
  )
}
