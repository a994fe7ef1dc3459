// What goes between a repository of the minion and others.
import { mkdir } from 'node:fs/promises'
import type { Mapping, Value } from '../../../core/value/index.ts'
import { exists } from '../../filesystem/paths.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { said, tailDoc } from './local.ts'
import { git, listOf, optionsOf, placeOf, redacted, withLogin, wordsOf } from './run.ts'

const opts = (args: Arguments): string[] => wordsOf(args.value('opts'))
const login = 'https_user=None, https_pass=None, '
const keyed = 'user=None, password=None, identity=None, '
const end = "ignore_retcode=False, saltenv='base', output_encoding=None"
const asking = { readOnly: true }

const keyDoc = `
identity
    A private key, or a list of them: a path or \`\`salt://…\`\`.
https_user, https_pass
    For repositories over HTTPS.`

async function clone(args: Arguments, call: Call): Promise<boolean> {
  const cwd = await placeOf(args)
  const url = args.textIfAny('url')
  if (url === undefined) throw new SaltInvocationError("Missing 'url' argument")
  const from = withLogin(url, args.value('https_user'), args.value('https_pass'))
  const name = args.textIfAny('name')
  if (name !== undefined && !(await exists(cwd))) await mkdir(cwd, { recursive: true })
  const words = [...wordsOf(args.value('git_opts')), 'clone', ...opts(args), '--', from, name ?? cwd]
  await git(words, { ...optionsOf(args), cwd: name === undefined ? '/tmp' : cwd }, call)
  return true
}

const update = /^[\s*]*(?:([0-9a-f]+)\.\.([0-9a-f]+)|\[(?:new (tag|branch)|tag update)\])\s+(.+)->/

/** What a fetch brought: new tags and branches, updated ones. */
function fetched(out: string): Mapping {
  const lists: Record<string, string[]> = {}
  const updated: Mapping = {}
  for (const line of out.split('\n')) {
    const found = update.exec(line)
    if (found === null) continue
    const [, old, fresh, kind, ref = ''] = found
    const name = ref.trimEnd()
    const key = kind === undefined ? 'updated tags' : kind === 'tag' ? 'new tags' : 'new branches'
    if (old !== undefined && fresh !== undefined) updated[name] = { old, new: fresh }
    else lists[key] = [...(lists[key] ?? []), name]
  }
  return { ...lists, ...(Object.keys(updated).length === 0 ? {} : { 'updated branches': updated }) }
}

async function fetch(args: Arguments, call: Call): Promise<Mapping> {
  const remote = args.textIfAny('remote')
  const words = [
    'fetch',
    ...(args.is('force') ? ['--force'] : []),
    ...opts(args).filter((word) => word !== '-f' && word !== '--force'),
    ...(remote === undefined ? [] : [remote]),
    ...listOf(args.value('refspecs')),
  ]
  return fetched(await said(words, args, call, { redirectStderr: true }))
}

/** Ids by their refs. */
function refsIn(out: string): Mapping {
  const found: Mapping = {}
  for (const line of out.split('\n')) {
    const [, id, ref] = /^(\S+)\s+(.+)$/.exec(line.trim()) ?? []
    if (id !== undefined && ref !== undefined) found[ref] = id
  }
  return found
}

async function lsRemote(args: Arguments, call: Call): Promise<Mapping> {
  const remote = withLogin(args.text('remote'), args.value('https_user'), args.value('https_pass'))
  const ref = args.textIfAny('ref')
  const place = args.value('cwd') === null ? {} : { cwd: await placeOf(args) }
  const words = [
    ...wordsOf(args.value('git_opts')),
    'ls-remote',
    ...opts(args),
    remote,
    ...(ref === undefined ? [] : [ref]),
  ]
  return refsIn((await git(words, { ...optionsOf(args), ...place }, call)).stdout)
}

async function remoteRefs(args: Arguments, call: Call): Promise<Mapping> {
  const url = withLogin(args.text('url'), args.value('https_user'), args.value('https_pass'))
  const filter = args.keywords.filter ?? null
  const flags = ['heads', 'tags'].filter((name) => args.is(name)).map((name) => `--${name}`)
  const words = ['ls-remote', ...flags, url, ...(typeof filter === 'string' && filter !== '' ? [filter] : [])]
  return refsIn((await git(words, optionsOf(args), call)).stdout)
}

async function remotes(args: Arguments, call: Call): Promise<Record<string, Mapping>> {
  const out = await said(['remote', '--verbose'], args, call)
  const found: Record<string, Mapping> = {}
  for (const line of out.split('\n')) {
    const [, name, url, action] = /^(\S+)\s+(.+?)\s+\((fetch|push)\)/.exec(line) ?? []
    if (name === undefined || url === undefined || action === undefined) continue
    found[name] = { ...found[name], [action]: args.value('redact_auth') === false ? url : redacted(url) }
  }
  return found
}

async function remoteGet(args: Arguments, call: Call): Promise<Mapping> {
  const name = args.text('remote')
  const found = (await remotes(args, call))[name]
  if (found !== undefined) return found
  throw new CommandExecutionError(`Remote '${name}' not present in git checkout located at ${await placeOf(args)}`)
}

async function remoteSet(args: Arguments, call: Call): Promise<Mapping> {
  const name = args.text('remote')
  const run = (...words: string[]) => said(words, args, call)
  const url = withLogin(args.text('url'), args.value('https_user'), args.value('https_pass'))
  if (name in (await remotes(args, call))) await run('remote', 'rm', name)
  await run('remote', 'add', name, url)
  const push = args.textIfAny('push_url')
  if (push !== undefined) {
    const to = withLogin(push, args.value('push_https_user'), args.value('push_https_pass'))
    await run('remote', 'set-url', '--push', name, to)
  }
  return remoteGet(args, call)
}

async function submodule(args: Arguments, call: Call): Promise<Value> {
  if (args.keywords.init !== undefined) {
    throw new SaltInvocationError(
      "The 'init' argument is no longer supported. Either set 'command' to 'init', or include '--init' in the 'opts' argument and set 'command' to 'update'.",
    )
  }
  return said(['submodule', args.text('command'), ...opts(args)], args, call)
}

const withOpts = "opts='', git_opts='', "

/** The functions, by their names. */
export const remote: Readonly<Record<string, ExecutionFunction>> = {
  clone: define(
    `cwd, url=None, name=None, ${withOpts}${keyed}${login}${end}`,
    `Clone a repository to a place, or with \`\`name\`\` into a directory of that name there.
${tailDoc}${keyDoc}${examples('brine myminion git.clone /path/to/repo_parent_dir git://github.com/saltstack/salt.git')}`,
    clone,
  ),
  fetch: define(
    `cwd, remote=None, force=False, refspecs=None, ${withOpts}${keyed}${end}`,
    `Fetch from a remote; returns what is new and what was updated.

refspecs
    What to fetch, a list.
force
    Although it is no fast-forward.${tailDoc}${keyDoc}${examples('brine myminion git.fetch /path/to/repo upstream', 'brine myminion git.fetch /path/to/repo identity=/root/.ssh/id_rsa')}`,
    fetch,
  ),
  pull: define(
    `cwd, ${withOpts}${keyed}${end}`,
    `Pull from a remote.
${tailDoc}${keyDoc}${examples("brine myminion git.pull /path/to/repo opts='--rebase origin master'")}`,
    (args, call) => said(['pull', ...opts(args)], args, call),
  ),
  push: define(
    `cwd, remote=None, ref=None, ${withOpts}${keyed}${end}`,
    `Push to a remote.
${tailDoc}${keyDoc}${examples('brine myminion git.push /path/to/repo origin master')}`,
    (args, call) => {
      const to = ['remote', 'ref'].map((name) => args.textIfAny(name)).filter((word) => word !== undefined)
      return said(['push', ...opts(args), ...to], args, call)
    },
  ),
  ls_remote: define(
    `cwd=None, remote='origin', ref=None, ${withOpts}${keyed}${login}${end}`,
    `Return the refs of a remote with their ids.

ref
    Only those it matches.${tailDoc}${keyDoc}${examples('brine myminion git.ls_remote /path/to/repo origin master', 'brine myminion git.ls_remote remote=https://mydomain.tld/repo.git opts=--heads')}`,
    lsRemote,
    asking,
  ),
  remote_refs: define(
    `url, heads=False, tags=False, ${keyed}${login}${end}, **kwargs`,
    `Return the refs of a repository with their ids.

heads, tags, filter
    Only branches; only tags; only what a pattern matches.${keyDoc}${examples('brine myminion git.remote_refs https://github.com/saltstack/salt.git filter=develop')}`,
    remoteRefs,
    asking,
  ),
  remotes: define(
    'cwd, user=None, password=None, redact_auth=True, ignore_retcode=False, output_encoding=None',
    `Return the remotes with the URLs they fetch from and push to.

redact_auth
    False: passwords too.${examples('brine myminion git.remotes /path/to/repo')}`,
    remotes,
    asking,
  ),
  remote_get: define(
    "cwd, remote='origin', user=None, password=None, redact_auth=True, ignore_retcode=False, output_encoding=None",
    `Return the URLs of a remote.${examples('brine myminion git.remote_get /path/to/repo upstream')}`,
    remoteGet,
    asking,
  ),
  remote_set: define(
    `cwd, url, remote='origin', user=None, password=None, ${login}push_url=None, push_https_user=None, push_https_pass=None, ignore_retcode=False, output_encoding=None`,
    `Set the URLs of a remote, which is made where it is not there.${keyDoc}${examples('brine myminion git.remote_set /path/to/repo git@github.com:user/repo.git remote=upstream')}`,
    remoteSet,
  ),
  submodule: define(
    `cwd, command, ${withOpts}${keyed}${end}, **kwargs`,
    `Run a command of git submodule.
${tailDoc}${keyDoc}${examples("brine myminion git.submodule /path/to/repo.git/sub/repo update opts='--init'")}`,
    submodule,
  ),
}
