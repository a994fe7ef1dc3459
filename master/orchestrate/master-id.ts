// The name that an orchestration's results stand under.
import { type Mapping, pythonStr } from '../../core/value/index.ts'

/** `<id>_master`: the master as its own minion, as Salt has it. `opts` are those that templates see. */
export function masterMinionId(opts: Mapping, { id }: { readonly id: string }): string {
  return `${pythonStr(opts.id ?? id)}_master`
}
