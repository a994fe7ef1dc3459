// The minion's grains: the machine's, the configuration's and those set by hand, the latter kept in a file.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf } from '../../core/error.ts'
import { isMap, type Mapping, type Value } from '../../core/value/index.ts'
import { isErrno } from '../filesystem/os-error.ts'
import type { Outside } from '../outside.ts'

/** Reads and prints the YAML of the grains file. */
export interface GrainsFormat {
  parse(text: string): Promise<Value>
  print(value: Mapping): string
}

/** Where grains come from. The later wins: machine, custom modules, file, configuration. */
export interface GrainSources {
  readonly machine: () => Promise<Mapping>
  readonly custom: () => Promise<Mapping>
  /** `/etc/brine/grains`. */
  readonly file: string
  readonly config: Mapping
  readonly format: GrainsFormat
}

/** Holds the grains. `all` is a snapshot that nobody may change. */
export class GrainStore {
  readonly #sources: GrainSources
  readonly #outside: Outside
  #all: Mapping = {}

  constructor(sources: GrainSources, outside: Outside) {
    this.#sources = sources
    this.#outside = outside
  }

  all(): Mapping {
    return this.#all
  }

  /** Collects everything anew. */
  async load(): Promise<Mapping> {
    const [machine, custom, file] = await Promise.all([
      this.#sources.machine(),
      this.#sources.custom(),
      this.#readFile(),
    ])
    this.#all = { ...machine, ...custom, ...file, ...this.#sources.config }
    return this.#all
  }

  /** Sets grains in the file and here; with `destructive`, None removes one. The configuration's stay above them after a restart. */
  async set(grains: Mapping, destructive: boolean): Promise<void> {
    const file = { ...(await this.#readFile()) }
    const all = { ...this.#all }
    for (const [key, value] of Object.entries(grains)) {
      if (value === null && destructive) {
        delete file[key]
        delete all[key]
      } else {
        file[key] = value
        all[key] = value
      }
    }
    await this.#writeFile(file)
    this.#all = all
  }

  async #readFile(): Promise<Mapping> {
    let text: string
    try {
      text = await readFile(this.#sources.file, 'utf8')
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return {}
      this.#outside.log.warn(`The grains file ${this.#sources.file} cannot be read: ${messageOf(error)}`)
      return {}
    }
    try {
      const value = await this.#sources.format.parse(text)
      if (value === null || !isMap(value)) return {}
      return value instanceof Map ? Object.fromEntries([...value].map(([key, item]) => [String(key), item])) : value
    } catch (error) {
      this.#outside.log.error(
        `The grains file ${this.#sources.file} is not understood and left out: ${messageOf(error)}`,
      )
      return {}
    }
  }

  async #writeFile(grains: Mapping): Promise<void> {
    const path = this.#sources.file
    await mkdir(dirname(path), { recursive: true })
    await writeFile(`${path}.next`, this.#sources.format.print(grains), { mode: 0o640 })
    await rename(`${path}.next`, path)
  }
}
