// Whose what was unpacked shall be.
import { lchown } from 'node:fs/promises'
import type { Mapping, Value } from '../../../core/value/index.ts'
import type { TopLevel } from '../../archives/contents.ts'
import { isDirectory, joinPath, lstatOf } from '../../filesystem/paths.ts'
import { boundArguments } from '../bound-arguments.ts'
import type { StateCall } from '../state-module.ts'
import type { Request } from './request.ts'

/** What was changed, and what could not be. */
export interface Owned {
  readonly isChanged: boolean
  readonly missing: readonly string[]
  readonly failed: readonly string[]
}

/** Gives what is at the archive's top, or what the request names, with all below it, to the user and group. */
export async function ownAll(
  request: Request,
  top: TopLevel,
  who: { readonly user: Value; readonly group: Value },
  call: StateCall,
): Promise<Owned> {
  const { name, ownershipOn, uid, gid } = request
  const missing: string[] = []
  const failed: string[] = []
  let isChanged = false
  const isFolder = ownershipOn !== undefined && (await isDirectory(ownershipOn))
  const dirs = ownershipOn === undefined ? top.top_level_dirs : isFolder ? [ownershipOn] : []
  const files =
    ownershipOn === undefined ? [...top.top_level_files, ...top.top_level_links] : isFolder ? [] : [ownershipOn]
  for (const dir of dirs) {
    const path = joinPath(name, dir)
    if (!(await isDirectory(path))) {
      if (!call.test) missing.push(path)
      continue
    }
    const told = await directoryOwned(path, who, call)
    if (Object.keys(told.changes as Mapping).length > 0) isChanged = true
    if (told.result === false) failed.push(path)
  }
  for (const file of files) {
    const path = joinPath(name, file)
    const found = await lstatOf(path)
    if (found === undefined) {
      if (!call.test) {
        missing.push(path)
        failed.push(path)
      }
    } else if ((uid !== -1 && uid !== found.uid) || (gid !== -1 && gid !== found.gid)) {
      if (!call.test) await lchown(path, uid === -1 ? found.uid : uid, gid === -1 ? found.gid : gid)
      isChanged = true
    }
  }
  return { isChanged, missing, failed }
}

async function directoryOwned(
  path: string,
  { user, group }: { readonly user: Value; readonly group: Value },
  call: StateCall,
): Promise<Mapping> {
  const state = call.agent.states.get('file.directory')
  if (state === undefined) return { result: false, changes: {} }
  const recurse = [...(user === null ? [] : ['user']), ...(group === null ? [] : ['group'])]
  return state.run(boundArguments(state, { name: path, user, group, recurse }), call)
}
