// A minion's pillar: the files its top files give it, rendered for it alone, merged into one map.
import { tagGlob } from '../event/tag-glob.ts'
import { findSls, type HighWorld, listSls, type SlsFile } from '../state/index.ts'
import { entries, get, isList, isMap, type Mapping, mapOf, pythonStr, type Value } from '../value/index.ts'
import type { Dict } from '../value/value.ts'
import { below, type Merging, mapOrNone, mergePillars } from './merge.ts'
import { guarded, matchPillarTop, type PillarMatches, type PillarTopOptions } from './top.ts'

/** What rendering needs of the outside; the files are those of `pillar_roots`. */
export interface PillarWorld extends Pick<HighWorld, 'files'> {
  /** The document of a file; `defaults` are further variables. It may be shared: it is not changed. */
  readonly render: (file: SlsFile, defaults: Mapping | Dict) => Value
}

/** How a pillar is compiled. */
export interface PillarOptions extends PillarTopOptions {
  readonly merging: Merging
  /** Do not tell the minion why a file failed. */
  readonly safeErrors: boolean
  /** The environments in the order in which they are merged. */
  readonly envOrder: readonly string[]
}

/** The pillar of the files, what the minion is told of their faults, and what the master's log is told besides. */
export interface FilePillar {
  readonly pillar: Mapping | Dict
  readonly errors: readonly string[]
  readonly faults: readonly string[]
}

/** Compiles it. Throws what is no fault of a file, such as a question that has to be answered first. */
export function compilePillar(world: PillarWorld, options: PillarOptions): FilePillar {
  const top = matchPillarTop({ files: world.files, render: (file) => world.render(file, {}) }, options)
  const rendering = new Rendering(world, options, top)
  let pillar: Mapping | Dict = {}
  for (const env of inOrder([...top.matches.keys()], options.envOrder)) {
    for (const part of rendering.environment(env, top.matches.get(env) ?? []))
      pillar = mergePillars(pillar, part, options.merging)
  }
  return { pillar, errors: [...rendering.errors, ...top.errors], faults: rendering.faults }
}

function inOrder(environments: readonly string[], order: readonly string[]): string[] {
  return [...new Set([...order.filter((env) => environments.includes(env)), ...environments])]
}

class Rendering {
  readonly errors: string[] = []
  readonly faults: string[] = []
  readonly #world: PillarWorld
  readonly #options: PillarOptions
  readonly #ignored: PillarMatches['ignored']

  constructor(world: PillarWorld, options: PillarOptions, { ignored }: PillarMatches) {
    this.#world = world
    this.#options = options
    this.#ignored = ignored
  }

  /** The pillars of an environment's files, in order. */
  environment(env: string, names: readonly string[]): (Mapping | Dict)[] {
    const there = listSls(this.#world.files, env)
    const files = names.flatMap((name) => {
      const found = there.filter(tagGlob(name))
      return found.length === 0 ? [name] : found
    })
    const known = new Map<string, Mapping | Dict | undefined>()
    return files.map((sls) => this.#file(sls, env, known, {})).filter((pillar) => pillar !== undefined)
  }

  #file(sls: string, env: string, known: Known, defaults: Mapping | Dict): Mapping | Dict | undefined {
    const file = findSls(this.#world.files, sls, env)
    if (file === undefined) {
      this.#missing(sls, env)
      return undefined
    }
    const document = file.text.trim() === '' ? {} : this.#document(file, defaults)
    known.set(sls, mapOrNone(document))
    if (document === undefined || document === null) return undefined
    if (!isMap(document)) {
      this.errors.push(`SLS '${sls}' does not render to a dictionary`)
      return undefined
    }
    const include = get(document, 'include')
    const own = mapOf(entries(document).filter(([key]) => key !== 'include'))
    known.set(sls, own)
    if (include === undefined) return own
    if (!isList(include)) {
      this.errors.push(`Include Declaration in SLS '${sls}' is not formed as a list`)
      return own
    }
    const included = include.flatMap((item) => this.#included(item, file, known))
    return [...included, own].reduce((merged, part) => mergePillars(merged, part, this.#options.merging))
  }

  #missing(sls: string, env: string): void {
    if (this.#ignored.get(env)?.has(sls) === true || !this.#options.environments.includes(env)) return
    this.errors.push(`Specified SLS '${sls}' in environment '${env}' is not available on the salt master`)
  }

  #document(file: SlsFile, defaults: Mapping | Dict): Value | undefined {
    return guarded(
      () => this.#world.render(file, defaults),
      (message) => {
        const words = `Rendering SLS '${file.sls}' failed`
        this.faults.push(`${words}: ${message}`)
        this.errors.push(
          this.#options.safeErrors
            ? `${words}. Please see master log for details.`
            : `${words}, render error:\n${message}`,
        )
      },
    )
  }

  #included(item: Value, file: SlsFile, known: Known): (Mapping | Dict)[] {
    const [first] = isMap(item) ? entries(item) : []
    const [written, more] = first === undefined ? [item, null] : first
    const defaults = mapOrNone(isMap(more) ? get(more, 'defaults') : undefined) ?? {}
    const key = isMap(more) ? get(more, 'key') : undefined
    return this.#names(pythonStr(written), file).flatMap((name) => {
      const pillar = known.has(name) ? known.get(name) : this.#file(name, file.env, known, defaults)
      if (pillar === undefined) return []
      return [key === undefined || key === null ? pillar : below(pythonStr(key), pillar)]
    })
  }

  /** The names that an item of an include takes: itself, a glob, or one relative to the file's folder. */
  #names(written: string, { sls, env, path }: SlsFile): string[] {
    const there = listSls(this.#world.files, env)
    if (!written.startsWith('.')) {
      const found = there.filter(tagGlob(written.replaceAll('/', '.')))
      return found.length === 0 ? [written.replaceAll('/', '.')] : found
    }
    const parts = sls.split('.')
    const folder = path.endsWith('/init.sls') ? parts : parts.slice(0, -1)
    const name = [...folder, written.slice(1)].join('.')
    const found = there.filter(tagGlob(name))
    return found.length === 0 ? [name] : found
  }
}

type Known = Map<string, Mapping | Dict | undefined>
