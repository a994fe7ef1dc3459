// The fields that `list_nodes_select` tells.
import type { CloudConfig } from '../../core/cloud/index.ts'
import { isList, pythonStr } from '../../core/value/index.ts'
import { RunError } from '../run.ts'
import type { NodeQuery } from './node-queries.ts'

/** The fields of `query.selection`. Throws where a selection is asked for and none is configured. */
export function selectionOf({ main }: CloudConfig, query: NodeQuery): readonly string[] {
  const selection = main['query.selection']
  if (selection !== undefined && isList(selection)) return selection.map(pythonStr)
  if (query !== 'list_nodes_select') return []
  throw new RunError("query.selection is not configured. Write the fields to show as a list into the file 'cloud'.")
}
