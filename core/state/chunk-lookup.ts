// Finds the chunks that a requisite names: by type and ID or name, by ID alone, by file, or by a glob on these.
import { tagGlob } from '../event/tag-glob.ts'
import { get, isList, pythonStr } from '../value/index.ts'
import type { GraphNode } from './dependency-graph.ts'
import { lowText } from './low.ts'

/** What requisites can name among the chunks of a run. */
export class ChunkLookup {
  /** `type\nname or id` → nodes; the type `id` stands for any. */
  readonly #named = new Map<string, Set<GraphNode>>()
  readonly #sls = new Map<string, Set<GraphNode>>()

  /** Adds a chunk under every name it has. */
  add(node: GraphNode): void {
    const { low } = node.draft
    const [state, name, id] = ['state', 'name', '__id__'].map((key) => lowText(low, key))
    for (const key of [`${state}\n${name}`, `${state}\n${id}`, `id\n${id}`, `id\n${name}`]) put(this.#named, key, node)
    const sls = lowText(low, '__sls__')
    if (sls !== '') put(this.#sls, sls, node)
    const from = get(low, '__sls_included_from__')
    if (isList(from)) for (const includer of from) put(this.#sls, pythonStr(includer), node)
  }

  /** The chunks a reference names, `undefined` where there are none. A glob of files may name nothing, as in Salt. */
  find(type: string, target: string): readonly GraphNode[] | undefined {
    const isGlob = /[*?[\]]/.test(target)
    if (type === 'sls') {
      return isGlob ? union([...this.#sls].filter(([sls]) => tagGlob(target)(sls))) : listOf(this.#sls.get(target))
    }
    if (!isGlob) return listOf(this.#named.get(`${type}\n${target}`))
    const prefix = `${type}\n`
    const found = [...this.#named].filter(
      ([key]) => key.startsWith(prefix) && tagGlob(target)(key.slice(prefix.length)),
    )
    return found.length === 0 ? undefined : union(found)
  }
}

function put(map: Map<string, Set<GraphNode>>, key: string, node: GraphNode): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, new Set([node]))
  else known.add(node)
}

function listOf(nodes: ReadonlySet<GraphNode> | undefined): readonly GraphNode[] | undefined {
  return nodes === undefined ? undefined : [...nodes]
}

function union(found: readonly (readonly [string, ReadonlySet<GraphNode>])[]): readonly GraphNode[] {
  return [...new Set(found.flatMap(([, nodes]) => [...nodes]))]
}
