// The reactor set in force: a version in S3, an item that points to it, and rules that let its events through.
import { BrineError } from '../../../core/error.ts'
import { expandFileGlob, parseReference } from '../../../core/sls/reaction-files.ts'
import { reactorSetVersion } from '../../../core/sls/reactor-version.ts'
import type { ConfigStore, FileStore, StoredReactorSet } from '../../../master/ports.ts'
import { changesBetween, type ReactorChanges, withChanges } from '../../../master/reactor-changes.ts'
import type { Clock } from '../../../reaction/ports.ts'
import type { ReactorRules } from '../bus/live-rules.ts'
import { reactorLibraryObject, reactorLock, reactorPointer, reactorSetObject } from '../layout/index.ts'
import { type Dynamo, type Expression, isAbsent, keyItem, s } from './dynamo.ts'
import { locked } from './lock.ts'
import type { Objects } from './objects.ts'
import { hashOf } from './payloads.ts'
import type { Records } from './records.ts'

type Entries = StoredReactorSet['entries']

/** What was deployed: the configured entries, and every file that an entry may name, by its path on a master. */
export interface ReactorLibrary {
  readonly entries: Entries
  readonly files: readonly { readonly name: string; readonly text: string }[]
}

interface Pointer {
  readonly version: string
  /** The hash of the library. */
  readonly library: string
  readonly changes: ReactorChanges
}

/** What the store works with. */
export interface ConfigParts {
  readonly dynamo: Dynamo
  readonly records: Records
  readonly objects: Objects
  readonly files: Pick<FileStore, 'read'>
  readonly rules: ReactorRules
  readonly clock: Pick<Clock, 'now'>
}

/** Microseconds for which whoever only reacts takes the pointer as it is. */
const FRESH = 3_000_000

const roots = { reactor: '/srv/reactor', base: '/srv/salt', hasSrvReactor: true, hasSrvSalt: true }
const unchanged: ReactorChanges = { removed: [], added: [] }
const nothing: StoredReactorSet = { version: reactorSetVersion([], []), entries: [], files: [] }

/**
 * Table State: `config` `reactors` → {@link Pointer}; `reactors-lock` → who changes it. S3: each version of the set, and
 * the library, under names made of their content.
 *
 * INVARIANTS
 * - entries, files and version change together: the pointer's item is the only thing that is replaced.
 * - the rules take what the set in force wants, at every moment of a change: they are widened before the pointer moves
 *   and narrowed after; changes follow each other under a lock.
 * - a set that cannot be made whole is never pointed to.
 * - whoever lists or changes it ({@link reactors}) sees what any other process changed before.
 */
export class PointedConfigStore implements ConfigStore {
  readonly #parts: ConfigParts
  #current: { readonly at: number; readonly set: StoredReactorSet } | undefined

  constructor(parts: ConfigParts) {
    this.#parts = parts
  }

  async reactors(): Promise<StoredReactorSet> {
    const at = this.#parts.clock.now()
    const pointer = await this.#pointer()
    const known = this.#current?.set
    const isKnown = known !== undefined && known.version === pointer?.version
    const set = isKnown ? known : pointer === undefined ? nothing : await this.#set(pointer.version)
    this.#current = { at, set }
    return set
  }

  /** The set that was in force at a moment of the last 3 s: for whoever asks with every event. */
  async recentReactors(): Promise<StoredReactorSet> {
    const current = this.#current
    if (current !== undefined && this.#parts.clock.now() - current.at <= FRESH) return current.set
    return this.reactors()
  }

  async changeReactors(entries: Entries, over: string): Promise<boolean> {
    return locked(this.#parts, reactorLock, 'The reactor set', async () => {
      const pointer = await this.#pointer()
      if (pointer === undefined || pointer.version !== over) return false
      const library = await this.#library(pointer.library)
      const changes = changesBetween(library.entries, entries)
      const set = await this.#load(entries, library)
      return this.#replace(pointer, { ...pointer, version: set.version, changes }, set)
    })
  }

  /** Puts another library in force, with the changes that were made at run time. For a deployment. */
  async install(library: ReactorLibrary): Promise<StoredReactorSet> {
    const bytes = Buffer.from(JSON.stringify(library))
    const hash = hashOf(bytes)
    await this.#parts.objects.put(reactorLibraryObject(hash), bytes)
    return locked(this.#parts, reactorLock, 'The reactor set', async () => {
      const pointer = await this.#pointer()
      const changes = pointer?.changes ?? unchanged
      const set = await this.#load(withChanges(library.entries, changes), library)
      await this.#replace(pointer, { version: set.version, library: hash, changes }, set)
      return set
    })
  }

  async #replace(before: Pointer | undefined, next: Pointer, set: StoredReactorSet): Promise<boolean> {
    const { dynamo, records, objects, rules, clock } = this.#parts
    const globs = (pointer: Pointer | undefined): string[] => (pointer?.changes.added ?? []).map(({ glob }) => glob)
    await objects.put(reactorSetObject(set.version), Buffer.from(JSON.stringify(set)))
    await rules.take([...globs(before), ...globs(next)])
    const condition: Expression =
      before === undefined ? isAbsent : { text: 'version = :version', values: { ':version': s(before.version) } }
    const item = { ...keyItem(reactorPointer), ...(await records.pack(next)), version: s(next.version) }
    const { done } = await dynamo.put('State', item, condition)
    await rules.take(globs(done ? next : await this.#pointer()))
    this.#current = done ? { at: clock.now(), set } : undefined
    return done
  }

  /** The set of these entries: every file that one of them leads to. */
  async #load(entries: Entries, library: ReactorLibrary): Promise<StoredReactorSet> {
    const texts = new Map(library.files.map(({ name, text }) => [name, text]))
    const files: StoredReactorSet['files'][number][] = []
    for (const reference of new Set(entries.flatMap((entry) => entry.files))) {
      const found = parseReference(reference, roots)
      if (found.kind === 'path') {
        for (const name of expandFileGlob(found.path, [...texts.keys()]))
          files.push({ reference, name, text: texts.get(name) ?? '' })
      } else {
        const name = `${roots.base}/${found.path}`
        const known = found.saltenv === 'base' ? texts.get(name) : undefined
        const text = known ?? (await this.#saltFile(found.saltenv, found.path))
        if (text !== undefined) files.push({ reference, name, text })
      }
    }
    return { version: reactorSetVersion(entries, files), entries, files }
  }

  async #saltFile(saltenv: string, path: string): Promise<string | undefined> {
    const bytes = await this.#parts.files.read(saltenv, path)
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
  }

  async #pointer(): Promise<Pointer | undefined> {
    const item = await this.#parts.dynamo.get('State', reactorPointer)
    return item === undefined ? undefined : this.#parts.records.unpack<Pointer>(item)
  }

  async #set(version: string): Promise<StoredReactorSet> {
    return this.#object(reactorSetObject(version))
  }

  async #library(hash: string): Promise<ReactorLibrary> {
    return this.#object(reactorLibraryObject(hash))
  }

  async #object<T>(key: string): Promise<T> {
    const bytes = await this.#parts.objects.get(key)
    if (bytes === undefined) {
      throw new BrineError(`The bucket has no ${key}, which the reactor set in force needs. Deploy again.`, {
        code: 'reactors',
      })
    }
    return JSON.parse(Buffer.from(bytes).toString()) as T
  }
}
