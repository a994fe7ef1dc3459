// What git tells and changes within a repository of the minion.
import { isInteger, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { type GitOptions, git, listOf, optionsOf, placeOf, wordsOf } from './run.ts'

/** The arguments that end almost every signature. */
export const tail = 'user=None, password=None, ignore_retcode=False, output_encoding=None'

/** The words of the doc for them. */
export const tailDoc = `
opts, git_opts
    Further options for the command, and for git itself before it.
user
    Who runs it.
ignore_retcode
    A return code that is not 0 is not the job's.`

/** Runs a command in the repository and answers what it prints. */
export async function said(
  words: readonly string[],
  args: Arguments,
  call: Call,
  more: GitOptions = {},
): Promise<string> {
  const cwd = await placeOf(args)
  return (await git([...wordsOf(args.value('git_opts')), ...words], { ...optionsOf(args), cwd, ...more }, call)).stdout
}

const lines = (text: string): string[] => (text === '' ? [] : text.split('\n'))
const opts = (args: Arguments): string[] => wordsOf(args.value('opts'))
const merged = { redirectStderr: true }

async function checkout(args: Arguments, call: Call): Promise<string> {
  const given = opts(args)
  const rev = args.value('rev')
  if (rev === null && !given.some((word) => word === '-b' || word === '-B')) {
    throw new SaltInvocationError("'rev' argument is required unless -b or -B in opts")
  }
  const words = [
    'checkout',
    ...(args.is('force') ? ['--force'] : []),
    ...given,
    ...(rev === null ? [] : [pythonStr(rev)]),
  ]
  return said(words, args, call, merged)
}

const kinds: Readonly<Record<string, string>> = { M: 'modified', A: 'new', D: 'deleted', '??': 'untracked' }

async function status(args: Arguments, call: Call): Promise<Mapping> {
  const out = await said(['status', '-z', '--porcelain'], args, call)
  const found: Record<string, string[]> = {}
  for (const line of out.split('\0')) {
    const [, state, file] = /^\s*(\S+)\s+(.*)$/s.exec(line) ?? []
    if (state === undefined || file === undefined || file === '') continue
    const kind = kinds[state] ?? state
    found[kind] = [...(found[kind] ?? []), file]
  }
  return found
}

async function diff(args: Arguments, call: Call): Promise<string> {
  const [noIndex, cached] = [args.is('no_index'), args.is('cached')]
  if (noIndex && cached) {
    throw new CommandExecutionError("The 'no_index' and 'cached' options cannot be used together")
  }
  const items = ['item1', 'item2'].map((name) => args.textIfAny(name)).filter((item) => item !== undefined)
  const revs = noIndex ? [] : cached ? items.slice(0, 1) : items
  const paths = listOf(args.value('paths'))
  const flags = [...(noIndex ? ['--no-index'] : []), ...(cached ? ['--cached'] : [])]
  const words = ['diff', ...opts(args), ...flags, ...revs, ...(paths.length === 0 ? [] : ['--', ...paths])]
  return said(words, args, call, { ...merged, ...(noIndex ? { ignoreRetcode: true, failHard: false } : {}) })
}

async function init(args: Arguments, call: Call): Promise<string> {
  const shared = args.value('shared')
  const sharing = isInteger(shared)
    ? `0${pythonStr(shared)}`
    : typeof shared === 'string'
      ? shared
      : pythonStr(shared).toLowerCase()
  const words = [
    'init',
    ...(args.is('bare') ? ['--bare'] : []),
    ...(args.value('template') === null ? [] : [`--template=${args.text('template')}`]),
    ...(args.value('separate_git_dir') === null ? [] : [`--separate-git-dir=${args.text('separate_git_dir')}`]),
    ...(shared === null ? [] : [`--shared=${sharing}`]),
    ...opts(args),
    await placeOf(args),
  ]
  return (await git([...wordsOf(args.value('git_opts')), ...words], optionsOf(args), call)).stdout
}

async function mergeBase(args: Arguments, call: Call): Promise<Value> {
  const refs = listOf(args.value('refs'))
  const modes = ['octopus', 'independent', 'is_ancestor'].filter((name) => args.is(name))
  if (args.value('fork_point') !== null) modes.push('fork_point')
  if (modes.length > 1) {
    throw new SaltInvocationError("Only one of 'octopus', 'independent', 'is_ancestor', and 'fork_point' is permitted")
  }
  const ancestor = args.is('is_ancestor')
  if (ancestor && refs.length !== 2)
    throw new SaltInvocationError("Two refs/commits are required if 'is_ancestor' is True")
  const flags = modes.map((mode) => `--${mode.replace('_', '-')}`)
  const fork = args.value('fork_point') === null ? [] : [args.text('fork_point')]
  const words = [
    'merge-base',
    ...opts(args),
    ...(args.keywords.all === true ? ['--all'] : []),
    ...flags,
    ...fork,
    ...refs,
  ]
  const cwd = await placeOf(args)
  const options = { ...optionsOf(args), cwd, failHard: !ancestor, ...(ancestor ? { ignoreRetcode: true } : {}) }
  const done = await git([...wordsOf(args.value('git_opts')), ...words], options, call)
  if (ancestor) return done.retcode === 0
  const bases = lines(done.stdout)
  return args.keywords.all === true ? bases : (bases[0] ?? null)
}

async function tag(args: Arguments, call: Call): Promise<string> {
  const given = opts(args).filter((word) => word !== '-a' && word !== '--annotate')
  if (given.some((word) => word === '-m' || word.includes('--message'))) {
    throw new SaltInvocationError('Tag messages must be passed in the "message" argument')
  }
  const message = args.value('message')
  const deletes = given.includes('-d') || given.includes('--delete')
  const words = ['tag', ...(message === null ? [] : ['-a', '-m', pythonStr(message)]), ...given, args.text('name')]
  return said([...words, ...(deletes ? [] : [args.text('ref')])], args, call, merged)
}

async function version(call: Call): Promise<string> {
  const { stdout } = await git(['--version'], {}, call)
  return (stdout.split('(')[0] ?? '').trim().split(/\s+/).at(-1) ?? 'unknown'
}

const refs = (folder: string): string[] => ['for-each-ref', '--format', '%(refname:short)', folder]

/** A function whose one command is all there is to it. */
const plain = (
  name: string,
  params: string,
  doc: string,
  example: string,
  words: (args: Arguments) => string[],
  more: GitOptions = {},
) =>
  define(
    `cwd, ${params}${tail}`,
    `${doc}\n${tailDoc}${examples(`brine myminion git.${name} ${example}`)}`,
    (args, call) => said(words(args), args, call, more),
  )

const asking = { readOnly: true }
const withOpts = "opts='', git_opts='', "

/** The functions, by their names. */
export const local: Readonly<Record<string, ExecutionFunction>> = {
  add: plain(
    'add',
    `filename, ${withOpts}`,
    'Put a file or a directory into the index.',
    '/path/to/repo foo/bar.py',
    (args) => [
      'add',
      '--verbose',
      ...opts(args).filter((word) => word !== '-v' && word !== '--verbose'),
      '--',
      args.text('filename'),
    ],
  ),
  branch: define(
    `cwd, name=None, ${withOpts}${tail}`,
    `Make, rename or delete a branch, as git branch does with these options.
${tailDoc}${examples('brine myminion git.branch /path/to/repo mybranch', "brine myminion git.branch /path/to/repo newbranch opts='-m oldbranch'")}`,
    async (args, call) => {
      const name = args.textIfAny('name')
      await said(['branch', ...opts(args), ...(name === undefined ? [] : [name])], args, call)
      return true
    },
  ),
  checkout: define(
    `cwd, rev=None, force=False, ${withOpts}${tail}`,
    `Check a branch, a tag or a commit out.

force
    Discard local changes.${tailDoc}${examples('brine myminion git.checkout /path/to/repo somebranch user=jeff', "brine myminion git.checkout /path/to/repo opts='-b newbranch'")}`,
    checkout,
  ),
  commit: plain(
    'commit',
    `message, ${withOpts}filename=None, `,
    'Commit what is in the index, or a file.',
    "/path/to/repo 'The commit message'",
    (args) => [
      'commit',
      '-m',
      args.text('message'),
      ...opts(args),
      ...(args.is('filename') ? ['--', args.text('filename')] : []),
    ],
  ),
  current_branch: define(
    `cwd, ${tail}`,
    `Return the name of the branch that is checked out; \`\`HEAD\`\` where none is.${examples('brine myminion git.current_branch /path/to/repo')}`,
    (args, call) => said(['rev-parse', '--abbrev-ref', 'HEAD'], args, call),
    asking,
  ),
  describe: define(
    `cwd, rev='HEAD', ${tail}`,
    `Return what git describe says of a commit, or its short id.${examples('brine myminion git.describe /path/to/repo', 'brine myminion git.describe /path/to/repo develop')}`,
    (args, call) => said(['describe', '--always', args.text('rev')], args, call),
    asking,
  ),
  diff: define(
    `cwd, item1=None, item2=None, ${withOpts}user=None, password=None, no_index=False, cached=False, paths=None, output_encoding=None`,
    `Return the difference between the work tree, the index and commits.

cached, no_index
    The index against a commit; two paths that need not be in a repository.
paths
    Only these.${examples('brine myminion git.diff /path/to/repo', 'brine myminion git.diff /path/to/repo commit1 commit2')}`,
    diff,
    asking,
  ),
  discard_local_changes: define(
    `cwd, path='.', ${tail}`,
    `Check out again what was changed under a path.${examples('brine myminion git.discard_local_changes /path/to/repo path=foo')}`,
    (args, call) => said(['checkout', '--', args.text('path')], args, call, merged),
  ),
  init: define(
    `cwd, bare=False, template=None, separate_git_dir=None, shared=None, ${withOpts}${tail}`,
    `Make a repository.

bare, template, separate_git_dir, shared
    As git init understands them.${tailDoc}${examples('brine myminion git.init /path/to/repo', 'brine myminion git.init /path/to/bare/repo.git bare=True')}`,
    init,
  ),
  list_branches: define(
    `cwd, remote=False, ${tail}`,
    `List the branches.

remote
    Those of remotes.${examples('brine myminion git.list_branches /path/to/repo', 'brine myminion git.list_branches /path/to/repo remote=True')}`,
    async (args, call) => lines(await said(refs(args.is('remote') ? 'refs/remotes/' : 'refs/heads/'), args, call)),
    asking,
  ),
  list_tags: define(
    `cwd, ${tail}`,
    `List the tags.${examples('brine myminion git.list_tags /path/to/repo')}`,
    async (args, call) => lines(await said(refs('refs/tags/'), args, call)),
    asking,
  ),
  merge: define(
    `cwd, rev=None, ${withOpts}user=None, password=None, identity=None, ignore_retcode=False, output_encoding=None`,
    `Merge a revision.
${tailDoc}${examples('brine myminion git.merge /path/to/repo rev=upstream/foo')}`,
    (args, call) => said(['merge', ...opts(args), ...(args.is('rev') ? [args.text('rev')] : [])], args, call),
  ),
  merge_base: define(
    `cwd, refs=None, octopus=False, is_ancestor=False, independent=False, fork_point=None, ${withOpts}${tail}, **kwargs`,
    `Return the commit that others have in common.

refs
    A list of them.
is_ancestor
    Return whether the first is an ancestor of the second.${tailDoc}${examples('brine myminion git.merge_base /path/to/repo HEAD upstream/mybranch', "brine myminion git.merge_base /path/to/repo refs='[1111111, 2222222]' is_ancestor=True")}`,
    mergeBase,
    asking,
  ),
  rebase: plain(
    'rebase',
    `rev='master', ${withOpts}`,
    'Rebase the branch that is checked out.',
    '/path/to/repo master',
    (args) => ['rebase', ...notInteractive(opts(args)), ...wordsOf(args.value('rev'))],
  ),
  reset: define(
    `cwd, ${withOpts}user=None, password=None, identity=None, ignore_retcode=False, output_encoding=None`,
    `Reset the branch that is checked out, as git reset does with these options.
${tailDoc}${examples('brine myminion git.reset /path/to/repo ac3ee5c', "brine myminion git.reset /path/to/repo opts='--hard origin/master'")}`,
    (args, call) => said(['reset', ...opts(args)], args, call),
  ),
  rev_parse: define(
    `cwd, rev=None, ${withOpts}${tail}`,
    `Return what git rev-parse makes of a revision.
${tailDoc}${examples('brine myminion git.rev_parse /path/to/repo master', "brine myminion git.rev_parse /path/to/repo HEAD opts='--abbrev-ref'")}`,
    (args, call) =>
      said(['rev-parse', ...opts(args), ...(args.value('rev') === null ? [] : [args.text('rev')])], args, call),
    asking,
  ),
  revision: define(
    `cwd, rev='HEAD', short=False, ${tail}`,
    `Return the id of a commit.

short
    Its short form.${examples('brine myminion git.revision /path/to/repo mybranch')}`,
    (args, call) => said(['rev-parse', ...(args.is('short') ? ['--short'] : []), args.text('rev')], args, call),
    asking,
  ),
  rm: plain(
    'rm',
    `filename, ${withOpts}`,
    'Remove a file from the index and the work tree.',
    "/path/to/repo foo/bar.py opts='--cached'",
    (args) => ['rm', ...opts(args), '--', args.text('filename')],
  ),
  stash: plain(
    'stash',
    `action='save', ${withOpts}`,
    'Put local changes aside, or bring them back.',
    '/path/to/repo action=pop',
    (args) => ['stash', args.text('action'), ...opts(args)],
  ),
  status: define(
    `cwd, ${tail}`,
    `Return the files that are new, modified, deleted or untracked.${examples('brine myminion git.status /path/to/repo')}`,
    status,
    asking,
  ),
  symbolic_ref: plain(
    'symbolic_ref',
    `ref, value=None, ${withOpts}`,
    'Return what a symbolic ref points to, or set it.',
    '/path/to/repo HEAD',
    (args) => ['symbolic-ref', ...opts(args), args.text('ref'), ...(args.is('value') ? [args.text('value')] : [])],
  ),
  tag: define(
    `cwd, name, ref='HEAD', message=None, ${withOpts}${tail}`,
    `Make a tag, with a message an annotated one; with \`\`opts=-d\`\` delete it.
${tailDoc}${examples('brine myminion git.tag /path/to/repo v1.2', "brine myminion git.tag /path/to/repo v1.2 3c2ec2b message='Version 1.2'")}`,
    tag,
  ),
  version: define(
    'versioninfo=False',
    `Return git's version.

versioninfo
    As a list of its parts.${examples('brine myminion git.version')}`,
    async (args, call) => {
      const text = await version(call)
      return args.is('versioninfo') ? text.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)) : text
    },
    asking,
  ),
}

function notInteractive(words: string[]): string[] {
  if (words.some((word) => word === '-i' || word === '--interactive')) {
    throw new SaltInvocationError('Interactive rebases are not supported')
  }
  return words
}
