// The `fileserver` runner: the environments and files that minions can fetch.
import { pythonStr, type Value } from '../../core/value/index.ts'
import type { FileStore } from '../ports.ts'
import type { MasterFunction } from '../run.ts'
import { readOnly } from './read-only.ts'

/** Functions of the `fileserver` runner. */
export function fileserverRunner(files: FileStore): Record<string, MasterFunction> {
  const params = [
    { name: 'saltenv', default: 'base' },
    { name: 'backend', default: null },
  ]
  const pathsOf = async (saltenv: Value | undefined): Promise<string[]> =>
    (await files.list(pythonStr(saltenv ?? 'base'))).map(({ path }) => path).sort()

  return {
    'fileserver.envs': readOnly(
      [
        { name: 'backend', default: null },
        { name: 'sources', default: false },
      ],
      'Return the environments there are.',
      ['fileserver.envs'],
      async () => [...(await files.envs())].sort(),
    ),
    'fileserver.file_list': readOnly(
      params,
      'Return the files of an environment.',
      ['fileserver.file_list', 'fileserver.file_list saltenv=prod'],
      async ({ named }) => pathsOf(named.saltenv),
    ),
    'fileserver.dir_list': readOnly(
      params,
      'Return the directories of an environment.',
      ['fileserver.dir_list saltenv=prod'],
      async ({ named }) => directoriesOf(await pathsOf(named.saltenv)),
    ),
  }
}

/** Every directory above a file, and the root. */
function directoriesOf(paths: readonly string[]): string[] {
  const directories = new Set<string>(['.'])
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1)
    for (const [index] of parts.entries()) directories.add(parts.slice(0, index + 1).join('/'))
  }
  return [...directories].sort()
}
