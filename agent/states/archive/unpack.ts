// Takes an archive's contents out, and says what that brought.
import { isMapping, type Mapping, pythonStr } from '../../../core/value/index.ts'
import { tarMembers } from '../../archives/tar.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import { shellWords } from '../../modules/shell-words.ts'
import type { StateCall } from '../state-module.ts'
import type { Request } from './request.ts'

/** The names of what was taken out, or how the program ended that should have done it. */
export type Unpacked =
  | { readonly kind: 'files'; readonly files: readonly string[] }
  | { readonly kind: 'failed'; readonly changes: Mapping }

/** Unpacks the file at `path` into the request's directory. Throws CommandExecutionError where it cannot. */
export async function unpack(request: Request, path: string, permissions: boolean, call: StateCall): Promise<Unpacked> {
  if (request.format === 'zip') return { kind: 'files', files: await unzipped(request, path, permissions, call) }
  const { name, options, trim } = request
  const words = options === undefined ? ['tar', '-xpf', path] : [...tarWords(options), '-f', path]
  const ran = await call.salt('cmd.run_all', [words], { cwd: name, python_shell: false, ignore_retcode: true })
  if (!isMapping(ran) || ran.retcode !== 0) {
    if (options === undefined)
      throw new CommandExecutionError(
        `tar could not read ${path}: ${isMapping(ran) ? pythonStr(ran.stderr ?? '') : ''}`,
      )
    return { kind: 'failed', changes: isMapping(ran) ? ran : {} }
  }
  const printed = pythonStr(ran.stdout ?? '')
  const files =
    options === undefined
      ? (await tarMembers(path)).map((member) => member.name)
      : printed === ''
        ? ['no tar output so far']
        : printed.split('\n')
  return { kind: 'files', files: trim === undefined ? files : files.slice(0, trim) }
}

/** Options with what makes tar extract, and tell what it does. Letters without a dash come first. */
function tarWords(options: string): string[] {
  const words = shellWords(options).filter((word) => !['v', '-v', '--verbose'].includes(word))
  const [first = '', ...rest] = words
  const letters = first.startsWith('-') ? '' : first.replace(/[xf]/g, '')
  return ['tar', `xv${letters}`, ...(first.startsWith('-') ? words : rest)]
}

async function unzipped(request: Request, path: string, permissions: boolean, call: StateCall): Promise<string[]> {
  const { name, options, password, trim, byProgram } = request
  const common = { trim_output: trim ?? false, password: password ?? null }
  const told = byProgram
    ? await call.salt('archive.cmd_unzip', [path, name], { ...common, options: options ?? null })
    : await call.salt('archive.unzip', [path, name], { ...common, extract_perms: permissions })
  return Array.isArray(told) ? told.map(pythonStr) : []
}
