// The state tree as a compiler sees it: which SLS files there are, and their text.

/** The files of the environments. Every method may throw what makes the caller answer and start again. */
export interface StateFiles {
  /** The environments there are; `base` need not be among them. */
  readonly environments: () => readonly string[]
  /** The paths of an environment's files, below its root and without a slash in front. */
  readonly paths: (env: string) => readonly string[]
  /** The text of a file, `undefined` where there is none. */
  readonly read: (path: string, env: string) => string | undefined
}

/** An SLS file that was found. */
export interface SlsFile {
  readonly sls: string
  readonly env: string
  readonly path: string
  readonly text: string
}

/** The file of an SLS name: `a.b` is `a/b.sls`, else `a/b/init.sls`. `undefined` where there is neither. */
export function findSls(files: StateFiles, sls: string, env: string): SlsFile | undefined {
  const stem = sls.replaceAll('.', '/')
  for (const path of [`${stem}.sls`, `${stem}/init.sls`]) {
    const text = files.read(path, env)
    if (text !== undefined) return { sls, env, path, text }
  }
  return undefined
}

/** The names of an environment's SLS files, sorted, as Salt's `cp.list_states` says them. */
export function listSls(files: StateFiles, env: string): readonly string[] {
  const names = new Set<string>()
  for (const path of files.paths(env)) {
    if (!path.endsWith('.sls')) continue
    names.add(path.replaceAll('/', '.').slice(0, path.endsWith('/init.sls') ? -9 : -4))
  }
  return [...names].sort()
}

/** {@link StateFiles} whose lists are asked for once, with the names of the SLS files at hand. */
export class StateTree {
  readonly #files: StateFiles
  readonly #names = new Map<string, readonly string[]>()
  #environments: ReadonlySet<string> | undefined

  constructor(files: StateFiles) {
    this.#files = files
  }

  /** Whether there is such an environment; `base` always is. */
  hasEnvironment(env: string): boolean {
    if (env === 'base') return true
    this.#environments ??= new Set(this.#files.environments())
    return this.#environments.has(env)
  }

  /** The names of an environment's SLS files. */
  names(env: string): readonly string[] {
    const known = this.#names.get(env)
    if (known !== undefined) return known
    const names = listSls(this.#files, env)
    this.#names.set(env, names)
    return names
  }

  /** The file of an SLS name. */
  find(sls: string, env: string): SlsFile | undefined {
    return findSls(this.#files, sls, env)
  }
}
