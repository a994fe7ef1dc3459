// What `archive.extracted` is asked for, and what is wrong with that before anything is looked at.
import { relative } from 'node:path'
import { isInteger, pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import { guessFormat } from '../../archives/contents.ts'
import { groupNumber, userNumber } from '../../filesystem/owners.ts'
import { exists, isRegularFile } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { chooseSource, isLocalSource, localPath, redacted } from '../../modules/file/sources.ts'
import type { StateCall } from '../state-module.ts'

/** A request that can be looked into. */
export interface Request {
  /** The directory, with a slash at its end. */
  readonly name: string
  /** A URL, or the path of a file that is there. */
  readonly source: string
  /** {@link source} as it may be shown. */
  readonly shown: string
  readonly isLocal: boolean
  readonly hash: string
  readonly format: 'tar' | 'zip'
  readonly options: string | undefined
  readonly stripComponents: number | undefined
  readonly password: string | undefined
  /** Unpack zip archives with the program unzip. */
  readonly byProgram: boolean
  /** How many names are told. */
  readonly trim: number | undefined
  readonly ifMissing: string | undefined
  readonly ownershipOn: string | undefined
  readonly uid: number
  readonly gid: number
}

/** A request, what there is to do before it was looked into, and words of warning. */
export type ReadRequest =
  | { readonly kind: 'request'; readonly request: Request; readonly warnings: readonly string[] }
  | { readonly kind: 'ended'; readonly result: boolean; readonly words: string; readonly warnings: readonly string[] }

const FORMATS = 'tar, rar, zip'

/** Reads the arguments, in the order in which Salt looks at them. */
export async function readRequest(args: Arguments, call: StateCall): Promise<ReadRequest> {
  const warnings: string[] = []
  const ended = (words: string, result = false): ReadRequest => ({ kind: 'ended', result, words, warnings })
  const wrongPaths = await wrongPath(args)
  if (wrongPaths !== undefined) return ended(wrongPaths)
  if (args.keywords.keep !== undefined && args.keywords.keep_source !== undefined)
    warnings.push("Both 'keep_source' and 'keep' were used. Since these both do the same thing, 'keep' was ignored.")
  const ifMissing = args.textIfAny('if_missing')
  if (ifMissing !== undefined && (await exists(ifMissing))) return ended(`Path ${ifMissing} exists`, true)
  const [uid, gid] = [await idOf(args, 'user', userNumber), await idOf(args, 'group', groupNumber)]
  if (uid === undefined) return ended(`User ${args.text('user')} does not exist`)
  if (gid === undefined) return ended(`Group ${args.text('group')} does not exist`)
  if (args.is('source_hash_update') && !args.is('source_hash'))
    warnings.push("The 'source_hash_update' argument is ignored when 'source_hash' is not also specified.")
  const chosen = await chooseSource(args.value('source'), args.value('source_hash'), call.env, call)
  if (chosen === undefined) return ended(`Invalid source "${args.text('source')}"`)
  const isLocal = isLocalSource(chosen.source)
  const source = isLocal ? await localPath(chosen.source) : chosen.source
  if (isLocal && !(await isRegularFile(source))) return ended(`Source file '${source}' does not exist`)
  const format = args.textIfAny('archive_format')?.toLowerCase() ?? guessFormat(chosen.source.replace(/[?#].*$/, ''))
  const unfit = wrongFormat(format, args)
  if (unfit !== undefined) return ended(unfit)
  const options = args.textIfAny('options')
  const password = args.textIfAny('password')
  const wanted = args.value('use_cmd_unzip')
  if (password !== undefined && wanted === true) {
    warnings.push(
      "Using a password in combination with setting 'use_cmd_unzip' to True is considered insecure. It is recommended to remove the 'use_cmd_unzip' argument (or set it to False) and allow Salt to extract the archive using Python's built-in ZIP file support.",
    )
  }
  const request: Request = {
    name: `${args.text('name').replace(/\/+$/, '')}/`,
    source,
    shown: redacted(source),
    isLocal,
    hash: chosen.hash,
    format: format === 'zip' ? 'zip' : 'tar',
    options,
    stripComponents: format === 'tar' ? stripOf(options) : undefined,
    password,
    byProgram: wanted === null ? options !== undefined && password === undefined : pythonTruth(wanted),
    trim: trimOf(args.value('trim_output')),
    ifMissing,
    ownershipOn: args.textIfAny('enforce_ownership_on'),
    uid,
    gid,
  }
  return { kind: 'request', request, warnings }
}

async function wrongPath(args: Arguments): Promise<string | undefined> {
  if (args.is('skip_files_list_verify') && args.is('skip_verify'))
    return 'Only one of "skip_files_list_verify" and "skip_verify" can be set to True'
  const name = args.text('name')
  if (!name.startsWith('/')) return `${name} is not an absolute path`
  if (await isRegularFile(name.replace(/\/+$/, ''))) return `${name.replace(/\/+$/, '')} exists and is not a directory`
  for (const key of ['if_missing', 'enforce_ownership_on']) {
    const path = args.value(key)
    if (path !== null && !(typeof path === 'string' && path.startsWith('/')))
      return `Value for '${key}' is not an absolute path`
  }
  const owned = args.textIfAny('enforce_ownership_on')
  if (owned !== undefined && /^\.\.(?:\/|$)/.test(relative(name, owned)))
    return `Value for 'enforce_ownership_on' must be within ${name.replace(/\/+$/, '')}/`
  return undefined
}

async function idOf(
  args: Arguments,
  key: 'user' | 'group',
  number: (name: Value) => Promise<number | ''>,
): Promise<number | undefined> {
  if (!args.is(key)) return -1
  const id = await number(args.value(key))
  return id === '' ? undefined : id
}

function wrongFormat(format: string | undefined, args: Arguments): string | undefined {
  if (format === undefined)
    return `Could not guess archive_format from the value of the 'source' argument. Please set this archive_format to one of the following: ${FORMATS}`
  if (!['tar', 'rar', 'zip'].includes(format))
    return `Invalid archive_format '${format}'. Either set it to a supported value (${FORMATS}) or remove this argument and the archive format will be guessed based on file extension.`
  if (format !== 'zip' && args.is('password')) return "The 'password' argument is only supported for zip archives"
  if (format === 'rar') return 'archive.unrar function not available, rar/unrar might not be installed on minion'
  if (format === 'zip' && args.is('options') && args.value('use_cmd_unzip') === false)
    return "'use_cmd_unzip' cannot be set to False if CLI options are being specified (via the 'options' argument). Either remove 'use_cmd_unzip', or set it to True."
  const trim = args.value('trim_output')
  if (trimOf(trim) === undefined && pythonTruth(trim))
    return 'Invalid value for trim_output, must be True/False or an integer'
  return undefined
}

/** What tar's options say of `--strip-components`. */
function stripOf(options: string | undefined): number | undefined {
  const [, digits] = /--strip(?:-components)?(?:\s+|=)["']?(\d+)["']?/.exec(options ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

function trimOf(trim: Value): number | undefined {
  if (trim === true) return 100
  if (isInteger(trim)) return Number(trim) === 0 ? undefined : Number(trim)
  return /^\d+$/.test(pythonStr(trim)) ? Number(pythonStr(trim)) : undefined
}
