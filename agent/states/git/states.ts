// `git.cloned`, `git.present`, `git.config_set` and `git.config_unset`.
import { readdir, rm } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { type Mapping, pythonRepr, pythonStr, type Value } from '../../../core/value/index.ts'
import { exists, isDirectory, isRegularFile, joinPath } from '../../filesystem/paths.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { defineState, type StateCall, type StateReturn, slsExample } from '../state-module.ts'
import { repositoryAt, sentences, stripped } from './repository.ts'
import { fail, wouldBe } from './wanted.ts'

const begin = (args: Arguments, result = true): StateReturn => ({
  name: args.value('name'),
  result,
  comment: '',
  changes: {},
})

async function cloned(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret = begin(args, false)
  if (args.value('target') === null) return { ...ret, comment: "'target' argument is required" }
  const [name, target] = [args.text('name'), args.text('target')]
  if (!target.startsWith('/')) return { ...ret, comment: "'target' path must be absolute" }
  if (args.value('branch') === '') return { ...ret, comment: "Invalid 'branch' argument" }
  const branch = args.textIfAny('branch')
  const repository = repositoryAt(target, args.given(['user', 'password']), call)
  const withBranch = branch === undefined ? '' : ` with branch '${branch}'`
  if (!(await exists(target))) {
    ret.changes.new = `${name} => ${target}`
    if (call.test) return wouldBe(ret, `${name} would be cloned to ${target}${withBranch}`)
    try {
      const keys = args.given(['identity', 'https_user', 'https_pass'])
      await repository.run('clone', {
        url: name,
        ...keys,
        ...(branch === undefined ? {} : { opts: ['--branch', branch] }),
      })
    } catch (error) {
      return fail({ ...ret, changes: {} }, `Clone failed: ${stripped(messageOf(error))}`)
    }
    return { ...ret, result: true, comment: `${name} cloned to ${target}${withBranch}` }
  }
  try {
    await repository.run('status')
  } catch (error) {
    return { ...ret, comment: messageOf(error) }
  }
  const out = branch === undefined ? '' : ` and is checked out to branch '${branch}'`
  const there: StateReturn = { ...ret, result: true, comment: `Repository already exists at ${target}${out}` }
  if (branch === undefined) return there
  const current = pythonStr(await repository.run('current_branch'))
  if (current === branch) return there
  ret.changes.branch = { old: current, new: branch }
  if (call.test) return wouldBe(ret, `Branch would be changed to '${branch}'`)
  const isLocal = (await repository.ask('rev_parse', { rev: branch })) !== undefined
  try {
    await repository.run('checkout', isLocal ? { rev: branch } : { rev: `origin/${branch}`, opts: ['-b', branch] })
  } catch (error) {
    return fail({ ...ret, changes: {} }, `Failed to change branch to '${branch}': ${messageOf(error)}`)
  }
  return { ...ret, result: true, comment: `Branch changed to '${branch}'` }
}

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret = begin(args)
  const name = args.text('name')
  const bare = args.is('bare')
  const kind = bare ? 'bare ' : ''
  const repository = repositoryAt(name, args.given(['user', 'password']), call)
  if (await isDirectory(name)) {
    const isThere = bare
      ? await isRegularFile(joinPath(name, 'HEAD'))
      : (await isDirectory(joinPath(name, '.git'))) || (await repository.run('is_worktree')) === true
    if (isThere) return ret
    if (args.is('force')) {
      ret.changes['forced init'] = true
      if (call.test) {
        ret.changes.new = name
        return wouldBe(
          ret,
          `Target directory ${name} exists. Since force=True, the contents of ${name} would be deleted, and a ${kind}repository would be initialized in its place.`,
        )
      }
      await rm(name, { recursive: true })
    } else if ((await readdir(name)).length > 0) {
      return fail(
        ret,
        `Target '${name}' exists, is non-empty, and is not a git repository. Set the 'force' option to True to remove this directory's contents and proceed with initializing a repository`,
      )
    }
  }
  ret.changes.new = name
  if (call.test) return wouldBe(ret, `New ${kind}repository would be created`)
  await repository.run('init', { bare, ...args.given(['template', 'separate_git_dir', 'shared']) })
  const actions = [
    `Initialized ${kind}repository in ${name}`,
    ...(args.is('template') ? [`Template directory set to ${args.text('template')}`] : []),
    ...(args.is('separate_git_dir') ? [`Gitdir set to ${args.text('separate_git_dir')}`] : []),
  ]
  return { ...ret, comment: sentences(actions) }
}

interface ConfigScope {
  readonly isGlobal: boolean
  readonly wrong?: string
}

function scopeOf(args: Arguments): ConfigScope {
  const isGlobal = args.keywords.global === true
  if (isGlobal || args.is('repo')) return { isGlobal }
  return { isGlobal, wrong: "Non-global config options require the 'repo' argument to be set" }
}

async function configSet(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret = begin(args)
  const [value, many] = [args.value('value'), args.value('multivar')]
  if (value !== null && many !== null) return fail(ret, "Only one of 'value' and 'multivar' is permitted")
  const { isGlobal, wrong } = scopeOf(args)
  if (wrong !== undefined) return fail(ret, wrong)
  const desired =
    value === null ? (Array.isArray(many) ? many : pythonStr(many).split(',')).map(pythonStr) : [pythonStr(value)]
  const key = args.text('name')
  const where = {
    ...args.given(['user', 'password']),
    global: isGlobal,
    ...(args.is('repo') ? { cwd: args.value('repo') } : {}),
  }
  const before = listOrNone(await call.salt('git.config_get', [key], { ...where, all: true, ignore_retcode: true }))
  const scope = isGlobal ? 'Global key ' : ''
  const single = value !== null
  const shown = single ? `'${desired[0]}'` : pythonRepr(desired)
  const isSame = (one: readonly string[] | null): boolean => one !== null && one.join('\n') === desired.join('\n')
  if (isSame(before)) return { ...ret, comment: `${scope}'${key}' is already set to ${shown}` }
  const verb = before === null ? 'added as' : 'set to'
  if (call.test) {
    return wouldBe({ ...ret, changes: { old: before, new: desired } }, `${scope}'${key}' would be ${verb} ${shown}`)
  }
  const problem = `Failed to set ${isGlobal ? 'global key ' : ''}'${key}' to ${shown}`
  let after: string[] | null
  try {
    after = listOrNone(
      await call.salt('git.config_set', [key], {
        ...where,
        ...(single ? { value: desired[0] ?? '' } : { multivar: desired }),
      }),
    )
  } catch (error) {
    return fail(ret, `${problem}: ${stripped(messageOf(error))}`)
  }
  const changes = { [key]: { old: before, new: after } }
  if (!isSame(after)) return fail({ ...ret, changes }, problem)
  return { ...ret, changes, comment: `${scope}'${key}' was ${verb} ${shown}` }
}

const listOrNone = (value: Value): string[] | null => (Array.isArray(value) ? value.map(pythonStr) : null)

async function configUnset(args: Arguments, call: StateCall): Promise<StateReturn> {
  const ret: StateReturn = { ...begin(args), comment: 'No matching keys are set' }
  const { isGlobal, wrong } = scopeOf(args)
  if (wrong !== undefined) return fail(ret, wrong)
  const where = {
    ...args.given(['user', 'password']),
    global: isGlobal,
    ...(args.is('repo') ? { cwd: args.value('repo') } : {}),
  }
  const regex = `^${args.text('name').replace(/^\^+/, '').replace(/\$+$/, '')}$`
  const values = args.given(['value_regex'])
  const read = async (more: Mapping): Promise<Record<string, string[]>> =>
    (await call.salt('git.config_get_regexp', [regex], { ...where, ...more, ignore_retcode: true })) as Record<
      string,
      string[]
    >
  const before = await read(values)
  if (Object.keys(before).length === 0) return ret
  const all = args.keywords.all === true
  const greedy = Object.entries(before).filter(([, found]) => found.length > 1)
  if (!all && greedy.length > 0) {
    const list = greedy.map(([key, found]) => `${key} (${found.join(', ')})`).join('; ')
    const by =
      'value_regex' in values
        ? 'Multiple values are matched by value_regex for the following keys'
        : 'Multivar(s) matched by the key expression'
    return fail(ret, `${by} (set 'all' to True to force removal): ${list}`)
  }
  if (call.test) {
    for (const [key, found] of Object.entries(before)) ret.changes[key] = found
    return wouldBe(ret, `${Object.keys(before).length} key(s) would have value(s) unset`)
  }
  const everything = 'value_regex' in values ? await read({}) : before
  const failures: string[] = []
  for (const key of Object.keys(before)) {
    try {
      await call.salt('git.config_unset', [args.text('name')], { ...where, ...values, all })
    } catch (error) {
      call.agent.outside.log.error(`Failed to unset '${key}': ${stripped(messageOf(error))}`)
      failures.push(key)
    }
  }
  if (failures.length > 0) {
    const list = failures.join(', ')
    return fail(
      ret,
      `Error(s) occurred unsetting values for the following keys (see the minion log for details): ${list}`,
    )
  }
  const after = await read({})
  for (const [key, found] of Object.entries(everything)) {
    const gone = found.filter((one) => after[key]?.includes(one) !== true)
    if (gone.length > 0) ret.changes[key] = gone
  }
  const left = Object.entries('value_regex' in values ? await read(values) : after)
  if (left.length > 0) {
    return fail(
      ret,
      `Failed to unset value(s): ${left.map(([key, found]) => `${key} (${found.join(', ')})`).join('; ')}`,
    )
  }
  return { ...ret, comment: 'Value(s) successfully unset' }
}

/** `git.cloned`. */
export const clonedState = defineState(
  'name, target=None, branch=None, user=None, password=None, identity=None, https_user=None, https_pass=None, output_encoding=None',
  `A repository is cloned; a clone that is there stays as it is, but for its branch.

name, target, branch
    The URL; where the clone is; which branch is checked out.
user, identity, https_user, https_pass
    Who runs git; private keys; for repositories over HTTPS.${slsExample(`
mycoolrepo:
  git.cloned:
    - name: https://mydomain.tld/repo.git
    - target: /opt/repo`)}`,
  cloned,
)

/** `git.present`. */
export const presentState = defineState(
  'name, force=False, bare=True, template=None, separate_git_dir=None, shared=None, user=None, password=None, output_encoding=None',
  `There is a repository, a bare one unless \`\`bare\`\` is False.

force
    Empty the directory first.
template, separate_git_dir, shared
    As git init understands them.${slsExample(`
/srv/git/web.git:
  git.present: []`)}`,
  present,
)

const scopeDoc = `repo, global
    The repository, or True for the user's configuration.
user
    Whose it is.`

/** `git.config_set`. */
export const configSetState = defineState(
  'name, value=None, multivar=None, repo=None, user=None, password=None, output_encoding=None, **kwargs',
  `A key of git's configuration has this value, or these.

value, multivar
    The value; a list of them.
${scopeDoc}${slsExample(`
user.email:
  git.config_set:
    - value: foo@bar.net
    - global: True`)}`,
  configSet,
)

/** `git.config_unset`. */
export const configUnsetState = defineState(
  'name, value_regex=None, repo=None, user=None, password=None, output_encoding=None, **kwargs',
  `A key of git's configuration is not set.

value_regex
    Only values it matches.
all
    True: all values of a key that has several.
${scopeDoc}${slsExample(`
foo.bar:
  git.config_unset:
    - repo: /path/to/repo
    - all: True`)}`,
  configUnset,
)
