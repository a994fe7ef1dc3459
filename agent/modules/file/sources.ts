// Where a managed file's contents come from: which of several sources, with which digest, and the bytes of it.
import { readFile } from 'node:fs/promises'
import { BrineError, messageOf } from '../../../core/error.ts'
import { entries, isMap, pythonStr, type Value } from '../../../core/value/index.ts'
import { outgoing } from '../../connection/outgoing.ts'
import { saltPath } from '../../files/index.ts'
import { HASH_LENGTHS, hashFile, hashOfLength, invalidSum, readSum, type SourceSum } from '../../filesystem/hash.ts'
import { baseName, exists, expandUser, realPath } from '../../filesystem/paths.ts'
import { byteLines, decode } from '../../filesystem/text.ts'
import { CommandExecutionError } from '../errors.ts'
import type { Call } from '../module.ts'
import { renderFile, TEMPLATES } from './template.ts'

/** `salt`, `http`, `file`, …; empty for a plain path. */
function schemeOf(source: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(source)?.[1]?.toLowerCase() ?? ''
}

/** Whether a source is fetched from a server that is not the master. */
export const isRemote = (source: string): boolean => ['http', 'https', 'ftp'].includes(schemeOf(source))

/** Whether a source is a file of this machine. */
export const isLocalSource = (source: string): boolean => ['', 'file'].includes(schemeOf(source))

/** Where a {@link isLocalSource} lies. */
export const localPath = async (source: string): Promise<string> =>
  realPath(await expandUser(source.replace(/^file:\/\//, '')))

/** A URL without its name and password. */
export const redacted = (url: string): string => url.replace(/^(https?:\/\/)[^/@]+@/i, '$1<redacted>@')

/** A source and the digest given with it. */
export interface ChosenSource {
  readonly source: string
  readonly hash: string
}

/** Salt's `file.source_list`: of a list the first that is there. Throws CommandExecutionError where none is. */
export async function chooseSource(
  source: Value,
  hash: Value,
  env: string,
  call: Call,
): Promise<ChosenSource | undefined> {
  const given = hash === null || isMap(hash) ? '' : pythonStr(hash)
  if (!Array.isArray(source)) {
    return source === null || source === '' ? undefined : { source: pythonStr(source), hash: given }
  }
  for (const item of source) {
    const [name, own] = isMap(item) ? (entries(item)[0] ?? ['', null]) : [item, null]
    const one = { source: pythonStr(name), hash: own === null || own === '' ? given : pythonStr(own) }
    if (await isThere(one.source, env, call)) return one
  }
  throw new CommandExecutionError('none of the specified sources were found')
}

async function isThere(source: string, env: string, call: Call): Promise<boolean> {
  switch (schemeOf(source)) {
    case 'salt': {
      const { path, saltenv } = saltPath(source, env)
      if ((await call.agent.files.stat(source, env)) !== undefined) return true
      return (await call.agent.files.list(saltenv)).some((file) => file.path.startsWith(`${path}/`))
    }
    case 'http':
    case 'https':
      try {
        return (await outgoing(call.agent.opts)(source, { method: 'HEAD' })).ok
      } catch {
        return false
      }
    case 'file':
      return exists(source.slice('file://'.length))
    default:
      return source.startsWith('/') && exists(source)
  }
}

/** Salt's `file.get_source_sum`: a digest as it is written, or out of a file of digests. */
export async function sourceSum(
  names: { readonly name: string; readonly source: string; readonly hashName: string | undefined },
  hash: string,
  env: string,
  call: Call,
): Promise<SourceSum> {
  const scheme = schemeOf(hash)
  if (!hash.startsWith('/') && scheme === '') return readSum(hash)
  if (!hash.startsWith('/') && !['salt', 'http', 'https', 'file'].includes(scheme)) throw invalidSum(hash)
  const file = hash.startsWith('/') ? hash : await call.agent.files.cache(hash, env)
  if (file === undefined) throw new CommandExecutionError(`Source hash file ${redacted(hash)} not found`)
  const found = sumIn(decode(await readFile(file)), names)
  if (found === undefined) throw invalidSum(hash)
  return found
}

/** The digest of a file out of a list of digests: by the name asked for, the file's, the source's, or the first. */
export function sumIn(
  text: string,
  { name, source, hashName }: { readonly name: string; readonly source: string; readonly hashName: string | undefined },
  form?: string,
): SourceSum | undefined {
  const lengths = form !== undefined && HASH_LENGTHS[form] !== undefined ? String(HASH_LENGTHS[form]) : '32,128'
  const digest = new RegExp(`(?<![a-z0-9])([a-f0-9]{${lengths}})(?![a-z0-9])`, 'i')
  const found: (SourceSum | undefined)[] = [undefined, undefined, undefined, undefined]
  const wanted: readonly (readonly [whole: string | undefined, last: string | undefined, before: RegExp])[] = [
    [hashName, hashName, /\s/],
    [name, baseName(name), /[\s\\/*]/],
    [source, baseName(source.replace(/[?#].*$/, '')), /[\s\\/*]/],
  ]
  for (const raw of byteLines(text)) {
    const line = raw.trim()
    const [, sum] = digest.exec(line) ?? []
    const type = sum === undefined ? undefined : hashOfLength(sum.length)
    if (sum === undefined || type === undefined) continue
    const one = { hash_type: type, hsum: sum.toLowerCase() }
    for (const [index, [whole, last, before]] of wanted.entries()) {
      if (whole === undefined || last === undefined || whole === '' || last === '') continue
      const ends = line.endsWith(last) && before.test(line[line.length - last.length - 1] ?? '')
      if (ends || (line.startsWith(whole) && /^\s/.test(line.slice(whole.length)))) found[index] ??= one
    }
    found[3] ??= one
  }
  return found.find((one) => one !== undefined)
}

/** What a managed file gets. */
export type Fetched =
  | { readonly kind: 'file'; readonly path: string; readonly sum: SourceSum }
  | { readonly kind: 'text'; readonly text: string }
  /** Why there is none, in Salt's words. */
  | { readonly kind: 'failed'; readonly words: string }

/** What is to be fetched. */
export interface Fetching {
  readonly name: string
  readonly chosen: ChosenSource
  readonly hashName: string | undefined
  readonly skipVerify: boolean
  readonly template: string | undefined
  readonly env: string
  readonly context: Value
  readonly defaults: Value
  /** What a template sees of the file. */
  readonly facts: { readonly [key: string]: Value }
}

/** Salt's `file.get_managed`. */
export async function fetchSource(fetching: Fetching, call: Call): Promise<Fetched> {
  const { name, chosen, template, env } = fetching
  const found = await fetched(fetching, call)
  if (found.kind !== 'file') return found
  if (found.path === name) {
    return { kind: 'failed', words: 'Source file cannot be the same as destination' }
  }
  if (template === undefined) return found
  if (!TEMPLATES.includes(template)) {
    return { kind: 'failed', words: `Specified template format ${template} is not supported` }
  }
  const { context, defaults, facts } = fetching
  const text = decode(await readFile(found.path))
  const rendered = await renderFile(
    text,
    { facts: { ...facts, source: chosen.source, name }, context, defaults, env },
    call,
  )
  return rendered
}

async function fetched({ name, chosen, hashName, skipVerify, env }: Fetching, call: Call): Promise<Fetched> {
  const { source, hash } = chosen
  const { files } = call.agent
  const failed = (words: string): Fetched => ({ kind: 'failed', words })
  if (schemeOf(source) === 'salt') {
    const path = await cachedOr(() => files.cache(source, env), source)
    if (path instanceof Error) return failed(path.message)
    if (path === undefined)
      return failed(`Source file ${source} not found in saltenv '${saltPath(source, env).saltenv}'`)
    return { kind: 'file', path, sum: { hash_type: 'sha256', hsum: await hashFile(path) } }
  }
  if (!isRemote(source)) {
    const path = source.replace(/^file:\/\//, '')
    if (!(await exists(path))) return failed(`Local file source ${path} does not exist`)
    if (hash === '') return { kind: 'file', path, sum: { hash_type: 'sha256', hsum: await hashFile(path) } }
    return { kind: 'file', path, sum: await sourceSum({ name, source, hashName }, hash, env, call) }
  }
  if (hash === '' && !skipVerify) {
    return failed(
      `Unable to verify upstream hash of source file ${redacted(source)}, please set source_hash or set skip_verify to True`,
    )
  }
  const sum = skipVerify ? undefined : await sourceSum({ name, source, hashName }, hash, env, call)
  const old = await files.cached(source, env)
  if (old !== undefined && (sum === undefined || (await hashFile(old, sum.hash_type)) === sum.hsum)) {
    return { kind: 'file', path: old, sum: sum ?? { hash_type: 'sha256', hsum: await hashFile(old) } }
  }
  const path = await cachedOr(() => files.cache(source, env), source)
  if (path instanceof Error) return failed(path.message)
  if (path === undefined) return failed(`Source file '${redacted(source)}' not found`)
  return { kind: 'file', path, sum: sum ?? { hash_type: 'sha256', hsum: await hashFile(path) } }
}

/** A download that fails is told, not thrown. */
async function cachedOr(cache: () => Promise<string | undefined>, source: string): Promise<string | undefined | Error> {
  try {
    return await cache()
  } catch (error) {
    if (error instanceof BrineError) return new Error(`Failed to cache ${redacted(source)}: ${messageOf(error)}`)
    throw error
  }
}
