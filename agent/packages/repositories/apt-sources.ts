// The files in which apt's repositories stand, read and written; what is not changed stays as it is written.
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readTextIfThere } from '../../filesystem/read.ts'
import { writeWhole } from '../../filesystem/write.ts'
import type { Call } from '../../modules/module.ts'
import { lineOf, type Source, sourceIn } from './source-line.ts'
import { sourcesIn, stanzasOf } from './source-stanza.ts'

/** apt's directory; the option `pkg.apt_directory` names another. */
export function aptDirectory({ agent }: Call): string {
  const other = agent.opts['pkg.apt_directory']
  return typeof other === 'string' && other !== '' ? other : '/etc/apt'
}

/** A line of a `.list` file, or a paragraph of a `.sources` file. */
interface Block {
  text: string
  sources: readonly Source[]
}

/** All files at one time. What is changed is written with {@link AptSources.save}. */
export class AptSources {
  readonly #main: string
  readonly #files: Map<string, Block[]>
  readonly #changed = new Set<string>()

  private constructor(main: string, files: Map<string, Block[]>) {
    this.#main = main
    this.#files = files
  }

  static async read(call: Call): Promise<AptSources> {
    const directory = aptDirectory(call)
    const main = join(directory, 'sources.list')
    const parts = join(directory, 'sources.list.d')
    const names = (await readdir(parts).catch(() => [])).filter((name) => /\.(list|sources)$/.test(name)).sort()
    const files = new Map<string, Block[]>()
    for (const path of [main, ...names.map((name) => join(parts, name))]) {
      const text = await readTextIfThere(path)
      if (text !== undefined) files.set(path, blocksIn(text, path))
    }
    return new AptSources(main, files)
  }

  /** Where a repository stands that names no file. */
  get main(): string {
    return this.#main
  }

  /** All of them, in the order apt reads them. */
  all(): Source[] {
    return [...this.#files.values()].flatMap((blocks) => blocks.flatMap(({ sources }) => [...sources]))
  }

  /** Puts one in the place of another, or at the end of its file; undefined removes. */
  put(old: Source | undefined, source: Source | undefined): void {
    const moves = old !== undefined && source !== undefined && old.file !== source.file
    if (old !== undefined) this.#change(old, moves ? undefined : source)
    if (source === undefined || (old !== undefined && !moves)) return
    const blocks = this.#files.get(source.file) ?? []
    const isAfterText = source.file.endsWith('.sources') && blocks.some(({ text }) => text.trim() !== '')
    if (isAfterText) blocks.push({ text: '\n', sources: [] })
    blocks.push({ text: textOf([source], source.file), sources: [source] })
    this.#files.set(source.file, blocks)
    this.#changed.add(source.file)
  }

  #change(old: Source, source: Source | undefined): void {
    const blocks = this.#files.get(old.file) ?? []
    const at = blocks.findIndex(({ sources }) => sources.includes(old))
    const block = blocks[at]
    if (block === undefined) return
    const sources = block.sources.flatMap((one) => (one === old ? (source ?? []) : one))
    if (sources.length > 0) blocks[at] = { text: textOf(sources, old.file), sources }
    else blocks.splice(at, 1)
    this.#changed.add(old.file)
  }

  /** Whether a file has no line left, not even one that tells of no repository. */
  isEmpty(file: string): boolean {
    return (this.#files.get(file) ?? []).every(({ text }) => text.trim() === '')
  }

  /** Writes what was changed; a file of which nothing is left is removed where it is one of several. */
  async save(): Promise<void> {
    for (const file of this.#changed) {
      const text = (this.#files.get(file) ?? []).map((block) => block.text).join('')
      if (this.isEmpty(file) && file !== this.#main) await rm(file, { force: true })
      else await writeWhole(file, text, { mode: '0644' })
    }
    this.#changed.clear()
  }
}

const textOf = (sources: readonly Source[], file: string): string =>
  file.endsWith('.sources') ? stanzasOf(sources) : sources.map((source) => `${lineOf(source)}\n`).join('')

function blocksIn(text: string, file: string): Block[] {
  if (basename(file).endsWith('.sources'))
    return (text.match(/(?:[^\n]*\S[^\n]*(?:\n|$))+|(?:[^\S\n]*\n)+/g) ?? []).map((part) => ({
      text: part.endsWith('\n') ? part : `${part}\n`,
      sources: sourcesIn(part, file),
    }))
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const source = sourceIn(line, file)
    return { text: line.endsWith('\n') ? line : `${line}\n`, sources: source === undefined ? [] : [source] }
  })
}
