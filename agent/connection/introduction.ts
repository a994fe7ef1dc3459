// What a minion tells of itself with a key that is not accepted yet.
import type { Mapping } from '../../core/value/index.ts'

/** Grains for the master's `autosign_grains_dir`, of a minion whose grains are collected while it asks. */
export class Introduction {
  readonly #names: readonly string[]
  readonly #known: Promise<() => Mapping>
  #tell: (grains: () => Mapping) => void = () => undefined

  /** @param names `autosign_grains`. */
  constructor(names: readonly string[]) {
    this.#names = names
    this.#known = new Promise((resolve) => {
      this.#tell = resolve
    })
  }

  /** Says where the grains are, once they were collected. */
  tell(grains: () => Mapping): void {
    this.#tell(grains)
  }

  /** The field of a request for a token. Waits for the grains where some are to be told; one that there is not is None, as in Salt. */
  async field(): Promise<{ readonly autosign_grains?: Mapping }> {
    if (this.#names.length === 0) return {}
    const grains = (await this.#known)()
    const told = this.#names.map((name) => [name, Object.hasOwn(grains, name) ? (grains[name] ?? null) : null] as const)
    return { autosign_grains: Object.fromEntries(told) }
  }
}
