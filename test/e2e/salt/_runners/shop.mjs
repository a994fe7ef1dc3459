// A runner of the user's own, for the end-to-end suite: run by command and by a reaction.
import { hostname } from 'node:os'

/** What a run was given, and that Node's own modules are there. */
export async function restock({ item, by, rest }) {
  return { item, by, rest, host: typeof hostname() }
}
restock.params = { item: undefined, by: 1, '**': true }
restock.doc = 'Order more of an item.\n\nCLI Example:\n\n    brine-run shop.restock shoes by=2'
