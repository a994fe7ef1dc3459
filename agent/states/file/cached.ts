// `file.cached` and `file.not_cached`: a file's copy on the minion.
import { unlink } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { pythonStr } from '../../../core/value/index.ts'
import { hashFile, type SourceSum } from '../../filesystem/hash.ts'
import { exists } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { isLocalSource, isRemote, localPath, redacted, sourceSum } from '../../modules/file/sources.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { begun, ended, failed } from './outcome.ts'

async function cached(args: Arguments, call: StateCall): Promise<Managed> {
  const name = args.text('name')
  const ret = begun(name, false)
  const skip = args.is('skip_verify')
  const hash = args.textIfAny('source_hash')
  if (!skip && hash === undefined && !args.is('use_etag') && isRemote(name)) {
    return failed(
      ret,
      `Unable to verify upstream hash of source file ${redacted(name)}, please set source_hash or set skip_verify or use_etag to True`,
    )
  }
  let sum: SourceSum | undefined
  try {
    const names = { name, source: name, hashName: args.textIfAny('source_hash_name') }
    sum = hash === undefined ? undefined : await sourceSum(names, hash, args.text('saltenv'), call)
  } catch (error) {
    if (error instanceof CommandExecutionError) return failed(ret, error.message)
    throw error
  }
  if (call.test) return wouldBe(ret, name, sum, args, call)
  const verified = skip ? undefined : sum
  return isLocalSource(name) ? present(ret, await localPath(name), verified) : fetched(ret, name, verified, args, call)
}

async function wouldBe(
  ret: Managed,
  name: string,
  sum: SourceSum | undefined,
  args: Arguments,
  call: StateCall,
): Promise<Managed> {
  const copy = pythonStr(await call.salt('cp.is_cached', [name], { saltenv: args.text('saltenv') }))
  if (isLocalSource(name) || copy === '') return ended(ret, null, `File will be cached: ${name}`)
  if (sum === undefined) return ended(ret, null, `No hash found. File will be cached: ${name}`)
  return ended(
    ret,
    null,
    (await hashFile(copy)) === sum.hsum
      ? `File already cached: ${name}`
      : `Hashes don't match.\nFile will be cached: ${name}`,
  )
}

async function present(ret: Managed, path: string, sum: SourceSum | undefined): Promise<Managed> {
  if (!(await exists(path))) return failed(ret, `File ${path} is not present on the minion`)
  if (sum === undefined) return ended(ret, true, `File ${path} is present on the minion`)
  const own = await hashFile(path, sum.hash_type)
  if (own === sum.hsum) return ended(ret, true, `File ${path} is present on the minion and has hash ${own}`)
  return failed(
    ret,
    `File ${path} is present on the minion, but the hash (${own}) does not match the specified hash (${sum.hsum})`,
  )
}

async function fetched(
  ret: Managed,
  name: string,
  sum: SourceSum | undefined,
  args: Arguments,
  call: StateCall,
): Promise<Managed> {
  const saltenv = args.text('saltenv')
  const before = pythonStr(await call.salt('cp.is_cached', [name], { saltenv }))
  const old = before === '' ? null : await hashFile(before, sum?.hash_type)
  let copy: string
  try {
    const wanted = sum === undefined ? {} : { source_hash: sum.hsum }
    const told = await call.salt('cp.cache_file', [name], { saltenv, ...wanted })
    copy = typeof told === 'string' ? told : ''
  } catch (error) {
    return failed(ret, redacted(messageOf(error)))
  }
  if (copy === '') return failed(ret, `Failed to cache ${redacted(name)}, check minion log for more information`)
  const now = await hashFile(copy, sum?.hash_type)
  const changes = old === now ? {} : { hash: { old, new: now } }
  if (sum === undefined) return ended(ret, true, `File is cached to ${copy}`, changes)
  if (now === sum.hsum) return ended(ret, true, `File is already cached to ${copy} with hash ${now}`, changes)
  return failed(
    { ...ret, changes },
    `File is cached to ${copy}, but the hash (${now}) does not match the specified hash (${sum.hsum})`,
  )
}

/** `file.cached`. */
export const cachedState = defineState(
  "name, source_hash='', source_hash_name=None, skip_verify=False, saltenv='base', use_etag=False",
  `A file is in the minion's cache, for states that need it there.

name
    \`\`salt://\`\`, \`\`https://\`\` or the path of a file that has to be there.
source_hash, source_hash_name, skip_verify
    What its digest has to be, or the file that has it; a web server's file needs one, unless skip_verify is True.${slsExample(`
https://artifacts.example.com/app.tgz:
  file.cached:
    - source_hash: https://artifacts.example.com/app.tgz.sha256`)}`,
  cached,
)

/** `file.not_cached`. */
export const notCachedState = defineState(
  "name, saltenv='base'",
  `A file is not in the minion's cache.${slsExample(`
https://artifacts.example.com/app.tgz:
  file.not_cached: []`)}`,
  async (args, call) => {
    const name = args.text('name')
    const ret = begun(name, false)
    if (isLocalSource(name)) return ended(ret, true, `File ${await localPath(name)} is a local path, no action taken`)
    const copy = pythonStr(await call.salt('cp.is_cached', [name], { saltenv: args.text('saltenv') }))
    if (copy === '') return ended(ret, true, `${name} is not cached`)
    try {
      await unlink(copy)
    } catch (error) {
      return failed(ret, `Failed to delete ${copy}: ${messageOf(error)}`)
    }
    return ended(ret, true, `${copy} was deleted`, { deleted: true })
  },
)
