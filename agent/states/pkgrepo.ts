// Salt's `pkgrepo` states: places packages come from.
import { writeFile } from 'node:fs/promises'
import { messageOf } from '../../core/error.ts'
import { isMapping, type Mapping, pythonEquals, pythonStr } from '../../core/value/index.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import type { Arguments } from '../modules/arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../modules/errors.ts'
import { isTrue } from '../packages/changes.ts'
import { hasKeys, repositoriesIfAny } from '../packages/repositories/of-machine.ts'
import type { Repositories } from '../packages/repositories/repositories.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

const unlike =
  'This may cause pkg states to behave differently than stated if this action is repeated without test=True, due to the differences in the configured repositories.'

/** Why the words do not fit together; undefined where they do. */
function refusal(words: Mapping): string | undefined {
  if ('repo' in words)
    return "'repo' is not a supported argument for this state. The 'name' argument is probably what was intended."
  if ((words.enabled ?? null) !== null && (words.disabled ?? null) !== null)
    return 'Only one of enabled/disabled is allowed'
  if (pythonStr(words.key_url ?? '').startsWith('http:') && words.allow_insecure_key === false)
    return "Cannot have 'key_url' using http with 'allow_insecure_key' set to True"
  return undefined
}

/** The words as the functions take them. */
function wordsOf(args: Arguments, call: StateCall): Mapping {
  const { enabled = null, disabled = null, allow_insecure_key: _, ...rest } = args.cleanKeywords
  const isEnabled = disabled === null ? isTrue(enabled ?? true) : !isTrue(disabled)
  if (hasKeys(call)) return { ...rest, aptkey: args.value('aptkey'), disabled: !isEnabled }
  const { humanname, ...others } = rest
  return { ...others, name: humanname ?? args.value('name'), enabled: isEnabled }
}

function differs(repos: Repositories, wanted: Mapping, told: Mapping, words: Mapping): boolean {
  return Object.keys(wanted).some((key) => {
    if (key === 'file') return false
    const verdict = repos.agrees(key, wanted, told, words)
    return verdict === undefined
      ? !(key in told) || pythonStr(wanted[key] ?? '') !== pythonStr(told[key] ?? '')
      : !verdict
  })
}

/** Whether a file that is to hold this repository alone holds anything else. */
async function holdsOthers(name: string, words: Mapping): Promise<boolean> {
  if (!isTrue(words.clean_file ?? false)) return false
  const lines = ((await readTextIfThere(pythonStr(words.file ?? ''))) ?? '').split('\n').map((line) => line.trim())
  return lines.some((line) => line !== '' && !line.startsWith('#') && line !== name.trim())
}

function changesIn(wanted: Mapping, now: Mapping, old: Mapping): Mapping {
  const changed = Object.keys(wanted).filter((key) => !pythonEquals(now[key] ?? null, old[key] ?? null))
  return Object.fromEntries(changed.map((key) => [key, { new: now[key] ?? null, old: old[key] ?? null }]))
}

async function managed(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const repos = repositoriesIfAny(call)
  if (repos === undefined) return wrong(name, 'Repo management not implemented on this platform')
  const refused = refusal(args.keywords)
  if (refused !== undefined) return wrong(name, refused)
  const words = wordsOf(args, call)
  const archive = args.textIfAny(hasKeys(call) ? 'ppa' : 'copr')
  const repo = archive === undefined ? name : `${hasKeys(call) ? 'ppa' : 'copr'}:${archive}`
  const before = await repos.get(call, repo, words)
  const isThere = Object.keys(before).length > 0
  const wanted = repos.wanted(call, repo, words)
  const isShared = isThere && (await holdsOthers(name, words))
  if (isThere && !isShared) {
    delete before.file
    delete wanted.file
    if (!differs(repos, wanted, before, words)) return fine(name, `Package repo '${name}' already configured`)
  }
  if (call.test)
    return would(
      name,
      `Package repo '${name}' would be configured. ${unlike}`,
      isThere ? changesIn(wanted, wanted, before) : { repo: name },
    )
  try {
    if (isTrue(words.clean_file ?? false)) await writeFile(pythonStr(words.file ?? ''), '')
    await repos.modify(call, repo, { ...words, saltenv: call.env })
  } catch (error) {
    return wrong(name, `Failed to configure repo '${name}': ${messageOf(error)}`)
  }
  const after = await repos.get(call, repo, words)
  return fine(name, `Configured package repo '${name}'`, isThere ? changesIn(wanted, after, before) : { repo })
}

async function absent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const given = args.cleanKeywords
  const repos = repositoriesIfAny(call)
  const archive = hasKeys(call) ? 'ppa' : 'copr'
  const alias = given[archive] === undefined ? undefined : pythonStr(given[archive])
  const name = alias === undefined ? args.text('name') : alias.startsWith(`${archive}:`) ? alias : `${archive}:${alias}`
  if (repos === undefined) return wrong(args.text('name'), 'Repo management not implemented on this platform')
  const removesKey = ['keyid', 'keyid_ppa'].some((key) => (given[key] ?? null) !== null)
  const told = (result: StateReturn): StateReturn => ({ ...result, name: args.text('name') })
  if (removesKey && !hasKeys(call)) return told(wrong(name, 'Repo key management is not implemented for this platform'))
  const repo = repos.plainName(name)
  const found = await repos.get(call, repo, given)
  if (Object.keys(found).length === 0 || !repos.means(repo, found))
    return told(fine(name, `Package repo ${name} is absent`))
  if (call.test) return told(would(name, `Package repo '${name}' will be removed. ${unlike}`))
  try {
    await repos.remove(call, repo, given)
  } catch (error) {
    if (error instanceof CommandExecutionError || error instanceof SaltInvocationError)
      return told(wrong(name, error.message))
    throw error
  }
  const left = await repos.list(call, given)
  if (isMapping(left) && repo in left) return told(wrong(name, `Failed to remove repo ${name}`))
  if (!removesKey) return told(fine(name, `Removed repo ${name}`, { repo: name }))
  try {
    const keyid = await call.salt('pkg.del_repo_key', [repo], given)
    return told(fine(name, `Removed repo ${name}, and keyid ${pythonStr(keyid)}`, { repo: name, keyid }))
  } catch (error) {
    return told(wrong(name, `Removed repo ${name}, but failed to remove key: ${messageOf(error)}`, { repo: name }))
  }
}

/** Salt's `pkgrepo` states. */
export const pkgrepo: StateModule = {
  name: 'pkgrepo',
  functions: {
    managed: defineState(
      'name, ppa=None, copr=None, aptkey=True, **kwargs',
      `A repository is there, and as it is said here.

name
    Of apt the whole line, of dnf the name of the section.
file
    The file it stands in, of apt: lines, or where its name ends with \`\`.sources\`\` paragraphs. Default: /etc/apt/sources.list; one that is there stays where it is.
enabled, disabled
    Whether packages are taken from it. Default: enabled
comps, architectures, dist, comments
    Instead of what the line says, of apt.
key_url, key_text, keyid, keyserver
    The key it is signed by. Without apt-key it goes to where \`\`signed-by\`\` of the line says.
allow_insecure_key
    False refuses a \`\`key_url\`\` without TLS.
clean_file
    The file holds nothing else.
refresh
    False does not fetch the package lists after a change.
ppa
    A personal archive on Launchpad, \`\`owner/name\`\`, where there is apt-add-repository.
humanname, baseurl, mirrorlist, gpgcheck, gpgkey, …
    The options of the section, of dnf.
copr
    A project on Copr, \`\`owner/name\`\`.${slsExample(`
docker:
  pkgrepo.managed:
    - name: deb [signed-by=/etc/apt/keyrings/docker.asc] https://download.docker.com/linux/debian trixie stable
    - file: /etc/apt/sources.list.d/docker.list
    - key_url: https://download.docker.com/linux/debian/gpg

myrepo:
  pkgrepo.managed:
    - humanname: My repository
    - baseurl: https://example.org/rpm
    - gpgcheck: 1`)}`,
      managed,
    ),
    absent: defineState(
      'name, **kwargs',
      `A repository is not there.

keyid
    Remove this key with it.
ppa, copr
    As in pkgrepo.managed.${slsExample(`
old:
  pkgrepo.absent:
    - name: deb http://old.example.org/debian trixie main`)}`,
      absent,
    ),
  },
}
