// Which files an `include` of an SLS file means.
import { tagGlob } from '../event/tag-glob.ts'
import { entries, isMap, pythonStr, type Value } from '../value/index.ts'
import type { SlsFile, StateTree } from './state-files.ts'

/** The files, or Salt's words for why there are none. */
export type Included =
  | { readonly kind: 'files'; readonly env: string; readonly names: readonly string[] }
  | { readonly kind: 'error'; readonly message: string }

/**
 * Resolves one item of the include of `file`: `name`, `.relative`, a glob, or `{env: name}`. `environments` are those
 * that take part in the run. A name that nothing has is kept, so that looking for it says so.
 */
export function resolveInclude(
  item: Value,
  file: SlsFile,
  tree: StateTree,
  environments: ReadonlySet<string>,
): Included {
  const [env, written] = isMap(item) ? lastPair(item) : [file.env, item]
  const where = `SLS '${file.env}:${file.sls}'`
  if (typeof written !== 'string') {
    return { kind: 'error', message: `Badly formatted include ${pythonStr(written)} found in include in ${where}` }
  }
  if (!tree.hasEnvironment(env)) {
    return { kind: 'error', message: `Nonexistent saltenv '${env}' found in include of '${written}' within ${where}` }
  }
  const name = written.startsWith('.') ? absolute(written, file) : written
  if (name === undefined) {
    const message = `Attempted relative include of '${written}' within ${where} goes beyond top level package `
    return { kind: 'error', message }
  }
  if (!environments.has(env) && matching(tree, env, name).length === 0) {
    const message = `Unknown include: Specified SLS ${env}: ${name} is not available on the salt master in saltenv(s): ${env} `
    return { kind: 'error', message }
  }
  // Salt expands a glob in the including file's environment, whichever one it asks for.
  const names = matching(tree, file.env, name)
  return { kind: 'files', env, names: names.length === 0 ? [name] : names }
}

function lastPair(map: Value): [string, Value] {
  const [env, name] = (isMap(map) ? entries(map).at(-1) : undefined) ?? ['', null]
  return [pythonStr(env), name]
}

/** One dot means the file's own folder, each further dot one above it; `undefined` above the root. */
function absolute(written: string, file: SlsFile): string | undefined {
  const [dots = ''] = /^\.+/.exec(written) ?? []
  const parts = file.sls.split('.')
  if (file.path.endsWith('/init.sls')) parts.push('init')
  if (dots.length > parts.length) return undefined
  return [...parts.slice(0, parts.length - dots.length), written.slice(dots.length)].join('.')
}

/** The names of an environment that a name or glob takes. */
export function matching(tree: StateTree, env: string, glob: string): readonly string[] {
  return tree.names(env).filter(tagGlob(glob))
}
