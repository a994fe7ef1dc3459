// The `fileserver` runner: the environments and files that minions can fetch.
import { isList, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { FileStore, FileTree } from '../ports.ts'
import type { BoundArguments, MasterFunction } from '../run.ts'
import { readOnly } from './read-only.ts'

/** The one backend there is, as Salt calls it. */
const own = 'roots'

type Named = BoundArguments['named']

/** Functions of the `fileserver` runner. There is one backend, and nothing is cached: each list is read when it is asked for. */
export function fileserverRunner(files: FileStore): Record<string, MasterFunction> {
  const backend = { name: 'backend', default: null }
  const envOf = (named: Named): string => pythonStr(named.saltenv ?? 'base')

  const listing = (
    name: string,
    what: string,
    examples: readonly string[],
    list: (saltenv: string) => Promise<Value>,
    nothing: Value = [],
  ): Record<string, MasterFunction> => ({
    [`fileserver.${name}`]: readOnly(
      [{ name: 'saltenv', default: 'base' }, backend],
      what,
      examples.map((example) => `fileserver.${name}${example}`),
      async ({ named }) => (isMeant(named.backend) ? list(envOf(named)) : nothing),
    ),
  })
  const ofTree = (pick: (tree: FileTree) => Value) => async (saltenv: string) => pick(await files.tree(saltenv))

  const said = (
    name: string,
    what: string,
    answer: Value,
    params: readonly string[] = ['backend'],
  ): Record<string, MasterFunction> => ({
    [`fileserver.${name}`]: readOnly(
      params.map((param) => ({ name: param, default: null })),
      what,
      [`fileserver.${name}`],
      async () => answer,
      { varKwargs: name === 'update' },
    ),
  })

  return {
    'fileserver.envs': readOnly(
      [backend, { name: 'sources', default: false }],
      'Return the environments there are.',
      ['fileserver.envs', 'fileserver.envs backend=roots'],
      async ({ named }) => {
        if (!isMeant(named.backend)) return []
        // With `sources` Salt names the backends.
        return pythonTruth(named.sources ?? false) ? ['roots'] : [...(await files.envs())].sort()
      },
    ),
    ...listing('file_list', 'Return the files of an environment.', ['', ' saltenv=prod'], async (saltenv) =>
      (await files.list(saltenv)).map(({ path }) => path).sort(),
    ),
    ...listing(
      'dir_list',
      'Return the directories of an environment.',
      ['', ' saltenv=prod'],
      ofTree(({ directories }) => [...directories]),
    ),
    ...listing(
      'empty_dir_list',
      'Return the empty directories of an environment.',
      ['', ' saltenv=prod'],
      ofTree(({ empty }) => [...empty]),
    ),
    ...listing(
      'symlink_list',
      'Return the links of an environment, with what they say.',
      ['', ' saltenv=prod'],
      ofTree(({ links }) => ({ ...links })),
      {},
    ),
    ...said(
      'update',
      'Return True: the files are read whenever they are asked for, and there is nothing to update.',
      true,
    ),
    ...said(
      'clear_file_list_cache',
      'Return an empty map: lists of files are not cached, and there is nothing to clear.',
      {},
      ['saltenv', 'backend'],
    ),
    ...said('clear_cache', 'Say that no cache was cleared: there is none.', 'No cache was cleared'),
    ...said(
      'clear_lock',
      'Say that no locks were removed: updates that lock exist for git alone.',
      'No locks were removed',
      ['backend', 'remote'],
    ),
    ...said('lock', 'Say that no locks were set: updates that lock exist for git alone.', 'No locks were set', [
      'backend',
      'remote',
    ]),
  }
}

/** Names of backends, with commas or as a list; names after `-` are left out, unless one without it stands beside them. */
function isMeant(backend: Value | undefined): boolean {
  if (backend === undefined || backend === null) return true
  const names = (isList(backend) ? backend.map(pythonStr) : pythonStr(backend).split(',')).map((name) => name.trim())
  const wanted = names.filter((name) => !name.startsWith('-'))
  return wanted.length > 0 ? wanted.includes(own) : !names.includes(`-${own}`)
}
