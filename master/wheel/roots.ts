// The wheels `file_roots` and `pillar_roots`: the files minions get, and those their pillar is made of, looked at.
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { FileStore } from '../ports.ts'
import type { MasterFunction } from '../run.ts'
import { wheelDoc } from './wheel-doc.ts'

type Files = Pick<FileStore, 'envs' | 'list' | 'read'>

/** Functions of one of the two. A path outside of its root is found by none of them. */
export function rootsWheel(name: 'file_roots' | 'pillar_roots', files: Files): Record<string, MasterFunction> {
  const look = (
    params: readonly string[],
    what: string,
    example: string,
    run: MasterFunction['run'],
  ): MasterFunction => ({
    signature: {
      params: params.map((param) => (param === 'saltenv' ? { name: param, default: 'base' } : { name: param })),
    },
    doc: wheelDoc(what, `${name}.${example}`),
    readOnly: true,
    idempotent: true,
    run,
  })

  const found = async (path: Value | undefined, saltenv: Value | undefined): Promise<[string, Uint8Array][]> => {
    const wanted = pythonStr(path ?? '')
    const bytes = await files.read(pythonStr(saltenv ?? 'base'), wanted)
    return bytes === undefined ? [] : [[wanted, bytes]]
  }

  const environment = async (saltenv: string): Promise<Mapping> => {
    const tree: Mapping = {}
    for (const { path } of await files.list(saltenv)) place(tree, path.split('/'))
    return tree
  }

  return {
    [`${name}.find`]: look(
      ['path', 'saltenv'],
      'Return whether there is a file, and whether it is text',
      'find top.sls',
      async ({ named }) =>
        (await found(named.path, named.saltenv)).map(([path, bytes]) => ({ [path]: isText(bytes) ? 'txt' : 'bin' })),
    ),
    [`${name}.list_env`]: look(
      ['saltenv'],
      'Return all of the file paths found in an environment',
      'list_env base',
      async ({ named }) => ({
        [name]: await environment(pythonStr(named.saltenv ?? 'base')),
      }),
    ),
    [`${name}.list_roots`]: look([], 'Return all of the file names in all environments', 'list_roots', async () => {
      const all: Mapping = {}
      for (const saltenv of await files.envs()) all[saltenv] = [{ [name]: await environment(saltenv) }]
      return all
    }),
    [`${name}.read`]: look(
      ['path', 'saltenv'],
      'Read a text file; one that is not text is left out',
      'read top.sls',
      async ({ named }) =>
        (await found(named.path, named.saltenv))
          .filter(([, bytes]) => isText(bytes))
          .map(([path, bytes]) => ({ [path]: new TextDecoder().decode(bytes) })),
    ),
  }
}

function place(tree: Mapping, [first = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) tree[first] = 'f'
  else {
    const below = (tree[first] ?? {}) as Mapping
    tree[first] = below
    place(below, rest)
  }
}

/** No NUL in what a look at it shows. */
function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 8192).includes(0)
}
