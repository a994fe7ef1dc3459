// The functions of `pkg` about the places packages come from, and the keys these are signed by.
import { pythonStr, type Value } from '../../core/value/index.ts'
import { addKey, removeKey, repositoryKeys } from '../packages/repositories/apt-keys.ts'
import { hasKeys, repositoriesOf } from '../packages/repositories/of-machine.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError, SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'

function refuseKeys(call: Call): void {
  if (!hasKeys(call)) throw new CommandExecutionError('Repo key management is not implemented for this platform')
}

async function deleteKey(args: Arguments, call: Call): Promise<Value> {
  refuseKeys(call)
  const keyid = args.keywords.keyid ?? null
  if (args.keywords.keyid_ppa === true) {
    if (!args.text('name').startsWith('ppa:')) throw new SaltInvocationError('keyid_ppa requires that a PPA be passed')
    throw new CommandExecutionError('The key of a PPA is not looked up on Launchpad: pass its id as keyid.')
  }
  if (keyid === null) throw new SaltInvocationError('keyid or keyid_ppa and PPA name must be passed')
  return removeKey(call, pythonStr(keyid), args.is('aptkey'), args.textIfAny('keydir'))
}

const whichDoc = `

A repository of apt is named by its whole line, \`\`deb [signed-by=/etc/apt/keyrings/a.gpg] https://example.org/apt stable main\`\`, whether it stands in a \`\`.list\`\` or in a \`\`.sources\`\` file. One of dnf is named by the name of its section.`

const readOnly = { readOnly: true }

/** What they are called by. */
export const repositoryFunctions: Readonly<Record<string, ExecutionFunction>> = {
  list_repos: define(
    '**kwargs',
    `List the repositories, those that are disabled too: of apt by their places, of dnf by their names.

basedir
    The directories dnf's repositories are in. Default: those of the minion's option \`\`pkg.repos_directory\`\`, else of dnf's configuration; apt's are in \`\`pkg.apt_directory\`\`, else in /etc/apt.${examples("brine '*' pkg.list_repos", "brine '*' pkg.list_repos basedir=/path/to/dir")}`,
    (args, call) => repositoriesOf(call).list(call, args.cleanKeywords),
    readOnly,
  ),
  get_repo: define(
    'repo, **kwargs',
    `Return what is known of a repository, nothing of one that is not there.${whichDoc}${examples("brine '*' pkg.get_repo 'deb http://deb.debian.org/debian trixie main'", "brine '*' pkg.get_repo myrepo basedir=/path/to/dir")}`,
    (args, call) => repositoriesOf(call).get(call, args.text('repo'), args.cleanKeywords),
    readOnly,
  ),
  mod_repo: define(
    "repo, saltenv='base', aptkey=True, **kwargs",
    `Add a repository or change it. Returns what it is then.${whichDoc}

file
    The file it stands in, of apt. One that ends with \`\`.sources\`\` has paragraphs instead of lines.
comps, architectures, disabled, enabled, dist, comments
    Instead of what the line says, of apt.
refresh
    False does not fetch the package lists. Default: True
key_url, key_text, keyid, keyserver
    The key it is signed by: fetched, given, or from a server. Without apt-key it goes to where \`\`signed-by\`\` of the line says.
name, baseurl, mirrorlist, enabled, gpgcheck, comments, …
    The options of a section, of dnf. An empty one is removed.${examples("brine '*' pkg.mod_repo 'deb [signed-by=/etc/apt/keyrings/a.gpg] https://example.org/apt stable main' file=/etc/apt/sources.list.d/a.list key_url=https://example.org/a.asc", "brine '*' pkg.mod_repo myrepo name='My repository' baseurl=http://myurl.example.org enabled=1 gpgcheck=1")}`,
    (args, call) => {
      const words = { ...args.cleanKeywords, saltenv: args.value('saltenv'), aptkey: args.value('aptkey') }
      return repositoriesOf(call).modify(call, args.text('repo'), words)
    },
  ),
  del_repo: define(
    'repo, **kwargs',
    `Remove a repository, and its file where nothing else is in it.${whichDoc}${examples("brine '*' pkg.del_repo 'deb http://deb.debian.org/debian trixie main'", "brine '*' pkg.del_repo myrepo")}`,
    (args, call) => repositoriesOf(call).remove(call, args.text('repo'), args.cleanKeywords),
  ),
  get_repo_keys: define(
    'aptkey=True, keydir=None',
    `Return the keys of apt's repositories by their ids, as apt-key knows them, or of the files in a directory where there is no apt-key.

aptkey
    False: of the files.
keydir
    The directory. Default: /etc/apt/keyrings${examples("brine '*' pkg.get_repo_keys", "brine '*' pkg.get_repo_keys aptkey=False")}`,
    (args, call) => {
      refuseKeys(call)
      return repositoryKeys(call, { aptkey: args.is('aptkey'), keydir: args.textIfAny('keydir') })
    },
    readOnly,
  ),
  add_repo_key: define(
    "path=None, text=None, keyserver=None, keyid=None, saltenv='base', aptkey=True, keydir=None, keyfile=None",
    `Add a key of apt's repositories. Returns whether it is there.

path
    A path or URL of the key.
text
    The key itself, for apt-key.
keyserver, keyid
    A server and the id of a key on it.
aptkey
    False: put it into a directory, where repositories name it by \`\`signed-by\`\`; so it is where there is no apt-key.
keydir, keyfile
    That directory and the name there. A name that ends with \`\`.asc\`\` keeps a key as text. Default: /etc/apt/keyrings${examples("brine '*' pkg.add_repo_key 'salt://apt/sources/test.key' aptkey=False keyfile=test.gpg", "brine '*' pkg.add_repo_key keyserver='keyserver.example.org' keyid='0000AAAA'")}`,
    (args, call) => {
      refuseKeys(call)
      return addKey(call, {
        path: args.textIfAny('path'),
        text: args.textIfAny('text'),
        keyserver: args.textIfAny('keyserver'),
        keyid: args.textIfAny('keyid'),
        saltenv: args.textIfAny('saltenv'),
        aptkey: args.is('aptkey'),
        keydir: args.textIfAny('keydir'),
        keyfile: args.textIfAny('keyfile'),
      })
    },
  ),
  del_repo_key: define(
    'name=None, aptkey=True, keydir=None, **kwargs',
    `Remove a key of apt's repositories. Returns its id.

keyid
    The last 8 or 16 digits of it.
aptkey, keydir
    As in pkg.add_repo_key.${examples("brine '*' pkg.del_repo_key keyid=0123ABCD", "brine '*' pkg.del_repo_key keyid=0123ABCD aptkey=False")}`,
    deleteKey,
  ),
}
