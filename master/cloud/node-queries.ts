// The queries of machines that Salt Cloud has.

/** Their names. */
export const nodeQueries = ['list_nodes', 'list_nodes_full', 'list_nodes_select', 'list_nodes_min'] as const

/** How much is told of each machine. */
export type NodeQuery = (typeof nodeQueries)[number]
