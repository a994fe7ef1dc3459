// Names that go into an archive, and lists of names that come out of one.
import { pythonStr, type Value } from '../../core/value/index.ts'
import { globPaths } from '../filesystem/paths.ts'

/** Names with commas between them or in a list, patterns among them. */
export async function sourcesOf(value: Value): Promise<string[]> {
  const names = Array.isArray(value) ? value.map(pythonStr) : value === null ? [] : pythonStr(value).split(',')
  const found: string[] = []
  for (const name of names.map((one) => one.trim()))
    found.push(...(/[*?[]/.test(name) ? await globPaths(name) : [name]))
  return found
}

/** The first names, and a word about the others; `true` is a hundred. */
export function trimmed(names: readonly string[], trim: Value): string[] {
  const count = trim === true ? 100 : trim === false || trim === null ? names.length : Number(trim)
  return names.length > count ? [...names.slice(0, count), `List trimmed after ${count} files.`] : [...names]
}
