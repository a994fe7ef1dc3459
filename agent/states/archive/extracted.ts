// `archive.extracted`: an archive's contents are below a directory.
import { mkdir, rm } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { isMapping, type Mapping, pythonStr } from '../../../core/value/index.ts'
import { type Contents, type TopLevel, topLevel } from '../../archives/contents.ts'
import { changeOwner } from '../../filesystem/owners.ts'
import { exists, isDirectory, joinPath, lstatOf } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import { sourceSum } from '../../modules/file/sources.ts'
import { boundArguments } from '../bound-arguments.ts'
import type { StateCall, StateReturn } from '../state-module.ts'
import { keepSum, keptSum } from './kept-sum.ts'
import { ownAll } from './ownership.ts'
import { type Request, readRequest } from './request.ts'
import { unpack } from './unpack.ts'

/** `archive.extracted`. */
export async function extracted(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret: StateReturn = { name: args.text('name'), result: false, changes: {}, comment: '' }
  try {
    const read = await readRequest(args, call)
    const { warnings } = read
    if (warnings.length > 0) ret.warnings = [...warnings]
    if (read.kind === 'ended') return { ...ret, result: read.result, comment: read.words }
    return await extractedTo(ret, read.request, args, call)
  } catch (error) {
    if (error instanceof CommandExecutionError) return { ...ret, comment: error.message }
    throw error
  }
}

async function extractedTo(ret: StateReturn, request: Request, args: Arguments, call: StateCall): Promise<StateReturn> {
  const { name, source, shown, hash, format, isLocal, password, ifMissing } = request
  const names = { name: source, source, hashName: args.textIfAny('source_hash_name') }
  const sum = hash === '' ? undefined : await sourceSum(names, hash, call.env, call)
  if (args.is('skip_files_list_verify') && sum !== undefined) {
    const at = isLocal ? source : pythonStr(await call.salt('cp.is_cached', [source], { saltenv: call.env }))
    if (at !== '' && (await keptSum(at, call)) === sum.hsum) {
      const comment = `Archive ${shown} existing source sum is the same as the expected one and skip_files_list_verify argument was set to True. Extraction is not needed`
      return { ...ret, result: call.test ? null : true, comment }
    }
  }
  if (!isLocal && call.test) {
    const comment = `Archive ${shown} would be cached (if necessary) and checked to discover if extraction is needed`
    return { ...ret, result: null, comment }
  }
  const cached = isLocal ? source : await cachedSource(request, args, call)
  if (typeof cached !== 'string') return cached
  const before = await keptSum(cached, call)
  const isKept = hash !== '' && args.is('source_hash_update') && !args.is('skip_verify')
  const now = isKept ? await keepSum(cached, call) : before
  if (format === 'zip' && password === undefined && (await isEncrypted(cached, call))) {
    const comment = `Archive ${shown} is password-protected, but no password was specified. Please set the 'password' argument.`
    return { ...ret, comment }
  }
  const contents = await listed(request, cached, args, call)
  if (typeof contents === 'string') return { ...ret, comment: contents }
  const top = topLevel(contents)
  if (args.is('enforce_toplevel') && (top.top_level_dirs.length > 1 || top.top_level_files.length > 0)) {
    const comment = `Archive does not have a single top-level directory. To allow this archive to be extracted, set 'enforce_toplevel' to False. To avoid a '${format}-bomb' it may also be advisable to set a top-level directory by adding it to the 'name' value (for example, setting 'name' to ${name}some_dir instead of ${name}).`
    return { ...ret, comment }
  }
  if (args.is('clean') && args.is('clean_parent'))
    return { ...ret, comment: "Only one of 'clean' and 'clean_parent' can be set to True" }
  const found = await comparedWith(contents, name)
  const wrong = await withoutWrong(ret, request, found.wrong, args, call)
  if (wrong !== undefined) return wrong
  const isUpdated = !args.is('overwrite') && before !== undefined && now !== before
  const isNeeded = args.is('overwrite') || found.isIncomplete || found.wrong.length > 0 || isUpdated
  const why = isUpdated && !found.isIncomplete ? ', due to source_hash update' : ''
  const explanation = found.isIncomplete ? ', due to absence of one or more files/dirs' : why
  if (isNeeded && isLocal && sum !== undefined && !args.is('skip_verify')) {
    if ((await call.salt('file.check_hash', [source, sum.hsum])) !== true)
      return { ...ret, comment: `${shown} does not match the desired source_hash ${sum.hsum}` }
  }
  if (isNeeded && call.test) {
    const clean = args.is('clean') ? ', after cleaning destination path(s)' : ''
    return { ...ret, result: null, comment: `Archive ${shown} would be extracted to ${name}${clean}${explanation}` }
  }
  const done = isNeeded ? await unpacked(ret, request, cached, top, args, call) : undefined
  if (done?.kind === 'failed') return done.ret
  const owner = {
    user: args.is('user') ? args.value('user') : null,
    group: args.is('group') ? args.value('group') : null,
  }
  const isOwned = owner.user !== null || owner.group !== null
  const owned = isOwned ? await ownAll(request, top, owner, call) : { isChanged: false, missing: [], failed: [] }
  if (owned.isChanged) ret.changes['updated ownership'] = true
  if (done !== undefined) {
    if (done.files.length === 0) return { ...ret, comment: `No files were extracted from ${shown}` }
    if (done.isCreated) ret.changes.directories_created = [name]
    ret.changes.extracted_files = [...done.files]
    const trim = request.trim === undefined ? '' : `. Output was trimmed to ${request.trim} number of lines`
    ret.comment = `${shown} extracted to ${name}${explanation}${trim}`
    ret.result = true
  } else {
    ret.result = true
    ret.comment = 'All files in archive are already present'
    if (call.test && owned.isChanged) {
      ret.result = null
      ret.comment += '. Ownership would be updated on one or more files/directories.'
    }
  }
  return withComplaints(ret, owned, ifMissing)
}

/** What was said of ownership that could not be had. */
function withComplaints(
  ret: StateReturn,
  { missing, failed }: { readonly missing: readonly string[]; readonly failed: readonly string[] },
  ifMissing: string | undefined,
): StateReturn {
  const lines = (paths: readonly string[]): string => paths.map((path) => `\n- ${path}`).join('')
  const comment = [
    pythonStr(ret.comment),
    missing.length === 0
      ? ''
      : `\n\nWhile trying to enforce user/group ownership, the following paths were missing:\n${lines(missing)}`,
    failed.length === 0
      ? ''
      : `\n\nWhile trying to enforce user/group ownership, Salt was unable to change ownership on the following paths:\n${lines(failed)}`,
  ].join('')
  const isWrong = failed.length > 0 || (missing.length > 0 && ifMissing === undefined)
  return { ...ret, comment, result: isWrong ? false : ret.result }
}

/** The path of the archive, cached by `file.cached`, or how that ended. */
async function cachedSource(request: Request, args: Arguments, call: StateCall): Promise<string | StateReturn> {
  const state = call.agent.states.get('file.cached')
  const given = {
    name: request.source,
    source_hash: request.hash,
    source_hash_name: args.value('source_hash_name'),
    skip_verify: args.value('skip_verify'),
    saltenv: call.env,
    use_etag: args.value('use_etag'),
  }
  const told = state === undefined ? undefined : await state.run(boundArguments(state, given), call)
  if (told?.result !== true) return told ?? { name: request.name, result: false, changes: {}, comment: '' }
  return pythonStr(await call.salt('cp.is_cached', [request.source], { saltenv: call.env }))
}

async function isEncrypted(path: string, call: StateCall): Promise<boolean> {
  try {
    return (await call.salt('archive.is_encrypted', [path])) === true
  } catch (error) {
    // What is no archive is told when it is listed.
    if (error instanceof CommandExecutionError) return false
    throw error
  }
}

/** What the archive has in it, or why that cannot be known. */
async function listed(request: Request, path: string, args: Arguments, call: StateCall): Promise<Contents | string> {
  const { format, stripComponents, ifMissing, ownershipOn } = request
  try {
    const strip = stripComponents === undefined ? {} : { strip_components: stripComponents }
    const told = await call.salt('archive.list', [path], { archive_format: format, verbose: true, ...strip })
    const texts = (key: string): string[] => {
      const value = isMapping(told) ? told[key] : undefined
      return Array.isArray(value) ? value.map(pythonStr) : []
    }
    return { dirs: texts('dirs'), files: texts('files'), links: texts('links') }
  } catch (error) {
    if (!(error instanceof CommandExecutionError)) throw error
    const wanted = [
      ...(ifMissing === undefined ? ["\n- 'if_missing' must be set"] : []),
      ...(ownershipOn === undefined && (args.is('user') || args.is('group'))
        ? ["\n- Ownership cannot be managed without setting 'enforce_ownership_on'."]
        : []),
    ]
    if (wanted.length === 0) return messageOf(error)
    const why =
      format === 'tar'
        ? "If the source archive is a tar archive compressed using a compression type not natively supported by the tar command, then setting the 'list_options' argument may allow the contents to be listed. Otherwise, if Salt is unable to determine the files/directories in the archive, the following workaround(s) would need to be used for this state to proceed"
        : 'The following workarounds must be used for this state to proceed'
    return `${messageOf(error)}\n\n${why} (assuming the source file is a valid ${format} archive):\n${wanted.join('')}`
  }
}

/** What of the archive is missing below the directory, and what is there as something else. */
async function comparedWith(
  { dirs, files, links }: Contents,
  name: string,
): Promise<{ isIncomplete: boolean; wrong: string[] }> {
  let isIncomplete = false
  const wrong: string[] = []
  for (const [paths, kind] of [
    [dirs, 'dir'],
    [files, 'file'],
    [links, 'link'],
  ] as const) {
    for (const path of paths) {
      const found = await lstatOf(joinPath(name, path).replace(/\/+$/, ''))
      // Below what is no directory nothing can be, which is told of that alone.
      if (wrong.some((above) => path.startsWith(above))) continue
      if (found === undefined) isIncomplete = true
      else if (kind !== (found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'dir' : 'file')) wrong.push(path)
    }
  }
  return { isIncomplete, wrong }
}

/** Removes what is there as something else, where the request says so; otherwise a return. */
async function withoutWrong(
  ret: StateReturn,
  { name }: Request,
  wrong: readonly string[],
  args: Arguments,
  call: StateCall,
): Promise<StateReturn | undefined> {
  if (wrong.length === 0) return undefined
  const paths = `\n\n${wrong.map((path) => `- ${path}`).join('\n')}`
  const words = `The below paths (relative to ${name}) exist, but are the incorrect type (file instead of directory, symlink instead of file, etc.).`
  if (call.test && args.is('clean')) {
    const comment = `${words} Since the 'clean' option is enabled, the destination paths would be cleared and the archive would be extracted.${paths}`
    return { ...ret, result: null, comment }
  }
  if (call.test && args.is('clean_parent')) {
    const comment = `${words} Since the 'clean_parent' option is enabled, the destination parent directory would be removed first and then re-created and the archive would be extracted`
    return { ...ret, result: null, comment }
  }
  if (args.is('clean')) return undefined
  if (!args.is('force')) {
    const comment = `${words} To proceed with extraction, set 'force' to True. Note that this will remove these paths before extracting.${paths}`
    return { ...ret, comment }
  }
  if (call.test) return undefined
  const removed = wrong.map((path) => joinPath(name, path))
  for (const path of removed) await rm(path.replace(/\/+$/, ''), { recursive: true })
  ret.changes.removed = removed
  return undefined
}

type Done =
  | { readonly kind: 'done'; readonly files: readonly string[]; readonly isCreated: boolean }
  | { readonly kind: 'failed'; readonly ret: StateReturn }

/** Clears the way and takes everything out. */
async function unpacked(
  ret: StateReturn,
  request: Request,
  cached: string,
  top: TopLevel,
  args: Arguments,
  call: StateCall,
): Promise<Done> {
  const { name } = request
  if (args.is('clean_parent') && (await exists(name))) {
    await rm(name.replace(/\/+$/, ''), { recursive: true })
    ret.changes.removed = `Directory ${name} was removed prior to the extraction`
  }
  if (args.is('clean')) {
    const removed: string[] = []
    for (const path of [...top.top_level_dirs, ...top.top_level_files]) {
      const whole = joinPath(name, path)
      if ((await lstatOf(whole.replace(/\/+$/, ''))) === undefined) continue
      await rm(whole.replace(/\/+$/, ''), { recursive: true })
      removed.push(whole)
    }
    if (removed.length > 0) ret.changes.removed = removed
  }
  const isCreated = !(await isDirectory(name))
  if (isCreated) {
    await mkdir(name, { recursive: true })
    if (request.uid !== -1) await changeOwner(name, args.value('user'), '')
  }
  const told = await unpack(request, cached, args.is('extract_perms'), call)
  if (told.kind === 'failed') return { kind: 'failed', ret: { ...ret, changes: told.changes as Mapping } }
  return { kind: 'done', files: told.files, isCreated }
}
