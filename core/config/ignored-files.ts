// Which files of the roots nobody gets: `file_ignore_regex` and `file_ignore_glob`.
import { tagGlob } from '../event/tag-glob.ts'
import { pythonRegex } from '../target/python-regex.ts'

/** Whether a file of a root is left out; also for folders. */
export type IgnoresFile = (root: string, path: string) => boolean

/** What the two keys hold. */
export interface IgnoredFiles {
  readonly file_ignore_regex: readonly string[]
  readonly file_ignore_glob: readonly string[]
}

/**
 * A path is left out where an expression is found in it, or a glob matches all of it: of the path below its root or of the
 * whole one. Salt lists by the first and hands out by the second, so that `secret/*` hides files which it still serves.
 */
export function ignoresFile({ file_ignore_regex: regexes, file_ignore_glob: globs }: IgnoredFiles): IgnoresFile {
  const found = regexes.map((regex) => pythonRegex(regex, { anchor: 'search' }))
  const matched = globs.map((glob) => tagGlob(glob))
  const isMeant = (path: string): boolean =>
    found.some((regex) => regex.test(path)) || matched.some((matches) => matches(path))
  return (root, path) => isMeant(path) || isMeant(`${root.replace(/\/+$/, '')}/${path}`)
}

/** For roots of which everything is served. */
export const ignoresNothing: IgnoresFile = () => false
