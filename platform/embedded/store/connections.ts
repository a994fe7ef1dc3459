// The sockets of this process, by minion.
import type { Connections, MinionId } from '../../../master/ports.ts'

/** Keeps who is connected and how to ring them. A minion may have several sockets for a moment, while it renews one. */
export class EmbeddedConnections implements Connections {
  readonly #rings = new Map<MinionId, Set<() => void>>()

  /** Adds a socket; the answer removes it again. `ring` must not throw. */
  register(minion: MinionId, ring: () => void): () => void {
    const rings = this.#rings.get(minion) ?? new Set()
    // Its own function, so that one that is registered twice counts twice.
    const own = (): void => ring()
    rings.add(own)
    this.#rings.set(minion, rings)
    return () => {
      rings.delete(own)
      if (rings.size === 0 && this.#rings.get(minion) === rings) this.#rings.delete(minion)
    }
  }

  async ring(minions: readonly MinionId[]): Promise<void> {
    for (const minion of minions) for (const ring of [...(this.#rings.get(minion) ?? [])]) ring()
  }

  async connected(): Promise<ReadonlySet<MinionId>> {
    return new Set(this.#rings.keys())
  }
}
