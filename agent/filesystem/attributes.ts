// What chattr sets and lsattr tells: the attributes of ext file systems.
import type { Mapping } from '../../core/value/index.ts'

/** How the two programs are run. */
export interface Attributes {
  /** The attributes of a file, a letter each; undefined where nothing can tell them. */
  read(path: string): Promise<string[] | undefined>
  /** Adds or removes letters. */
  change(path: string, operator: '+' | '-', letters: string): Promise<void>
}

/** What came of it: `old` and `new` where they differ. */
export interface AttributeChange {
  readonly changes?: Mapping
  readonly problem?: string
}

/** Brings about exactly these attributes; the extents' `e` stays as it is. */
export async function changeAttributes(
  path: string,
  wanted: string,
  test: boolean,
  attributes: Attributes,
): Promise<AttributeChange> {
  const before = await attributes.read(path)
  if (before === undefined) return {}
  const { added, removed } = difference(before, wanted)
  if (added === '' && removed === '') return {}
  if (test) return { changes: { old: before.join(''), new: wanted } }
  if (added !== '') await attributes.change(path, '+', added)
  if (removed !== '') await attributes.change(path, '-', removed)
  const after = (await attributes.read(path)) ?? []
  const left = difference(after, wanted)
  if (left.added === '' && left.removed === '') return { changes: { old: before.join(''), new: wanted } }
  const problem = `Failed to change attributes to ${wanted}`
  if (after.join('') === before.join('')) return { problem }
  return { problem, changes: { old: before.join(''), new: after.join('') } }
}

/** The letters to add and to remove. */
export function difference(before: readonly string[], wanted: string): { added: string; removed: string } {
  const after = new Set([...wanted, ...(before.includes('e') ? ['e'] : [])])
  return {
    added: [...after].filter((letter) => !before.includes(letter)).join(''),
    removed: before.filter((letter) => !after.has(letter)).join(''),
  }
}
