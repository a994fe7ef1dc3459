// `git.detached`: a clone that is at a commit and on no branch.
import { readdir, rm } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { isMapping, type Mapping, pythonStr } from '../../../core/value/index.ts'
import { isDirectory, isRegularFile, joinPath } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import { withLogin } from '../../modules/git/run.ts'
import { defineState, type StateCall, type StateReturn, slsExample } from '../state-module.ts'
import { type Repository, repositoryAt, sentences, stripped } from './repository.ts'
import { fail, identityOf, wouldBe } from './wanted.ts'

/** What the state works on; `comments` grows with what was done. */
interface Work {
  readonly name: string
  readonly target: string
  readonly remote: string
  readonly rev: string
  readonly isHash: boolean
  readonly repository: Repository
  readonly login: Mapping
  readonly keys: Mapping
  readonly args: Arguments
  readonly call: StateCall
  readonly ret: StateReturn
  readonly comments: string[]
}

async function invalid(args: Arguments): Promise<string | undefined> {
  const unknown = Object.entries(args.cleanKeywords)
  if (unknown.length > 0)
    return `The following keyword arguments are not valid: ${unknown.map(([key, value]) => `${key}=${pythonStr(value)}`).join(', ')}`
  if (!args.is('rev')) return `'${args.text('rev')}' is not a valid value for the 'rev' argument`
  const target = args.text('target')
  if (!args.is('target')) return `'${args.text('rev')}' is not a valid value for the 'target' argument`
  if (!target.startsWith('/')) return `Target '${target}' is not an absolute path`
  if (await isRegularFile(target)) return `Target '${target}' exists and is a regular file, cannot proceed`
  return undefined
}

async function detached(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret: StateReturn = { name: args.value('name'), result: true, comment: '', changes: {} }
  const wrong = await invalid(args)
  if (wrong !== undefined) return fail(ret, wrong)
  const identity = await identityOf(args)
  if (typeof identity === 'string') return fail(ret, `${identity.charAt(0).toUpperCase()}${identity.slice(1)}`)
  const name = args.text('name')
  const login = args.given(['https_user', 'https_pass'])
  try {
    withLogin(name, login.https_user ?? null, login.https_pass ?? null)
  } catch (error) {
    return fail(ret, messageOf(error))
  }
  const target = args.text('target')
  const given = args.text('rev')
  const isHash = /^[0-9a-fA-F]{1,40}$/.test(given)
  const work: Work = {
    name,
    target,
    remote: args.text('remote'),
    rev: isHash ? given.toLowerCase() : given,
    isHash,
    repository: repositoryAt(target, args.given(['user', 'password']), call),
    login,
    keys: { ...identity },
    args,
    call,
    ret,
    comments: [],
  }
  return placed(work)
}

async function placed(work: Work): Promise<StateReturn> {
  const { target, repository, rev, isHash, args } = work
  const isThere = (await isDirectory(joinPath(target, '.git'))) || (await isWorktree(work))
  let before: string | null = null
  let hasHash = false
  if (isThere) {
    before = (await repository.ask('revision')) ?? null
    if (isHash) hasHash = (await repository.ask('describe', { rev })) !== undefined
    else {
      const stop = await pointed(work)
      if (stop !== undefined) return stop
    }
  } else {
    const stop = await cloned(work)
    if (stop !== undefined) return stop
  }
  if (!hasHash && args.value('fetch_remote') !== false) {
    const stop = await fetched(work)
    if (stop !== undefined) return stop
  }
  return checkedOut(work, before)
}

async function isWorktree({ target, repository }: Work): Promise<boolean> {
  return (await isDirectory(target)) && (await repository.run('is_worktree')) === true
}

/** The remote is the one that is named. */
async function pointed({
  name,
  remote,
  repository,
  login,
  call,
  ret,
  comments,
}: Work): Promise<StateReturn | undefined> {
  const known = (await repository.map('remotes', { redact_auth: false }))[remote]
  const fetch = isMapping(known) ? pythonStr(known.fetch ?? '') : undefined
  if (fetch?.includes(name) === true) return undefined
  if (call.test) return wouldBe(ret, `Remote ${remote} would be set to ${name}`)
  await repository.run('remote_set', { url: name, remote, ...login })
  comments.push(`Remote ${remote} updated from '${fetch ?? 'None'}' to '${name}'`)
  return undefined
}

async function cloned(work: Work): Promise<StateReturn | undefined> {
  const { name, target, remote, repository, login, keys, args, call, ret, comments } = work
  if (await isDirectory(target)) {
    const names = await readdir(target)
    if (args.is('force_clone')) {
      if (call.test)
        return wouldBe(
          ret,
          `Target directory ${target} exists. Since force_clone=True, the contents of ${target} would be deleted, and ${name} would be cloned into this directory.`,
        )
      for (const each of names) await rm(joinPath(target, each), { recursive: true, force: true })
      ret.changes['forced clone'] = true
    } else if (names.length > 0)
      return fail(
        ret,
        `Target '${target}' exists, is non-empty and is not a git repository. Set the 'force_clone' option to True to remove this directory's contents and proceed with cloning the remote repository`,
      )
  }
  if (call.test) return wouldBe(ret, `Repository ${name} would be cloned to ${target}`)
  const opts = ['--no-checkout', ...(remote === 'origin' ? [] : ['--origin', remote])]
  try {
    await repository.run('clone', { url: name, opts, ...keys, ...login, saltenv: call.env })
  } catch (error) {
    return fail(ret, stripped(messageOf(error)), comments)
  }
  comments.push(`${name} cloned to ${target}`)
  return undefined
}

async function fetched({ remote, repository, keys, call, ret, comments }: Work): Promise<StateReturn | undefined> {
  if (call.test) return wouldBe(ret, `Repository remote ${remote} would be fetched`)
  const refspecs = [`refs/heads/*:refs/remotes/${remote}/*`, '+refs/tags/*:refs/tags/*']
  try {
    const changed = await repository.map('fetch', { remote, force: true, refspecs, ...keys, saltenv: call.env })
    if (Object.keys(changed).length > 0) comments.push(`Remote ${remote} was fetched, resulting in updated refs`)
    return undefined
  } catch (error) {
    if (!(error instanceof CommandExecutionError)) throw error
    return fail(ret, `Fetch failed:\n\n${error.message}`, comments)
  }
}

/** The commit that is meant, or why there is none. */
async function commitOf(work: Work): Promise<{ id: string } | { words: string }> {
  const { rev, isHash, remote, repository, login, keys, target } = work
  if (isHash) {
    await repository.run('describe', { rev })
    return { id: rev }
  }
  try {
    const refs = await work.call.salt('git.remote_refs', [target], {
      ...work.args.given(['user', 'password']),
      ...keys,
      ...login,
    })
    const all = isMapping(refs) ? refs : {}
    const found = all[`refs/remotes/${remote}/${rev}`] ?? all[`refs/tags/${rev}`]
    return found === undefined ? { words: `Revision '${rev}' does not exist` } : { id: pythonStr(found) }
  } catch (error) {
    if (!(error instanceof CommandExecutionError)) throw error
    return { words: `Failed to list refs for ${remote}: ${stripped(error.message)}` }
  }
}

async function checkedOut(work: Work, before: string | null): Promise<StateReturn> {
  const { target, repository, args, call, ret, comments, keys } = work
  const commit = await commitOf(work)
  if ('words' in commit) return fail(ret, commit.words)
  if (args.is('hard_reset')) {
    if (call.test) return wouldBe(ret, `Hard reset to HEAD would be performed on ${target}`)
    await repository.run('reset', { opts: ['--hard', 'HEAD'] })
    comments.push('Repository was reset to HEAD before checking out revision')
  }
  let after: string | undefined
  if (commit.id !== before) {
    if (call.test) {
      ret.changes.HEAD = { old: before, new: commit.id }
      return wouldBe(ret, `Commit ID ${commit.id} would be checked out at ${target}`)
    }
    await repository.run('checkout', { rev: commit.id, force: args.value('force_checkout') })
    comments.push(`Commit ID ${commit.id} was checked out at ${target}`)
    after = await repository.ask('revision')
  }
  if (args.is('submodules')) {
    await repository.run('submodule', { command: 'update', opts: ['--init', '--recursive'], ...keys })
    comments.push('Submodules were updated')
  }
  if (after === undefined) comments.push('Already checked out at correct revision')
  else ret.changes.HEAD = { old: before, new: after }
  return { ...ret, comment: sentences(comments) }
}

/** `git.detached`. */
export const detachedState = defineState(
  "name, rev, target, remote='origin', user=None, password=None, force_clone=False, force_checkout=False, fetch_remote=True, hard_reset=False, submodules=False, identity=None, https_user=None, https_pass=None, output_encoding=None, **kwargs",
  `A repository is cloned, and a commit is checked out without a branch.

name, target, remote
    The remote's URL; where the clone is; the name of the remote.
rev
    A branch, a tag or a commit.
force_clone, force_checkout, hard_reset
    Empty the target first; discard local changes; reset the work tree to its commit first.
fetch_remote
    False: look only at what was fetched before.
submodules
    Update them too.
user, identity, https_user, https_pass
    Who runs git; private keys; for repositories over HTTPS.${slsExample(`
https://mydomain.tld/repo.git:
  git.detached:
    - rev: v1.2
    - target: /opt/repo`)}`,
  detached,
)
