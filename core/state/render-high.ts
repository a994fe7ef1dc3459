// From the names of SLS files to high data: rendered with what they include, merged, and every state numbered.
import {
  type Dict,
  isList,
  isMap,
  type Mapping,
  mapOf,
  pythonEquals,
  pythonStr,
  pythonTruth,
  type Value,
} from '../value/index.ts'
import { autoOrder, takeExclude, takeExtend, takeStates } from './declarations.ts'
import { bodyOf, type High, listMadeAt, thawed } from './high.ts'
import { matching, resolveInclude } from './include.ts'
import { renderFailure } from './render-failure.ts'
import { type SlsFile, type StateFiles, StateTree } from './state-files.ts'

/** What rendering needs of the outside. Whatever either throws that is no fault of a file passes through. */
export interface HighWorld {
  readonly files: StateFiles
  /** The document of a file. It may be shared: it is not changed. */
  readonly render: (file: SlsFile) => Value
  /** Numbers states in the order of the files, as Salt's `state_auto_order`. @default true */
  readonly autoOrder?: boolean
}

/** Environment → names or globs of SLS files, as a top file or the command line gives them. */
export type SlsMatches = ReadonlyMap<string, readonly string[]>

/** High data, and what is wrong with it in Salt's words; with errors nothing may run. */
export interface RenderedHigh {
  readonly high: High
  readonly errors: readonly string[]
}

/** Renders all files that are meant, each once. */
export function renderHigh(matches: SlsMatches, world: HighWorld): RenderedHigh {
  const rendering = new Rendering(matches, world)
  for (const [env, names] of matches) for (const name of names) rendering.add(env, name)
  return rendering.finish()
}

class Rendering {
  readonly #world: HighWorld
  readonly #tree: StateTree
  readonly #environments: ReadonlySet<string>
  readonly #rendered = new Set<string>()
  readonly #high: High = thawed({})
  readonly #errors: string[] = []
  #order = 10000

  constructor(matches: SlsMatches, world: HighWorld) {
    this.#world = world
    this.#tree = new StateTree(world.files)
    this.#environments = new Set(matches.keys())
  }

  /** Renders the files of a name or glob. */
  add(env: string, name: string): void {
    const exists = this.#tree.hasEnvironment(env)
    if (!exists) this.#errors.push(`No matching salt environment for environment '${env}' found`)
    const found = exists ? matching(this.#tree, env, name) : []
    for (const sls of found.length === 0 ? [name] : found) {
      if (this.#rendered.has(`${env}:${sls}`)) continue
      const errors: string[] = []
      const state = this.#render(sls, env, errors)
      merge(this.#high, state, errors)
      this.#errors.push(...errors.map((error) => missingSls(error, name, env)))
    }
  }

  finish(): RenderedHigh {
    const extensions = this.#high.get('__extend__')
    if (isList(extensions)) this.#high.set('__extend__', singleExtensions(extensions))
    return { high: this.#high, errors: this.#errors }
  }

  #render(sls: string, env: string, errors: string[]): High {
    const file = this.#tree.find(sls, env)
    if (file === undefined) {
      errors.push(
        `Specified SLS ${sls} in saltenv ${env} is not available on the salt master or through a configured fileserver`,
      )
      return thawed({})
    }
    const document = this.#document(file, errors)
    this.#rendered.add(`${env}:${sls}`)
    if (!pythonTruth(document)) return thawed({})
    if (!isMap(document)) {
      errors.push(`SLS ${sls} does not render to a dictionary`)
      errors.push(`Error when rendering state with contents: ${pythonStr(document)}`)
      return thawed({})
    }
    const state = thawed(document)
    const include = takeInclude(state, sls, errors)
    takeExtend(state, file, errors)
    takeExclude(state, file, errors)
    takeStates(state, file, errors)
    for (const item of include) this.#include(item, file, state, errors)
    if (this.#world.autoOrder !== false) this.#order = autoOrder(state, this.#order)
    return state
  }

  #document(file: SlsFile, errors: string[]): Value {
    try {
      return this.#world.render(file)
    } catch (error) {
      errors.push(renderFailure(error, file))
      return null
    }
  }

  #include(item: Value, file: SlsFile, state: High, errors: string[]): void {
    const included = resolveInclude(item, file, this.#tree, this.#environments)
    if (included.kind === 'error') {
      errors.push(included.message)
      return
    }
    for (const name of included.names) {
      if (this.#rendered.has(`${included.env}:${name}`)) continue
      const deeper: string[] = []
      const more = this.#render(name, included.env, deeper)
      for (const id of more.keys()) {
        const body = typeof id === 'string' && id.startsWith('__') ? undefined : bodyOf(more, id)
        if (body !== undefined) listMadeAt(body, '__sls_included_from__').push(file.sls)
      }
      merge(state, more, errors)
      errors.push(...deeper)
    }
  }
}

function takeInclude(state: High, sls: string, errors: string[]): readonly Value[] {
  const include = state.get('include')
  if (include === undefined) return []
  if (!isList(include)) {
    errors.push(`Include Declaration in SLS ${sls} is not formed as a list`)
    return []
  }
  state.delete('include')
  return include
}

/** Adds IDs to those there are; the same ID with another body is a conflict, and the later one stays. */
function merge(high: High, state: High, errors: string[]): void {
  for (const key of ['__extend__', '__exclude__']) {
    const items = state.get(key)
    if (isList(items)) listMadeAt(high, key).push(...items)
    state.delete(key)
  }
  for (const [id, body] of state) {
    const there = high.get(id)
    if (there !== undefined && !pythonEquals(there, body)) errors.push(conflict(id, there, body))
  }
  for (const [id, body] of state) high.set(id, body)
}

function conflict(id: Value, there: Value, body: Value): string {
  const where = (of: Value): string => {
    const [env, sls] = ['__env__', '__sls__'].map((key) => pythonStr((of as Partial<Dict>).get?.(key) ?? ''))
    return `SLS '${env}:${sls}'`
  }
  return (
    'Detected conflicting IDs, SLS IDs need to be globally unique.\n' +
    `    The conflicting ID is '${pythonStr(id)}' and is found in ${where(there)} and ${where(body)}`
  )
}

/** What was asked for by name and is not there has a shorter error. */
function missingSls(error: string, name: string, env: string): string {
  const isMissing = error.includes('is not available') && error.includes(`SLS ${name} in saltenv`)
  return isMissing ? `No matching sls found for '${name}' in env '${env}'` : error
}

/** One extension an entry, equal ones once. */
function singleExtensions(extensions: readonly Value[]): Value[] {
  const singles: Mapping[] = []
  for (const extension of extensions) {
    if (!(extension instanceof Map)) continue
    for (const [id, body] of extension) {
      const single = mapOf([[id, body]])
      if (!singles.some((known) => pythonEquals(known, single))) singles.push(single as Mapping)
    }
  }
  return singles
}
