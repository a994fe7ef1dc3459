// The functions of `git` that list and tidy work trees, put a tree into an archive, or try a merge.
import { basename } from 'node:path'
import { pythonStr, type Value } from '../../../core/value/index.ts'
import { isDirectory } from '../../filesystem/paths.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { said, tail, tailDoc } from './local.ts'
import { git, optionsOf, placeOf, wordsOf } from './run.ts'

/** The keywords a function knows besides its parameters; any other is refused. */
function known(args: Arguments, names: readonly string[]): void {
  const invalid = Object.entries(args.cleanKeywords).filter(([key]) => !names.includes(key))
  if (invalid.length === 0) return
  const words = invalid.map(([key, value]) => `${key}=${pythonStr(value)}`)
  throw new SaltInvocationError(`The following keyword arguments are not valid: ${words.join(', ')}`)
}

async function listWorktrees(args: Arguments, call: Call): Promise<Value> {
  known(args, ['all'])
  const [all, stale] = [args.keywords.all === true, args.is('stale')]
  if (all && stale) throw new CommandExecutionError("'all' and 'stale' cannot both be set to True")
  const cwd = await placeOf(args)
  const options = { ...optionsOf(args), cwd }
  const { stdout } = await git(['worktree', 'list', '--porcelain'], options, call)
  const told: Record<string, Value> = {}
  for (const paragraph of stdout.trim().split('\n\n')) {
    const field = (name: string): string | undefined => new RegExp(`^${name} (.*)$`, 'm').exec(paragraph)?.[1]
    const [path, head, branch] = [field('worktree'), field('HEAD'), field('branch')]
    const detached = /^detached$/m.test(paragraph)
    // A repository without a work tree has none to tell of.
    if (path === undefined || head === undefined || (branch === undefined && !detached)) continue
    const isStale = !(await isDirectory(path))
    if (isStale ? !all && !stale : stale) continue
    const tags = detached ? (await git(['tag', '--points-at', head], options, call)).stdout : ''
    told[path] = {
      stale: isStale,
      HEAD: head,
      detached,
      branch: detached ? null : (branch ?? '').replace('refs/heads/', ''),
      ...(tags === '' ? {} : { tags: tags.split('\n') }),
    }
  }
  return told
}

function prune(args: Arguments, call: Call): Promise<string> {
  const expire = args.textIfAny('expire')
  const words = [
    ...(args.is('dry_run') ? ['--dry-run'] : []),
    ...(args.is('verbose') ? ['--verbose'] : []),
    ...(expire === undefined ? [] : ['--expire', expire]),
    ...wordsOf(args.value('opts')),
  ]
  return said(['worktree', 'prune', ...words], args, call, { redirectStderr: true })
}

async function archive(args: Arguments, call: Call): Promise<boolean> {
  known(args, ['format'])
  const cwd = await placeOf(args)
  const prefix = args.value('prefix')
  const name = prefix === null ? `${basename(cwd)}/` : pythonStr(prefix)
  const format = args.keywords.format ?? null
  const words = [
    ...(name === '' ? [] : ['--prefix', name]),
    ...(format === null ? [] : ['--format', pythonStr(format)]),
    ...['--output', args.text('output'), args.text('rev')],
  ]
  await said(['archive', ...words], args, call)
  return true
}

async function mergeTree(args: Arguments, call: Call): Promise<string> {
  const cwd = await placeOf(args)
  const refs = [args.text('ref1'), args.text('ref2')]
  const options = { ...optionsOf(args), cwd }
  let base = args.textIfAny('base')
  if (base === undefined) {
    const found = await git(['merge-base', ...refs], { ...options, failHard: false, ignoreRetcode: true }, call)
    if (found.retcode !== 0) throw new CommandExecutionError(`Unable to determine merge base for ${refs.join(' and ')}`)
    base = found.stdout.trim()
  }
  return (await git(['merge-tree', base, ...refs], options, call)).stdout
}

/** The functions, by their names. */
export const trees: Readonly<Record<string, ExecutionFunction>> = {
  list_worktrees: define(
    'cwd, stale=False, user=None, password=None, output_encoding=None, **kwargs',
    `Return the work trees of a repository: HEAD, branch, whether it is detached and whether it is gone.

stale
    Only those whose directory is gone.
all
    Those too.${examples('brine myminion git.list_worktrees /path/to/repo', 'brine myminion git.list_worktrees /path/to/repo all=True')}`,
    listWorktrees,
    { readOnly: true },
  ),
  worktree_prune: define(
    `cwd, dry_run=False, verbose=True, expire=None, opts='', git_opts='', ${tail}`,
    `Forget the work trees whose directories are gone.

dry_run
    Only say which.
expire
    Only those that have been gone for so long.${tailDoc}${examples('brine myminion git.worktree_prune /path/to/repo', 'brine myminion git.worktree_prune /path/to/repo expire=1.day.ago')}`,
    prune,
  ),
  archive: define(
    `cwd, output, rev='HEAD', prefix=None, git_opts='', ${tail}, **kwargs`,
    `Put a revision of a repository into an archive.

output
    The path of the archive.
rev
    The revision.
prefix
    What stands before the names in it; the directory's name by default.
format
    tar, zip or another; by default what the path ends with.${tailDoc}${examples('brine myminion git.archive /path/to/repo /path/to/archive.tar')}`,
    archive,
  ),
  merge_tree: define(
    `cwd, ref1, ref2, base=None, ${tail}`,
    `Return what a merge of two revisions would come to, without merging.

base
    The revision they both come from; it is looked for by default.${examples('brine myminion git.merge_tree /path/to/repo HEAD upstream/dev')}`,
    mergeTree,
    { readOnly: true },
  ),
}
