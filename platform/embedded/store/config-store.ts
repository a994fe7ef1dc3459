// The reactor set in force: the configured entries, the changes made at run time, and the files as they were last read.

import { decodeRecord, encodeRecord } from '../../../core/value/record-text.ts'
import type { ConfigStore, StoredReactorSet } from '../../../master/ports.ts'
import { changesBetween, type ReactorChanges, withChanges } from '../../../master/reactor-changes.ts'
import type { OpenStore } from './open-store.ts'
import type { Table } from './table.ts'

type Entries = StoredReactorSet['entries']

/** Reads the files that the entries lead to. What it throws leaves the set in force as it is. */
export type ReactorLoader = (entries: Entries) => StoredReactorSet | Promise<StoredReactorSet>

interface Changes extends ReactorChanges {
  readonly revision: number
}

const NONE: Changes = { revision: 0, removed: [], added: [] }

/**
 * Table: `config` `reactor_changes` → {@link Changes}. Changes are kept apart from the configuration, so that an edit of the
 * configuration is seen although entries were added or deleted at run time.
 *
 * INVARIANTS
 * - the set in force is one value: entries, files and version change together.
 * - of two changes over one version one is refused.
 */
export class EmbeddedConfigStore implements ConfigStore {
  readonly #store: OpenStore
  readonly #table: Table
  readonly #load: ReactorLoader
  readonly #listeners = new Set<() => void>()
  #configured: Entries
  #current: StoredReactorSet | undefined

  constructor(store: OpenStore, load: ReactorLoader, configured: Entries) {
    this.#store = store
    this.#table = store.table('config')
    this.#load = load
    this.#configured = configured
  }

  async reactors(): Promise<StoredReactorSet> {
    return this.#current ?? this.reload()
  }

  async changeReactors(entries: Entries, over: string): Promise<boolean> {
    const { revision } = this.#changes()
    if ((await this.reactors()).version !== over) return false
    const next = await this.#load(entries)
    const text = encodeRecord({ revision: revision + 1, ...changesBetween(this.#configured, entries) })
    const written = await this.#store.commits.write(
      () => {
        if (this.#changes().revision !== revision) return false
        this.#table.put('reactor_changes', text)
        return true
      },
      (done) => {
        if (done) this.#current = next
      },
    )
    if (written) for (const listener of [...this.#listeners]) listener()
    return written
  }

  /** Reads the files again, and the configuration where it is given anew. */
  async reload(configured: Entries = this.#configured): Promise<StoredReactorSet> {
    const loaded = await this.#load(withChanges(configured, this.#changes()))
    this.#configured = configured
    this.#current = loaded
    return loaded
  }

  /** Calls back after each change at run time; the answer ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changes(): Changes {
    const text = this.#table.get('reactor_changes')
    return text === undefined ? NONE : decodeRecord<Changes>(text)
  }
}
