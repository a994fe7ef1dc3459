// Work trees of git: directories beside a repository that share it.
import { readFile, rm } from 'node:fs/promises'
import { pythonStr } from '../../../core/value/index.ts'
import { baseName, exists, joinPath } from '../../filesystem/paths.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { said, tail, tailDoc } from './local.ts'
import { git, optionsOf, placeOf, wordsOf } from './run.ts'

const opts = (args: Arguments): string[] => wordsOf(args.value('opts'))

/** A `.git` that is a file and says where the repository is. */
async function isWorktree(args: Arguments, call: Call): Promise<boolean> {
  const cwd = await placeOf(args)
  try {
    const top = await git(['rev-parse', '--show-toplevel'], { ...optionsOf(args), cwd, ignoreRetcode: true }, call)
    const text = await readFile(joinPath(top.stdout, '.git'), 'utf8')
    return /^gitdir:\s+\//.test(text)
  } catch {
    return false
  }
}

async function worktreeAdd(args: Arguments, call: Call): Promise<string> {
  const detach = args.is('detach')
  const branch = args.keywords.branch ?? null
  if (branch !== null && detach) throw new SaltInvocationError("Only one of 'branch' and 'detach' is allowed")
  const path = args.text('worktree_path')
  const named = [args.is('reset_branch') ? '-B' : '-b', branch === null ? baseName(path) : pythonStr(branch)]
  const flags = detach ? ['--detach'] : [...named, ...(args.is('force') ? ['--force'] : [])]
  const ref = args.textIfAny('ref')
  return said(['worktree', 'add', ...flags, ...opts(args), path, ...(ref === undefined ? [] : [ref])], args, call, {
    redirectStderr: true,
  })
}

async function worktreeRemove(args: Arguments, call: Call): Promise<boolean> {
  const cwd = await placeOf(args)
  if (!(await exists(cwd))) throw new CommandExecutionError(`${cwd} does not exist`)
  if (!(await isWorktree(args, call))) throw new CommandExecutionError(`${cwd} is not a git worktree`)
  await rm(cwd, { recursive: true })
  return true
}

/** The functions, by their names. */
export const worktree: Readonly<Record<string, ExecutionFunction>> = {
  is_worktree: define(
    'cwd, user=None, password=None, output_encoding=None',
    `Return whether a directory is a work tree of a repository that is elsewhere.${examples('brine myminion git.is_worktree /path/to/repo')}`,
    isWorktree,
    { readOnly: true },
  ),
  worktree_add: define(
    `cwd, worktree_path, ref=None, reset_branch=None, force=None, detach=False, opts='', git_opts='', ${tail}, **kwargs`,
    `Add a work tree to a repository.

branch
    Its branch; by default the last part of the path.
detach
    No branch.${tailDoc}${examples('brine myminion git.worktree_add /path/to/repo ../hotfix ref=origin/master')}`,
    worktreeAdd,
  ),
  worktree_rm: define(
    'cwd, user=None, output_encoding=None',
    `Remove a work tree.${examples('brine myminion git.worktree_rm /path/to/worktree')}`,
    worktreeRemove,
  ),
}
