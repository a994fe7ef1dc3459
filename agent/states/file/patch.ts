// `file.patch`: a file or a directory has a patch in it.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMapping, type Mapping, pythonStr } from '../../../core/value/index.ts'
import { nestedText } from '../../../core/value/nested-text.ts'
import { directoryName, exists, isDirectory } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { which } from '../../modules/cmd-run.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { chooseSource } from '../../modules/file/sources.ts'
import { shellWords } from '../../modules/shell-words.ts'
import { boundArguments } from '../bound-arguments.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { managed } from './managed.ts'
import { begun, ended, failed, nameOf } from './outcome.ts'

interface Options {
  readonly words: readonly string[]
  readonly strip: number | undefined
}

const FORBIDDEN = ['-N', '--forward', '-r', '--reject-file', '-o', '--output']

/** patch's options without those the state sets itself, or what is wrong with them. */
function optionsOf(text: string, strip: number | undefined): Options | string {
  const given = shellWords(text)
  const words: string[] = []
  let depth = strip
  const forbidden = given.filter((word) => FORBIDDEN.some((option) => word.startsWith(option)))
  for (let index = 0; index < given.length; index++) {
    const word = given[index] ?? ''
    const long = word.startsWith('--strip')
    if (!long && !word.startsWith('-p')) {
      words.push(word)
      continue
    }
    const digits = long ? (word.includes('=') ? word.slice(word.lastIndexOf('=') + 1) : given[++index]) : word.slice(2)
    if (digits === undefined || !/^\s*-?\d+\s*$/.test(digits))
      return `Invalid format for '${long ? '-strip' : '-p'}' CLI option. Consider using the 'strip' option for this state.`
    depth = Number(digits)
  }
  if (forbidden.length > 0) return `The following CLI options are not allowed: ${forbidden.join(', ')}`
  return { words, strip: depth }
}

async function patch(args: Arguments, call: StateCall): Promise<Managed> {
  const ret = begun(args.text('name'), false)
  if ((await which('patch')) === undefined) return failed(ret, 'patch executable not found on minion')
  if (ret.name === '') return failed(ret, 'A file/directory to be patched is required')
  const name = await nameOf(args)
  if (!name.startsWith('/')) return failed(ret, `${name} is not an absolute path`)
  if (!(await exists(name))) return failed(ret, `${name} does not exist`)
  const old = ['hash', 'dry_run_first'].filter((key) => key in args.keywords)
  if (old.length > 0) ret.warnings = old.map((key) => `The '${key}' argument is no longer used and has been ignored.`)
  const rejects = args.textIfAny('reject_file')
  if (rejects !== undefined) {
    if (!rejects.startsWith('/')) return failed(ret, `'${rejects}' is not an absolute path`)
    if (!(await isDirectory(directoryName(rejects))))
      return failed(ret, `Parent directory for reject_file '${rejects}' either does not exist, or is not a directory`)
  }
  const options = optionsOf(args.text('options'), args.value('strip') === null ? undefined : args.integer('strip'))
  if (typeof options === 'string') return failed(ret, options)
  const scratch = await mkdtemp(join(tmpdir(), 'brine-patch-'))
  try {
    return await patched(ret, name, { options, rejects, scratch }, args, call)
  } catch (error) {
    if (error instanceof CommandExecutionError) return failed(ret, error.message)
    throw error
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

interface Patching {
  readonly options: Options
  readonly rejects: string | undefined
  readonly scratch: string
}

async function patched(
  ret: Managed,
  name: string,
  { options, rejects, scratch }: Patching,
  args: Arguments,
  call: StateCall,
): Promise<Managed> {
  const file = join(scratch, 'patch')
  const fetched = await fetchPatch(file, args, call)
  if (fetched !== undefined) return { ...ret, comment: fetched }
  const run = async (patchFile: string, more: readonly string[], dry = false): Promise<Mapping> => {
    const given = { options: [...options.words, ...more], dry_run: dry }
    const told = await call.salt('file.patch', [name, patchFile], given)
    return isMapping(told) ? told : {}
  }
  const depth = options.strip === undefined || !(await isDirectory(name)) ? [] : [`-p${options.strip}`]
  const rejected = rejects ?? join(scratch, 'rejects')
  const tried = await run(file, ['-N', '-r', rejected, '-o', join(scratch, 'output'), ...depth])
  if (tried.retcode !== 0) return refused(ret, tried, rejected, rejects === undefined, run)
  if (call.test) return ended(ret, null, 'The patch would be applied', tried)
  const changes = await run(file, depth)
  return changes.retcode === 0
    ? ended(ret, true, 'Patch successfully applied', changes)
    : failed({ ...ret, changes }, 'Failed to apply patch')
}

/** It would not apply: because it is there already, or does not fit. */
async function refused(
  ret: Managed,
  tried: Mapping,
  rejected: string,
  isTold: boolean,
  run: (patchFile: string, more: readonly string[], dry?: boolean) => Promise<Mapping>,
): Promise<Managed> {
  const errors = pythonStr(tried.stderr ?? '')
  if (!(await exists(rejected)) || (await stat(rejected)).size === 0) return failed(ret, errors)
  const back = await run(rejected, ['-R', '-f'], true)
  if (tried.retcode === 2 && errors !== '') return failed(ret, errors)
  if (back.retcode === 0) return ended(ret, true, 'Patch was already applied')
  const hint = isTold ? ' Run state again using the reject_file option to save rejects to a persistent file.' : ''
  const indented = nestedText(tried)
    .trimEnd()
    .split('\n')
    .map((line) => `${' '.repeat(14)}${line}`)
    .join('\n')
  return failed(
    ret,
    `Patch would not apply cleanly, no changes made. Results of dry-run are below.${hint}\n\n${' '.repeat(14)}----------\n${indented}`,
  )
}

/** Puts the patch where it can be read; the words of `file.managed` where it cannot. */
async function fetchPatch(file: string, args: Arguments, call: StateCall): Promise<string | undefined> {
  const saltenv = args.textIfAny('saltenv')
  const chosen = await chooseSource(args.value('source'), args.value('source_hash'), saltenv ?? call.env, call)
  const source = chosen?.source ?? ''
  const given: Mapping = {
    ...args.given(['source_hash', 'source_hash_name', 'skip_verify', 'template', 'context', 'defaults']),
    name: file,
    source: saltenv !== undefined && source.startsWith('salt://') ? `${source}?saltenv=${saltenv}` : source,
  }
  const told = await managed.run(boundArguments(managed, given), { ...call, test: false, low: {} })
  return told.result === true ? undefined : pythonStr(told.comment)
}

/** `file.patch`. */
export const patchState = defineState(
  "name, source=None, source_hash=None, source_hash_name=None, skip_verify=False, template=None, context=None, defaults=None, options='', reject_file=None, strip=None, saltenv=None, **kwargs",
  `A file, or the files of a directory, have a patch in them.

source, source_hash, source_hash_name, skip_verify
    The patch, and what its digest has to be.
template, context, defaults
    The patch is rendered first.
strip
    How many parts of the names in the patch are left out; of a directory.
options
    Further options of the program patch.
reject_file
    Where what does not fit is kept.${slsExample(`
/opt/myfile.txt:
  file.patch:
    - source: salt://myfile.patch`)}`,
  patch,
)
