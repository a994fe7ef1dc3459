// What templates change of the lists and maps they were given, so that it can be put back.
import type { Datum } from './datum.ts'

type Changeable = Datum[] | Map<Datum, Datum> | { [key: string]: Datum }

/** Lists and maps as they were before templates changed them. Rendering changes nothing but its own output: somebody restores. */
export class Changes {
  readonly #before = new Map<object, () => void>()

  /** To be called before a list or map is changed in place. False where it was noted before. */
  note(target: Changeable): boolean {
    if (this.#before.has(target)) return false
    this.#before.set(target, undoOf(target))
    return true
  }

  /** Puts back what was noted. */
  restore(): void {
    for (const undo of this.#before.values()) undo()
    this.#before.clear()
  }
}

/** Runs what renders templates that go on from each other's changes, and puts all back at its end. */
export function sharingChanges<T>(work: (changes: Changes) => T): T {
  const changes = new Changes()
  try {
    return work(changes)
  } finally {
    changes.restore()
  }
}

function undoOf(target: Changeable): () => void {
  if (Array.isArray(target)) {
    const items = target.slice()
    return () => void target.splice(0, target.length, ...items)
  }
  if (target instanceof Map) {
    const pairs = [...target]
    return () => {
      target.clear()
      for (const [key, value] of pairs) target.set(key, value)
    }
  }
  const pairs = Object.entries(target)
  return () => {
    for (const key of Object.keys(target)) delete target[key]
    for (const [key, value] of pairs) target[key] = value
  }
}
