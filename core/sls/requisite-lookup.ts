// Finds the chunks that a requisite names: by type and id or name, by id alone, by file, or by a glob on these.
import { matchTag } from '../event/tag-glob.ts'
import { type Draft, draftText } from './chunk.ts'

interface Names {
  readonly state: string
  readonly name: string
  readonly id: string
  readonly sls: string
}

/** What requisites can name among the chunks of an event. Chunks are few: looking through them beats an index. */
export class RequisiteLookup {
  readonly #drafts: readonly Draft[]
  readonly #names: readonly Names[]

  constructor(drafts: readonly Draft[]) {
    this.#drafts = drafts
    this.#names = drafts.map((draft) => ({
      state: draftText(draft, 'state'),
      name: draftText(draft, 'name'),
      id: draftText(draft, '__id__'),
      sls: draftText(draft, '__sls__'),
    }))
  }

  /**
   * The chunks a reference from `file` names, in their order, `undefined` where there are none. Of one id in several files
   * it is that of the referring file; a glob means all files. A glob on files may name nothing, as in Salt.
   */
  find(file: number, type: string, target: string): readonly number[] | undefined {
    const isGlob = /[*?[\]]/.test(target)
    const matches = isGlob ? (text: string) => matchTag(target, text) : (text: string) => text === target
    if (type === 'sls') {
      const found = this.#indexes(({ sls }) => matches(sls))
      return isGlob || found.length > 0 ? found : undefined
    }
    const found = this.#indexes(
      ({ state, id, name }) => (type === 'id' || type === state) && (matches(id) || matches(name)),
    )
    if (found.length === 0) return undefined
    if (isGlob || found.length === 1) return found
    const here = found.filter((index) => this.#drafts[index]?.file === file)
    return here.length > 0 ? here : found
  }

  /** What to do about a reference that names nothing. */
  hint(type: string, target: string): string {
    if (
      type === 'local' &&
      this.#names.some(({ state, id, name }) => state === 'cmd' && (id === target || name === target))
    ) {
      return `'${target}' is a cmd reaction: require \`cmd: ${target}\`.`
    }
    return 'Name the type and the id of a reaction to the same event.'
  }

  #indexes(wanted: (names: Names) => boolean): number[] {
    const found: number[] = []
    for (const [index, names] of this.#names.entries()) if (wanted(names)) found.push(index)
    return found
  }
}
