// Finds the chunks that a requisite names: by type and id or name, by id alone, by file, or by a glob on these.
import { matchTag } from '../event/tag-glob.ts'
import { type Draft, draftText } from './chunk.ts'

/** What requisites can name among the chunks of an event. */
export class RequisiteLookup {
  readonly #drafts: readonly Draft[]
  /** `type\nname or id` → drafts; the type `id` stands for any. */
  readonly #named = new Map<string, Set<number>>()
  readonly #sls = new Map<string, Set<number>>()

  constructor(drafts: readonly Draft[]) {
    this.#drafts = drafts
    for (const [index, draft] of drafts.entries()) {
      const [state = '', name = '', id = ''] = ['state', 'name', '__id__'].map((key) => draftText(draft, key))
      for (const type of [state, 'id']) {
        add(this.#named, `${type}\n${id}`, index)
        add(this.#named, `${type}\n${name}`, index)
      }
      add(this.#sls, draftText(draft, '__sls__'), index)
    }
  }

  /**
   * The chunks a reference from `file` names, `undefined` where there are none. Of one id in several files it is that of
   * the referring file; a glob means all files. A glob on files may name nothing, as in Salt.
   */
  find(file: number, type: string, target: string): ReadonlySet<number> | undefined {
    const isGlob = /[*?[\]]/.test(target)
    if (type === 'sls') {
      return isGlob ? union([...this.#sls].filter(([sls]) => matchTag(target, sls))) : this.#sls.get(target)
    }
    if (isGlob) {
      const prefix = `${type}\n`
      const found = [...this.#named].filter(
        ([key]) => key.startsWith(prefix) && matchTag(target, key.slice(prefix.length)),
      )
      return found.length === 0 ? undefined : union(found)
    }
    const everywhere = this.#named.get(`${type}\n${target}`)
    if (everywhere === undefined || everywhere.size === 1) return everywhere
    const here = [...everywhere].filter((index) => this.#drafts[index]?.file === file)
    return here.length > 0 ? new Set(here) : everywhere
  }

  /** What to do about a reference that names nothing. */
  hint(type: string, target: string): string {
    if (type === 'local' && this.#named.has(`cmd\n${target}`)) {
      return `'${target}' is a cmd reaction: require \`cmd: ${target}\`.`
    }
    return 'Name the type and the id of a reaction to the same event.'
  }
}

function add(map: Map<string, Set<number>>, key: string, index: number): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, new Set([index]))
  else known.add(index)
}

function union(found: readonly (readonly [string, ReadonlySet<number>])[]): Set<number> {
  return new Set(found.flatMap(([, drafts]) => [...drafts]))
}
