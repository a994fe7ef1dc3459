// `git.latest` where there is a clone: fetched, and brought to the remote's commit unless something would be lost.
import { messageOf } from '../../../core/error.ts'
import { isMapping, pythonStr } from '../../../core/value/index.ts'
import { redacted } from '../../modules/git/run.ts'
import type { StateCall, StateReturn } from '../state-module.ts'
import { isRev } from './remote-rev.ts'
import { sentences, short, stripped } from './repository.ts'
import { fail, submodules, trackingPlan, type Wanted, wouldBe } from './wanted.ts'

/** What is known of the clone. */
interface Clone {
  readonly branches: readonly string[]
  readonly tags: readonly string[]
  readonly id: string | undefined
  readonly branch: string | undefined
  /** The commit that the wanted branch is at. */
  readonly baseId: string | undefined
  readonly dirty: boolean
  readonly matches: boolean
  readonly fetchUrl: string | undefined
  readonly upstream: string | undefined
}

function upToDate(
  ret: StateReturn,
  target: string,
  comments: readonly string[],
  test: boolean,
  dirty = false,
): StateReturn {
  const also = ", but with uncommitted changes. Set 'force_reset' to True to purge uncommitted changes."
  const made = comments.length === 0 ? '' : `\n\nChanges ${test ? 'that would be ' : ''}made: ${sentences(comments)}`
  return { ...ret, comment: `Repository ${target} is up-to-date${dirty ? also : ''}${made}` }
}

async function inspect({ repository, branch, remote, remoteRev: rev, bare }: Wanted): Promise<Clone> {
  const branches = await repository.list('list_branches')
  const tags = await repository.list('list_tags')
  const id = await repository.ask('revision')
  const here = await repository.ask('current_branch')
  const isOther = branch !== undefined && branch !== here
  const baseId = !isOther
    ? id
    : branches.includes(branch)
      ? pythonStr(await repository.run('rev_parse', { rev: `${branch}^{commit}`, ignore_retcode: true }))
      : rev.id
  const baseBranch = isOther && branches.includes(branch) ? branch : here
  const diff = bare || id === undefined ? '' : await repository.run('diff', { item1: 'HEAD' })
  const remotes = await repository.map('remotes', { redact_auth: false })
  const known = remotes[remote]
  // As configured: `git remote -v` says what `url.….insteadOf` makes of it, which is never what the state says.
  const configured = await repository.list('config_get', { key: `remote.${remote}.url`, all: true })
  return {
    branches,
    tags,
    id,
    branch: here,
    baseId,
    dirty: diff !== '',
    matches: isRev(id, rev),
    fetchUrl: isMapping(known) ? (configured[0] ?? pythonStr(known.fetch ?? '')) : undefined,
    upstream:
      baseBranch === undefined
        ? undefined
        : await repository.ask('rev_parse', { rev: `${baseBranch}@{upstream}`, opts: ['--abbrev-ref'] }),
  }
}

/** The clone has the commit, and where a branch or a tag is meant, knows it as such. */
async function hasRev({ repository, remoteRev: rev }: Wanted, clone: Clone): Promise<boolean | string> {
  if (rev.id === undefined) return false
  if (rev.type === 'sha1' && clone.baseId?.startsWith(rev.id) === true) return true
  if ((await repository.ask('rev_parse', { rev: `${rev.id}^{commit}` })) === undefined) return false
  if (rev.type === 'branch') {
    if (clone.fetchUrl === undefined || typeof rev.upstream !== 'string') return false
    return (await repository.ask('rev_parse', { rev: rev.upstream })) === rev.id
  }
  if (rev.type !== 'tag') return true
  if (!clone.tags.includes(rev.rev)) return false
  const local = await repository.ask('rev_parse', { rev: `${rev.rev}^{commit}` })
  if (local === rev.id) return true
  return `'${rev.rev}' is a tag, but the remote SHA1 for this tag (${short(rev.id)}) doesn't match the local SHA1 (${short(local)}). Set 'force_reset' to True to force this update.`
}

const isAncestor = async ({ repository, remoteRev: rev }: Wanted, base: string | undefined): Promise<boolean> =>
  base === undefined ||
  (await repository.run('merge_base', { refs: [base, rev.id ?? ''], is_ancestor: true, ignore_retcode: true })) === true

/** Brings the clone there. */
export async function updated(
  ret: StateReturn,
  wanted: Wanted,
  comments: string[],
  call: StateCall,
): Promise<StateReturn> {
  const { target, branch, remoteRev: rev, args, repository } = wanted
  if (wanted.bare) return fetchedBare(ret, wanted, comments, call)
  const clone = await inspect(wanted)
  const { test } = call
  if (rev.id === undefined) {
    if (clone.id === undefined) return upToDate(ret, target, comments, test)
    return fail(ret, 'Remote repository is empty, cannot update from a non-empty to an empty repository')
  }
  const reset = args.value('force_reset')
  const changesBranch = branch !== undefined && branch !== clone.branch
  if (clone.dirty && clone.matches) {
    if (reset !== true) return upToDate(ret, target, comments, test, true)
    if (test) {
      ret.changes['forced update'] = true
      return wouldBe(
        ret,
        `${target} is up-to-date, but with uncommitted changes. Since 'force_reset' is set to True, these local changes would be reset. To only reset when there are changes in the remote repository, set 'force_reset' to 'remote-changes'.`,
      )
    }
  }
  const known = await hasRev(wanted, clone)
  if (typeof known === 'string' && reset === false) return fail(ret, known)
  let hasRemote = known === true
  let forward: boolean | undefined = clone.dirty && reset !== 'remote-changes' ? false : undefined
  if (hasRemote) {
    if (!clone.matches && !args.is('update_head') && !changesBranch) return keepsHead(ret, wanted, clone)
    if (forward === undefined) forward = await isAncestor(wanted, clone.baseId)
  }
  if (forward === false && reset === false) return notForward(ret, wanted, clone, comments)
  const sameUrl = wanted.url === clone.fetchUrl
  if (test) return tested(ret, wanted, clone, { hasRemote, forward, sameUrl })
  if (!sameUrl) await setRemote(ret, wanted, clone, comments)
  const plan = trackingPlan(rev.upstream, clone.upstream)
  if (plan !== undefined && clone.branch === undefined) return fail(ret, noLocalBranch, comments)
  hasRemote = (await syncTags(ret, wanted, clone, comments)) && hasRemote
  if (!hasRemote) {
    const problem = await fetchAll(wanted, comments)
    if (problem !== undefined) return fail(ret, problem, comments)
    if (!clone.matches && !args.is('update_head') && !changesBranch) return keepsHead(ret, wanted, clone)
    forward = await isAncestor(wanted, clone.baseId)
    if (reset === false && (!forward || clone.dirty)) return notForward(ret, wanted, clone, comments)
  }
  if (changesBranch) {
    if (clone.dirty && !args.is('force_checkout')) {
      return fail(
        ret,
        `Local branch '${clone.branch}' has uncommitted changes. Set 'force_checkout' to True to discard them and proceed.`,
      )
    }
    await changeBranch(wanted, clone, branch, comments)
  }
  const stopped = await moved(ret, wanted, clone, { forward, plan }, comments)
  if (stopped !== undefined) return stopped
  if (args.is('submodules')) {
    try {
      await submodules(wanted)
    } catch (error) {
      return fail(ret, `Failed to update submodules: ${stripped(messageOf(error))}`, comments)
    }
  }
  const now = await repository.ask('revision')
  if (!isRev(now, rev)) return fail(ret, 'Failed to update repository', comments)
  if (clone.id === now) return upToDate(ret, target, comments, test)
  const revision = { old: clone.id ?? null, new: now ?? null }
  return { ...ret, comment: sentences(comments), changes: { ...ret.changes, revision } }
}

const noLocalBranch =
  "Cannot set/unset upstream tracking branch, local HEAD refers to nonexistent branch. This may have been caused by cloning a remote repository for which the default branch was renamed or deleted. If you are unable to fix the remote repository, you can work around this by setting the 'branch' argument (which will ensure that the named branch is created if it does not already exist)."

function keepsHead(ret: StateReturn, { remoteRev: rev }: Wanted, { id }: Clone): StateReturn {
  const place =
    rev.rev === 'HEAD' ? rev.location.charAt(0).toUpperCase() + rev.location.slice(1).toLowerCase() : rev.location
  const words = `is already present and local HEAD (${short(id)}) does not match, but update_head=False. HEAD has not been updated locally.`
  return { ...ret, comment: `${place} ${words}` }
}

function notForward(
  ret: StateReturn,
  { remoteRev: rev, branch }: Wanted,
  clone: Clone,
  comments: readonly string[],
): StateReturn {
  let hint = ''
  if (branch === undefined && rev.rev !== 'HEAD' && clone.branch !== rev.rev) {
    hint = ` The desired rev (${rev.rev}) differs from the name of the local branch (${clone.branch}), if the desired rev is a branch name then a forced update could possibly be avoided by setting the 'branch' argument to '${rev.rev}' instead.`
  } else if (
    branch === undefined &&
    rev.rev === 'HEAD' &&
    rev.defaultBranch !== undefined &&
    clone.branch !== rev.defaultBranch
  ) {
    hint = ` The default remote branch (${rev.defaultBranch}) differs from the local branch (${clone.branch}). This could be caused by changing the default remote branch, or if the local branch was manually changed. Rather than forcing an update, it may be advisable to set the 'branch' argument to '${rev.defaultBranch}' instead. To ensure that this state follows the '${rev.defaultBranch}' branch instead of the remote HEAD, set the 'rev' argument to '${rev.defaultBranch}'.`
  }
  const [from, to] = [short(clone.baseId), short(rev.id)]
  const way = clone.dirty && from !== to ? `from ${from} to ${to}` : `to ${to}`
  const after = branch !== undefined && branch !== clone.branch ? ` (after checking out local branch '${branch}')` : ''
  const why = clone.dirty ? 'there are uncommitted changes' : 'this is not a fast-forward merge'
  const or = clone.dirty ? " (or 'remote-changes')" : ''
  const discard = clone.dirty ? ' and discard these changes' : ''
  return fail(
    ret,
    `Repository would be updated ${way}${after}, but ${why}. Set 'force_reset' to True${or} to force this update${discard}.${hint}`,
    comments,
  )
}

interface Known {
  readonly hasRemote: boolean
  readonly forward: boolean | undefined
  readonly sameUrl: boolean
}

/** What test mode says. */
function tested(ret: StateReturn, wanted: Wanted, clone: Clone, { hasRemote, forward, sameUrl }: Known): StateReturn {
  const { remoteRev: rev, branch, remote, target, args } = wanted
  const actions: string[] = []
  const action = forward === false ? 'hard-reset' : forward === true ? 'fast-forwarded' : 'updated'
  const updates = args.is('update_head')
  const [from, to] = [short(clone.id), short(rev.id)]
  const changesBranch = branch !== undefined && branch !== clone.branch
  if (!sameUrl) {
    actions.push(
      `Remote '${remote}' would be changed from ${redacted(clone.fetchUrl ?? 'None')} to ${redacted(wanted.url)}`,
    )
    if (!hasRemote) actions.push('Remote would be fetched')
  } else if (!hasRemote) actions.push(`Remote '${remote}' would be fetched`)
  if (!clone.matches && (updates || (changesBranch && sameUrl))) {
    ret.changes.revision = { old: clone.id ?? null, new: rev.id ?? null }
  }
  if (!sameUrl) {
    if (!clone.matches && updates) {
      if (forward === false) ret.changes['forced update'] = true
      actions.push(`Repository would be ${action} to ${to}`)
    }
  } else if (changesBranch && !clone.branches.includes(branch)) {
    actions.push(`New branch '${branch}' would be checked out, with ${rev.location} as a starting point`)
    if (rev.upstream) actions.push(`Tracking branch would be set to ${rev.upstream}`)
  } else if (changesBranch) actions.push(`Branch '${branch}' would be checked out and ${action} to ${to}`)
  else if (!clone.matches && updates) {
    const how = forward === true ? 'fast-forwarded' : args.is('force_reset') && hasRemote ? 'hard-reset' : 'updated'
    actions.push(`Repository would be ${how} from ${from} to ${to}`)
  } else if (!clone.matches) {
    actions.push(
      `Local HEAD (${from}) does not match ${rev.location} but update_head=False, HEAD would not be updated locally`,
    )
  }
  const plan = sameUrl ? trackingPlan(rev.upstream, clone.upstream) : undefined
  if (plan !== undefined) actions.push(`Tracking branch would be ${plan.words}`)
  if (Object.keys(ret.changes).length > 0) return wouldBe(ret, sentences(actions))
  if (!clone.matches && !updates && actions.length > 0) return { ...ret, comment: sentences(actions) }
  return upToDate(ret, target, actions, true)
}

async function setRemote(
  ret: StateReturn,
  { name, remote, url, keys, repository }: Wanted,
  { fetchUrl }: Clone,
  comments: string[],
): Promise<void> {
  const login = Object.fromEntries(Object.entries(keys).filter(([key]) => key.startsWith('https_')))
  await repository.run('remote_set', { url: name, remote, ...login })
  if (fetchUrl === undefined) {
    comments.push(`Remote '${remote}' set to ${redacted(url)}`)
    ret.changes.new = `${name} => ${remote}`
  } else comments.push(`Remote '${remote}' changed from ${redacted(fetchUrl)} to ${redacted(url)}`)
}

/** Removes tags that the remote no longer has; answers whether both had the same before. */
async function syncTags(ret: StateReturn, wanted: Wanted, clone: Clone, comments: string[]): Promise<boolean> {
  const { repository, remote, keys, args } = wanted
  const { identity = null, saltenv = 'base' } = keys
  const refs = await repository.map('ls_remote', {
    remote,
    opts: '--tags',
    saltenv,
    ignore_retcode: true,
    ...(identity === null ? {} : { identity }),
  })
  const theirs = Object.keys(refs)
    .filter((ref) => !ref.includes('^{}'))
    .map((ref) => ref.replace('refs/tags/', ''))
  const fresh = theirs.filter((tag) => !clone.tags.includes(tag))
  const gone = clone.tags.filter((tag) => !theirs.includes(tag))
  if (fresh.length > 0) ret.changes.new_tags = fresh
  if (args.is('sync_tags') && gone.length > 0) {
    for (const tag of gone) await repository.run('tag', { name: tag, opts: '-d' })
    ret.changes.deleted_tags = gone
    comments.push(`The following tags were removed from the local checkout: ${gone.join(', ')}`)
  }
  return fresh.length === 0 && gone.length === 0
}

/** Fetches; whether that brought anything new. Rejects with what git says. */
async function fetchRefs({ repository, remote, refspecs, keys, args }: Wanted): Promise<boolean> {
  const { identity = null, saltenv = 'base' } = keys
  const found = await repository.map('fetch', {
    remote,
    force: args.is('force_fetch'),
    refspecs: [...refspecs],
    saltenv,
    ...(identity === null ? {} : { identity }),
  })
  return Object.keys(found).length > 0
}

/** Fetches; what went wrong, where something did. */
async function fetchAll(wanted: Wanted, comments: string[]): Promise<string | undefined> {
  const { repository, name, remoteRev: rev } = wanted
  try {
    if (await fetchRefs(wanted)) comments.push(`${name} was fetched, resulting in updated refs`)
  } catch (error) {
    return `Fetch failed. Set 'force_fetch' to True to force the fetch if the failure was due to not being able to fast-forward. Output of the fetch command follows:\n\n${stripped(messageOf(error))}`
  }
  if (rev.id === undefined || (await repository.ask('rev_parse', { rev: `${rev.id}^{commit}` })) !== undefined)
    return undefined
  return `Fetch did not successfully retrieve rev '${rev.rev}' from ${name}: it is not among what was fetched`
}

async function changeBranch(
  { repository, remoteRev: rev, args }: Wanted,
  clone: Clone,
  branch: string,
  comments: string[],
): Promise<void> {
  const isNew = !clone.branches.includes(branch)
  const from = isNew ? (rev.rev === 'HEAD' ? (rev.id ?? '') : rev.upstream || rev.rev) : branch
  await repository.run('checkout', { rev: from, force: args.is('force_checkout'), opts: isNew ? ['-b', branch] : [] })
  if (isNew) comments.push(`New branch '${branch}' was checked out, with ${rev.location} as a starting point`)
  else comments.push(`'${from}' was checked out`)
}

interface Move {
  readonly forward: boolean | undefined
  readonly plan: ReturnType<typeof trackingPlan>
}

/** Moves the branch to the commit and has it follow the right one. */
async function moved(
  ret: StateReturn,
  wanted: Wanted,
  clone: Clone,
  { forward, plan }: Move,
  comments: string[],
): Promise<StateReturn | undefined> {
  const { repository, remoteRev: rev, branch, args } = wanted
  if (forward === false) {
    await repository.run('reset', { opts: ['--hard', rev.id ?? ''] })
    ret.changes['forced update'] = true
    if (clone.dirty) comments.push('Uncommitted changes were discarded')
    comments.push(`Repository was hard-reset to ${rev.location}`)
  } else if (clone.dirty && args.value('force_reset') !== false) {
    await repository.run('discard_local_changes')
    comments.push('Uncommitted changes were discarded')
  }
  if (plan !== undefined && (branch === undefined || clone.branches.includes(branch))) {
    await repository.run('branch', { opts: [...plan.opts] })
    comments.push(`Tracking branch was ${plan.words}`)
  }
  if (forward !== true || isRev(clone.baseId, rev)) return undefined
  if (rev.upstream || rev.rev === 'HEAD') {
    const head = await repository.ask('symbolic_ref', { ref: 'HEAD', opts: ['--quiet'] })
    if (head === undefined || head === '') return fail(ret, 'Unable to fast-forward, HEAD is detached', comments)
    await repository.run('merge', { rev: rev.id ?? '', opts: ['--ff-only'] })
    comments.push(`Repository was fast-forwarded to ${rev.location}`)
  } else {
    await repository.run('reset', { opts: ['--hard', rev.rev] })
    comments.push(`Repository was reset to ${rev.rev} (fast-forward)`)
  }
  return undefined
}

async function fetchedBare(
  ret: StateReturn,
  wanted: Wanted,
  comments: string[],
  call: StateCall,
): Promise<StateReturn> {
  const { target, repository } = wanted
  if (call.test) return upToDate(ret, target, [`Bare repository at ${target} would be fetched`], true)
  const before = await repository.ask('revision')
  const news = (await fetchRefs(wanted)) ? ', resulting in updated refs' : ''
  comments.push(`Bare repository at ${target} was fetched${news}`)
  const now = await repository.ask('revision')
  if (before === now) return upToDate(ret, target, comments, false)
  return {
    ...ret,
    comment: sentences(comments),
    changes: { ...ret.changes, revision: { old: before ?? null, new: now ?? null } },
  }
}
