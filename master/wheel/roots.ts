// The wheels `file_roots` and `pillar_roots`: the files minions get, and those their pillar is made of, read and written.
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { RootsFiles } from '../ports.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { wheelDoc } from './wheel-doc.ts'

/** Functions of one of the two. A path outside of its root is neither found nor written by any of them. */
export function rootsWheel(name: 'file_roots' | 'pillar_roots', files: RootsFiles): Record<string, MasterFunction> {
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
    if (!(await files.envs()).includes(saltenv)) return {}
    const [listed, { directories, links }] = await Promise.all([files.list(saltenv), files.tree(saltenv)])
    const tree: Mapping = {}
    for (const path of [...directories, ...Object.keys(links)]) place(tree, path.split('/'), {})
    for (const { path } of listed) place(tree, path.split('/'), 'f')
    return { [name]: tree }
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
      async ({ named }) => environment(pythonStr(named.saltenv ?? 'base')),
    ),
    [`${name}.list_roots`]: look([], 'Return all of the file names in all environments', 'list_roots', async () => {
      const all: Mapping = {}
      for (const saltenv of await files.envs()) all[saltenv] = [await environment(saltenv)]
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
    [`${name}.write`]: {
      signature: {
        params: [
          { name: 'data' },
          { name: 'path' },
          { name: 'saltenv', default: 'base' },
          { name: 'index', default: 0 },
        ],
      },
      doc: wheelDoc(
        `Write a text file, below the first root of an environment or the one of that index. On AWS it stays until the
    next deployment, which brings its own files`,
        `${name}.write 'base: {}' top.sls`,
      ),
      idempotent: true,
      run: async ({ named }) => written(name, files, named),
    },
  }
}

/** Salt's words for how it went. */
async function written(name: string, files: RootsFiles, named: Readonly<Record<string, Value>>): Promise<string> {
  const path = pythonStr(named.path ?? '')
  const saltenv = pythonStr(named.saltenv ?? 'base')
  const index = Number(pythonStr(named.index ?? 0))
  if (!Number.isInteger(index)) throw new RunError(`index is no number: ${pythonStr(named.index ?? null)}`)
  const bytes = new TextEncoder().encode(pythonStr(named.data ?? ''))
  const { kind } = await files.write(saltenv, path, bytes, index)
  switch (kind) {
    case 'written':
      return `Wrote data to file ${path}`
    case 'no-environment':
      return `Named environment ${saltenv} is not present`
    case 'no-root':
      return `Specified index ${index} in environment ${saltenv} is not present`
    case 'outside':
      if (path.startsWith('/')) return `The path passed in ${path} is not relative to the environment ${saltenv}`
      return name === 'file_roots' ? `Invalid path: ${path}` : 'Invalid path'
  }
}

function place(tree: Mapping, [first = '', ...rest]: readonly string[], leaf: Value): void {
  if (rest.length === 0) tree[first] = leaf
  else {
    const there = tree[first]
    const below = typeof there === 'object' && there !== null ? (there as Mapping) : {}
    tree[first] = below
    place(below, rest, leaf)
  }
}

/** No NUL in what a look at it shows. */
function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 8192).includes(0)
}
