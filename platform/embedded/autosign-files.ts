// The files by which a master accepts and rejects keys by itself, read anew for each key that is not accepted yet.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AutosignRules,
  autosignLines,
  type FileReader,
  grainsWeakness,
  isGrainFile,
  isTrustedFile,
} from '../../core/autosign/index.ts'
import { messageOf } from '../../core/error.ts'
import type { Log } from './compose.ts'

/** Where they are. */
export interface AutosignFiles {
  readonly autosign_file: string | null
  readonly autoreject_file: string | null
  readonly autosign_grains_dir: string | null
  readonly permissive_pki_access: boolean
}

/**
 * Reads them. What is missing says nothing; what others may write, or cannot be read, says nothing either, and then nobody is
 * accepted by a file: an `autoreject_file` that is left out would let in whom it rejects. Each complaint is logged once.
 */
export function autosignFiles(files: AutosignFiles, log: Pick<Log, 'warn'>): () => Promise<AutosignRules> {
  const said = new Set<string>()
  const warn = (message: string): void => {
    if (!said.has(message)) log.warn(message)
    said.add(message)
  }
  const reader: FileReader = {
    uid: process.getuid?.(),
    groups: process.getgroups?.() ?? [],
    permissive: files.permissive_pki_access,
  }
  const linesOf = async (path: string): Promise<string[] | undefined> => {
    try {
      if (isTrustedFile(await stat(path), reader)) return autosignLines(await readFile(path, 'utf8'))
      warn(
        `Wrong permissions for ${path}, ignoring content: others may write it (permissive_pki_access lets its group).`,
      )
      return undefined
    } catch (error) {
      if (isMissing(error)) warn(`There is no ${path}.`)
      else warn(`${path} cannot be read: ${messageOf(error)}`)
      return isMissing(error) ? [] : undefined
    }
  }
  const grainsOf = async (folder: string): Promise<AutosignRules['grains'] | undefined> => {
    const names = await readdir(folder).catch((error: unknown) => {
      warn(isMissing(error) ? `There is no ${folder}.` : `${folder} cannot be read: ${messageOf(error)}`)
      return []
    })
    const grains: Record<string, string[]> = {}
    for (const name of names.filter(isGrainFile)) {
      const values = await linesOf(join(folder, name))
      if (values === undefined) return undefined
      grains[name] = values
    }
    const weakness = grainsWeakness({ grains })
    if (weakness !== undefined) warn(weakness)
    return grains
  }
  return async () => {
    const { autosign_file: signing, autoreject_file: rejecting, autosign_grains_dir: folder } = files
    const [accept, reject, grains] = await Promise.all([
      signing === null ? [] : linesOf(signing),
      rejecting === null ? [] : linesOf(rejecting),
      folder === null ? {} : grainsOf(folder),
    ])
    if (reject === undefined) return { accept: [], reject: [], grains: {} }
    return { accept: accept ?? [], reject, grains: grains ?? {} }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
