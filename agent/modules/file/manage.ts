// Brings a file's contents, owner and mode about, and tells what that changed: Salt's `file.manage_file` and the check of it.
import { readFile } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { isMap, type Mapping, pythonEquals, pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import { difference } from '../../filesystem/attributes.ts'
import { backUp, backupRoot } from '../../filesystem/backup.ts'
import { makeParents } from '../../filesystem/directories.ts'
import { hashFile, type SourceSum } from '../../filesystem/hash.ts'
import { defaultFileMode, enterable, normalMode } from '../../filesystem/mode.ts'
import { directoryName, exists, isDirectory, isLink, isRegularFile, lexists, realPath } from '../../filesystem/paths.ts'
import { checkPermissions, withPermissions } from '../../filesystem/permissions.ts'
import { fileStats } from '../../filesystem/stats.ts'
import { copyWhole, writeWhole } from '../../filesystem/write.ts'
import type { Call } from '../module.ts'
import { attributesOf } from './asked.ts'
import { diffBytes, diffFiles } from './contents.ts'
import type { Fetched } from './sources.ts'

/** What a file has to be. */
export interface ManagedFile {
  readonly name: string
  /** The source as it is written, for messages; empty for none. */
  readonly source: string
  /** The contents: a file's, a text's; undefined leaves what is there, and makes an empty file where nothing is. */
  readonly contents: Exclude<Fetched, { kind: 'failed' }> | undefined
  /** The digest was given by the user and has to be right. */
  readonly verify: boolean
  readonly user: Value
  readonly group: Value
  readonly mode: Value
  readonly attrs: Value
  readonly backup: string
  readonly makedirs: boolean
  readonly dirMode: Value
  readonly showChanges: boolean
  readonly follow: boolean
  readonly test: boolean
  /** The contents are a template's or given as they are, which `obfuscate_templates` hides. */
  readonly isTemplate: boolean
}

/** A state's return while it is made. */
export interface Managed extends Mapping {
  name: Value
  changes: Mapping
  comment: string
  result: boolean | null
}

const failed = (ret: Managed, comment: string): Managed => ({ ...ret, result: false, comment })

/** Makes it so. What is there is replaced in one step; a copy is kept where `backup` says so. */
export async function manageFile(ret: Managed, file: ManagedFile, call: Call): Promise<Managed> {
  const { name } = file
  const there = (await isRegularFile(name)) || (await isLink(name))
  return there ? changeExisting(ret, file, call) : makeNew(ret, file, call)
}

async function changeExisting(ret: Managed, file: ManagedFile, call: Call): Promise<Managed> {
  const { name, contents, follow } = file
  const link = await isLink(name)
  const real = link && follow ? await realPath(name) : name
  const changes: Mapping = { ...ret.changes }
  if (contents !== undefined) {
    const differs = link && !follow ? true : await isOther(real, contents)
    if (differs) {
      const wrong = await wrongSum(file, true)
      if (wrong !== undefined) return failed(ret, wrong)
      const diff = (await exists(real)) ? await diffWith(real, file, call) : ''
      if (diff !== '') changes.diff = diff
      else if (link && !follow) changes.diff = 'Replace symbolic link with regular file'
      try {
        await keepBackup(real, file.backup, call)
        await place(real, contents)
      } catch (error) {
        return failed(ret, `Failed to commit change: ${messageOf(error)}`)
      }
    }
  }
  const done = await checkPermissions(name, {
    user: file.user,
    group: file.group,
    mode: file.mode,
    attrs: file.attrs,
    follow,
    test: file.test,
    attributes: attributesOf(call),
  })
  const after = withPermissions({ ...ret, changes }, done)
  if (Object.keys(after.changes).length > 0) return { ...after, comment: `File ${name} updated` }
  return after.result === false ? after : { ...after, comment: `File ${name} is in the correct state` }
}

async function makeNew(ret: Managed, file: ManagedFile, call: Call): Promise<Managed> {
  const { name, contents, mode } = file
  if (contents !== undefined) {
    const wrong = await wrongSum(file, false)
    if (wrong !== undefined) return failed(ret, wrong)
  }
  if (!(await isDirectory(directoryName(name)))) {
    if (!file.makedirs) return failed(ret, 'Parent directory not present')
    const dirMode = file.dirMode ?? (mode === null ? null : enterable(pythonStr(mode)))
    await makeParents(name, { user: file.user, group: file.group, mode: dirMode })
  }
  // Nobody but the owner sees it until it is whole and has its mode.
  const first = file.source !== '' || pythonTruth(mode) ? '0600' : defaultFileMode()
  await place(name, contents ?? { kind: 'text', text: '' }, first)
  const changes: Mapping =
    contents === undefined ? { ...ret.changes, new: `file ${name} created` } : { ...ret.changes, diff: 'New file' }
  const done = await checkPermissions(name, {
    user: file.user,
    group: file.group,
    mode: mode ?? defaultFileMode(),
    attrs: file.attrs,
    test: file.test,
    attributes: attributesOf(call),
  })
  const after = withPermissions({ ...ret, changes, comment: contents === undefined ? 'Empty file' : '' }, done)
  return after.comment === '' ? { ...after, comment: `File ${name} updated` } : after
}

/** What is at a path differs from the contents, as far as their digests or bytes tell. */
async function isOther(path: string, contents: Exclude<Fetched, { kind: 'failed' }>): Promise<boolean> {
  if (contents.kind === 'text') return !(await readFile(path)).equals(Buffer.from(contents.text))
  return (await hashFile(path, contents.sum.hash_type)) !== contents.sum.hsum
}

async function place(path: string, contents: Exclude<Fetched, { kind: 'failed' }>, mode?: string): Promise<void> {
  const options = mode === undefined ? {} : { mode }
  if (contents.kind === 'text') await writeWhole(path, contents.text, options)
  else await copyWhole(contents.path, path, options)
}

/** Keeps a copy in the minion's cache where the option, or the minion's `backup_mode`, says so. */
async function keepBackup(path: string, backup: string, call: Call): Promise<void> {
  const mode = backup === '' ? pythonStr(call.agent.opts.backup_mode ?? '') : backup
  if ((mode === 'minion' || mode === 'both') && (await exists(path))) {
    await backUp(path, backupRoot(call.agent.opts), call.agent.outside.now())
  }
}

/** Why what was fetched may not be used: its digest is not the one that was given. */
async function wrongSum(
  { contents, verify, source, name }: ManagedFile,
  isThere: boolean,
): Promise<string | undefined> {
  if (!verify || contents?.kind !== 'file') return undefined
  const { hash_type, hsum }: SourceSum = contents.sum
  const actual = await hashFile(contents.path, hash_type)
  if (actual === hsum) return undefined
  const what = isThere ? source : name
  const words = `Specified ${hash_type} checksum for ${what} (${hsum}) does not match actual checksum (${actual})`
  if (!isThere) return words
  return `${words}. If the 'source_hash' value refers to a remote file with multiple possible matches, then it may be necessary to set 'source_hash_name'.`
}

async function diffWith(path: string, file: ManagedFile, call: Call): Promise<string> {
  const { contents, showChanges, isTemplate } = file
  if (contents === undefined) return ''
  if (isTemplate && call.agent.opts.obfuscate_templates === true) return '<Obfuscated Template>'
  if (contents.kind === 'file') {
    return showChanges ? diffFiles(path, contents.path) : '<show_changes=False>'
  }
  return diffBytes(await readFile(path), Buffer.from(contents.text), { showChanges })
}

/** What would change; nothing where all is as it should be. Changes nothing. */
export async function changesOf(file: ManagedFile, call: Call): Promise<Mapping> {
  const { name, contents } = file
  if (!(await (file.follow ? exists : lexists)(name)) && !(await lexists(name))) return { newfile: name }
  const now = await fileStats(name, undefined, file.follow)
  const changes: Mapping = {}
  if (contents !== undefined && (await isOther(name, contents))) {
    changes.diff = await diffWith(name, { ...file, showChanges: true }, call)
  }
  if (file.user !== null && !pythonEquals(file.user, now.user) && !pythonEquals(file.user, now.uid))
    changes.user = file.user
  if (file.group !== null && !pythonEquals(file.group, now.group) && !pythonEquals(file.group, now.gid))
    changes.group = file.group
  const mode = normalMode(file.mode)
  if (mode !== undefined && mode !== now.mode) changes.mode = mode
  if (pythonTruth(file.attrs)) {
    const letters = await attributesOf(call).read(name)
    const { added, removed } = difference(letters ?? [], pythonStr(file.attrs))
    if (letters !== undefined && (added !== '' || removed !== '')) changes.attrs = file.attrs
  }
  return changes
}

/** A map given as an argument, or nothing. */
export const mapOrNone = (value: Value): Mapping | undefined =>
  value !== null && isMap(value) && !(value instanceof Map) ? value : undefined
