// The name that an orchestration's results stand under.
import { masterMinionId } from '../../core/config/master-minion-id.ts'
import { type Mapping, pythonStr } from '../../core/value/index.ts'

/** The master as its own minion: the `id` that templates see among `opts`; where they see none, by its name. */
export function masterIdOf(opts: Mapping, { id }: { readonly id: string }): string {
  return opts.id === undefined ? masterMinionId('', id) : pythonStr(opts.id)
}
