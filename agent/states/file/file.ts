// Salt's `file` states, put together from their parts.
import type { Mapping } from '../../../core/value/index.ts'
import { modBeacon } from '../mod-beacon.ts'
import type { StateModule } from '../state-module.ts'
import { accumulated } from './accumulated.ts'
import { appendState, prependState } from './additions.ts'
import { cachedState, notCachedState } from './cached.ts'
import { modRunCheckCmd } from './check-cmd.ts'
import { decodeState } from './decode.ts'
import { directory } from './directory.ts'
import { blockState, commentState, lineState, replaceState, uncommentState } from './edits.ts'
import { keyvalueState } from './keyvalue.ts'
import { hardlink, symlink } from './links.ts'
import { managed } from './managed.ts'
import { mknodState } from './mknod.ts'
import { patchState } from './patch.ts'
import { absent, existing, missing, pruned, tidied, touch } from './presence.ts'
import { recurseState } from './recurse.ts'
import { retentionState } from './retention.ts'
import { serializeState } from './serialize.ts'
import { copyState, renameState } from './transfer.ts'

function inotifyOptions(name: string, data: Mapping, _: Mapping, fun: string): Mapping {
  const mask = data.mask ?? ['create', 'delete', 'modify']
  const { auto_add = true, recurse = true, exclude = [] } = data
  const watched = fun === 'directory' ? { mask, auto_add, recurse, exclude } : { mask }
  return { files: { [name]: watched }, interval: data.interval ?? 60, coalesce: data.coalesce ?? false }
}

/** Salt's `file` states. */
export const file: StateModule = {
  name: 'file',
  functions: {
    absent,
    accumulated,
    append: appendState,
    blockreplace: blockState,
    cached: cachedState,
    comment: commentState,
    copy: copyState,
    decode: decodeState,
    directory,
    exists: existing,
    hardlink,
    keyvalue: keyvalueState,
    line: lineState,
    managed,
    missing,
    mknod: mknodState,
    mod_beacon: modBeacon('file', { kind: 'inotify', funs: ['managed', 'directory'], options: inotifyOptions }),
    mod_run_check_cmd: modRunCheckCmd,
    not_cached: notCachedState,
    patch: patchState,
    prepend: prependState,
    pruned,
    recurse: recurseState,
    rename: renameState,
    replace: replaceState,
    retention_schedule: retentionState,
    serialize: serializeState,
    symlink,
    tidied,
    touch,
    uncomment: uncommentState,
  },
}
