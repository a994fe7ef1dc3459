// `git.latest`: a clone that is at the commit its remote has.
import { readdir, rm } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { isDirectory, isRegularFile, joinPath } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { redacted, withLogin } from '../../modules/git/run.ts'
import { defineState, type StateCall, type StateReturn, slsExample } from '../state-module.ts'
import { isRev, remoteRev } from './remote-rev.ts'
import { repositoryAt, sentences, stripped } from './repository.ts'
import { updated } from './update.ts'
import { fail, identityOf, submodules, trackingPlan, type Wanted, wouldBe } from './wanted.ts'

const begin = (name: Value): StateReturn => ({ name, result: true, comment: '', changes: {} })

const invalid = async (args: Arguments): Promise<string | undefined> => {
  if (!args.is('remote')) return "'remote' argument is required"
  if (!args.is('target')) return "'target' argument is required"
  if (!args.is('rev')) return `'${args.text('rev')}' is not a valid value for the 'rev' argument`
  if (![true, false, 'remote-changes'].includes(args.value('force_reset') as never)) {
    return "'force_reset' must be one of True, False, or 'remote-changes'"
  }
  const target = args.text('target')
  if (!target.startsWith('/')) return `target '${target}' is not an absolute path`
  if (await isRegularFile(target)) return `Target '${target}' exists and is a regular file, cannot proceed`
  if (args.text('rev') !== 'HEAD' && (args.is('bare') || args.is('mirror'))) {
    return "'rev' is not compatible with the 'mirror' and 'bare' arguments"
  }
  return undefined
}

async function latest(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret = begin(args.value('name'))
  const unknown = Object.keys(args.cleanKeywords)
  if (unknown.length > 0) {
    const list = unknown.map((key) => `${key}=${pythonStr(args.keywords[key] ?? null)}`).join(', ')
    return fail(ret, `The following keyword arguments are not valid: ${list}`)
  }
  const wrong = await invalid(args)
  if (wrong !== undefined) return fail(ret, wrong)
  const identity = await identityOf(args)
  if (typeof identity === 'string') return fail(ret, identity)
  const name = args.text('name')
  const target = args.text('target')
  const login = args.given(['https_user', 'https_pass'])
  const who = args.given(['user', 'password'])
  const keys: Mapping = { ...identity, saltenv: call.env }
  let url: string
  let refs: Mapping
  try {
    url = withLogin(name, login.https_user ?? null, login.https_pass ?? null)
    const found = await call.salt('git.remote_refs', [name], { ...who, ...keys, ...login })
    refs = isMapping(found) ? found : {}
  } catch (error) {
    return fail(ret, `Failed to check remote refs: ${stripped(messageOf(error))}`)
  }
  const remote = args.text('remote')
  const bare = args.is('bare') || args.is('mirror')
  const rev = remoteRev(refs, args.text('rev'), remote)
  if (args.value('depth') !== null && (bare || (rev.type !== 'branch' && rev.type !== 'tag'))) {
    return fail(ret, "When 'depth' is used, 'rev' must be set to the name of a branch or tag on the remote repository")
  }
  if (rev.id === undefined && !bare && rev.rev !== 'HEAD') {
    return fail(ret, `No revision matching '${rev.rev}' exists in the remote repository`)
  }
  const branches = `refs/heads/${args.text('refspec_branch')}:refs/remotes/${remote}/${args.text('refspec_branch')}`
  const tags = `+refs/tags/${args.text('refspec_tag')}:refs/tags/${args.text('refspec_tag')}`
  const wanted: Wanted = {
    name,
    target,
    remote,
    branch: args.textIfAny('branch'),
    remoteRev: bare ? { ...rev, id: undefined, type: undefined, upstream: false } : rev,
    bare,
    url,
    refspecs: args.is('fetch_tags') ? [branches, tags] : [],
    repository: repositoryAt(target, who, call),
    keys: { ...keys, ...login },
    args,
  }
  const isThere = (await isDirectory(joinPath(target, bare ? 'refs' : '.git'))) || (await isWorktree(wanted))
  const comments: string[] = []
  try {
    return isThere
      ? await updated(ret, wanted, comments, call)
      : await cloned(ret, wanted, comments, 'HEAD' in refs, call)
  } catch (error) {
    return fail(ret, redacted(stripped(messageOf(error))), comments)
  }
}

async function isWorktree({ target, repository }: Wanted): Promise<boolean> {
  return (await isDirectory(target)) && (await repository.run('is_worktree')) === true
}

/** Empties the directory where `force_clone` says so; a return where there is no place for a clone. */
async function cleared(
  ret: StateReturn,
  { name, target, args }: Wanted,
  call: StateCall,
): Promise<StateReturn | undefined> {
  if (!(await isDirectory(target))) return undefined
  const names = await readdir(target)
  if (!args.is('force_clone')) {
    if (names.length === 0) return undefined
    return fail(
      ret,
      `Target '${target}' exists, is non-empty and is not a git repository. Set the 'force_clone' option to True to remove this directory's contents and proceed with cloning the remote repository`,
    )
  }
  ret.changes['forced clone'] = true
  if (call.test) {
    ret.changes.new = `${name} => ${target}`
    return wouldBe(
      ret,
      `Target directory ${target} exists. Since force_clone=True, the contents of ${target} would be deleted, and ${name} would be cloned into this directory.`,
    )
  }
  for (const each of names) await rm(joinPath(target, each), { recursive: true, force: true })
  return undefined
}

async function cloned(
  ret: StateReturn,
  wanted: Wanted,
  comments: string[],
  hasHead: boolean,
  call: StateCall,
): Promise<StateReturn> {
  const { name, target, remote, remoteRev: rev, bare, args, repository, keys } = wanted
  const stop = await cleared(ret, wanted, call)
  if (stop !== undefined) return stop
  ret.changes.new = `${name} => ${target}`
  if (call.test) return wouldBe(ret, `Repository ${name} would be cloned to ${target}`)
  const mirror = args.is('mirror')
  const depth = args.value('depth')
  const opts = [
    ...(mirror ? ['--mirror'] : bare ? ['--bare'] : []),
    ...(remote === 'origin' ? [] : ['--origin', remote]),
    ...(depth === null ? [] : ['--depth', pythonStr(depth), '--branch', rev.rev]),
  ]
  try {
    await repository.run('clone', { url: name, opts, ...keys })
  } catch (error) {
    delete ret.changes.new
    return fail(ret, `Clone failed: ${stripped(messageOf(error))}`, comments)
  }
  comments.push(`${name} cloned to ${target}${mirror ? ' as mirror' : bare ? ' as bare repository' : ''}`)
  if (!bare && rev.id !== undefined) {
    const stopped = await checkedOut(ret, wanted, comments, hasHead)
    if (stopped !== undefined) return stopped
    if (args.is('submodules')) await submodules(wanted)
  }
  const id = await repository.ask('revision')
  return {
    ...ret,
    comment: sentences(comments),
    changes: id === undefined ? ret.changes : { ...ret.changes, revision: { old: null, new: id } },
  }
}

/** The commit and the branch of a fresh clone. */
async function checkedOut(
  ret: StateReturn,
  wanted: Wanted,
  comments: string[],
  hasHead: boolean,
): Promise<StateReturn | undefined> {
  const { remoteRev: rev, branch, repository } = wanted
  if (rev.type === 'tag' && !(await repository.list('list_tags')).includes(rev.rev)) {
    return fail(ret, `Revision '${rev.rev}' does not exist in clone`, comments)
  }
  if (branch !== undefined && !(await repository.list('list_branches')).includes(branch)) {
    const from = rev.rev === 'HEAD' ? (rev.id ?? '') : rev.upstream || rev.rev
    await repository.run('checkout', { rev: from, opts: ['-b', branch] })
    comments.push(`Branch '${branch}' checked out, with ${rev.location} as a starting point`)
  }
  const id = await repository.ask('revision')
  const here = await repository.ask('current_branch')
  if (here === undefined && !hasHead) return fail(ret, noHead, comments)
  if (!isRev(id, rev)) {
    await repository.run('reset', { opts: ['--hard', rev.id ?? ''] })
    comments.push(`Repository was reset to ${rev.location}`)
  }
  if (here !== undefined) await tracked(wanted, branch, here, comments)
  return undefined
}

const noHead =
  "Remote HEAD refers to a ref that does not exist. This can happen when the default branch on the remote repository is renamed or deleted. If you are unable to fix the remote repository, you can work around this by setting the 'branch' argument (which will ensure that the named branch is created if it does not already exist)."

/** The branch that the local one follows. */
async function tracked(
  { remoteRev: rev, repository }: Wanted,
  branch: string | undefined,
  here: string,
  comments: string[],
): Promise<void> {
  const upstream = await repository.ask('rev_parse', { rev: `${here}@{upstream}`, opts: ['--abbrev-ref'] })
  const plan = trackingPlan(rev.upstream, upstream)
  if (plan === undefined) return
  if (branch !== undefined && !(await repository.list('list_branches')).includes(branch)) return
  await repository.run('branch', { opts: [...plan.opts] })
  comments.push(`Tracking branch was ${plan.words}`)
}

/** `git.latest`. */
export const latestState = defineState(
  "name, target, rev='HEAD', branch=None, user=None, password=None, update_head=True, force_checkout=False, force_clone=False, force_fetch=False, force_reset=False, submodules=False, bare=False, mirror=False, remote='origin', fetch_tags=True, sync_tags=True, depth=None, identity=None, https_user=None, https_pass=None, refspec_branch='*', refspec_tag='*', output_encoding=None, **kwargs",
  `A repository is cloned and at the commit that its remote has.

name, target
    The remote's URL; where the clone is.
rev
    A branch, a tag or a commit; \`\`HEAD\`\` is the remote's.
branch
    The local branch, made where it is not there.
remote
    The name of the remote.
update_head
    False: fetch, but leave the commit that is checked out.
force_checkout, force_clone, force_fetch, force_reset
    Discard local changes for another branch; empty the target first; fetch what is no fast-forward; reset to the remote's commit
    whatever is lost (\`\`remote-changes\`\`: only where the remote has something new).
submodules, bare, mirror, depth
    As git clone understands them.
fetch_tags, sync_tags
    Fetch tags; remove those that the remote no longer has.
user, identity, https_user, https_pass
    Who runs git; private keys; for repositories over HTTPS.${slsExample(`
https://mydomain.tld/repo.git:
  git.latest:
    - rev: develop
    - target: /opt/repo`)}`,
  latest,
)
