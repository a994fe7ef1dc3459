// Machines as Salt's cloud functions tell of them: by name, whole, or in a few words.
import { mappingOf } from '../../core/cloud/index.ts'
import { isList, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { NodeQuery } from './node-queries.ts'

/** States of a machine that is gone or going. */
const going = new Set(['terminated', 'shutting-down'])

/** What EC2 tells of a machine, under its name, with Salt's short names besides. */
export function nodeOf(machine: Mapping): Mapping {
  return {
    ...machine,
    name: nameOf(machine),
    id: machine.instanceId ?? null,
    image: machine.imageId ?? null,
    size: machine.instanceType ?? null,
    state: stateOf(machine),
    private_ips: machine.privateIpAddress ?? [],
    public_ips: machine.ipAddress ?? [],
  }
}

/** Its tag `Name`, else its id. */
function nameOf(machine: Mapping): string {
  const name = tagsOf(machine).get('Name')
  return name ?? pythonStr(machine.instanceId ?? '')
}

/** Its tags. EC2 tells one as a map and several as a list. */
export function tagsOf(machine: Mapping): ReadonlyMap<string, string> {
  const items = mappingOf(machine.tagSet)?.item
  const all = items === undefined ? [] : isList(items) ? items : [items]
  return new Map(
    all.flatMap((each) => {
      const { key, value } = mappingOf(each) ?? {}
      return key === undefined ? [] : [[pythonStr(key), pythonStr(value ?? '')] as const]
    }),
  )
}

/** EC2's word: `pending`, `running`, … */
export function stateOf(machine: Mapping): string {
  return pythonStr(mappingOf(machine.instanceState)?.name ?? '')
}

/** True until it is being ended. */
export function isAlive(machine: Mapping): boolean {
  return !going.has(stateOf(machine))
}

/** By name; of several of one name the one that lives, and of those the one told last. */
export function nodesByName(machines: readonly Mapping[]): Record<string, Mapping> {
  const nodes: Record<string, Mapping> = {}
  for (const machine of machines) {
    const name = nameOf(machine)
    const before = nodes[name]
    if (before === undefined || isAlive(machine) || !isAlive(before)) nodes[name] = nodeOf(machine)
  }
  return nodes
}

const few = ['id', 'image', 'name', 'size', 'state', 'private_ips', 'public_ips']

/** The nodes with what the query wants of them; `selection` are the fields of `list_nodes_select`. */
export function told(nodes: Record<string, Mapping>, query: NodeQuery, selection: readonly string[]): Mapping {
  const wanted: Readonly<Record<NodeQuery, (node: Mapping) => Mapping>> = {
    list_nodes: (node) => picked(node, few),
    list_nodes_full: (node) => node,
    list_nodes_select: (node) => Object.fromEntries(Object.entries(node).filter(([key]) => selection.includes(key))),
    list_nodes_min: (node) => picked(node, ['state', 'id']),
  }
  return Object.fromEntries(Object.entries(nodes).map(([name, node]): [string, Value] => [name, wanted[query](node)]))
}

function picked(node: Mapping, keys: readonly string[]): Mapping {
  return Object.fromEntries(keys.map((key) => [key, node[key] ?? null]))
}
