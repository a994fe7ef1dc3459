// Where the file references of a reactor entry lead: paths, file globs and `salt://` references.
import { tagGlob } from '../event/tag-glob.ts'
import { byCodePoint } from './high.ts'

/** Where references lead that do not lead to where they say. */
export interface ReactorRoots {
  /** The reactor root: relative references start here. */
  readonly reactor: string
  /** The first root of the environment `base`. */
  readonly base: string
  /** Whether the folders `/srv/reactor` and `/srv/salt` exist; where they do not, they mean the two roots. */
  readonly hasSrvReactor: boolean
  readonly hasSrvSalt: boolean
}

/** A reference taken apart. A path is absolute and may be a glob; a `salt://` path is relative to its environment's roots. */
export type FileReference =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'salt'; readonly path: string; readonly saltenv: string }

/** Takes a reference of the `reactor:` option apart. */
export function parseReference(reference: string, roots: ReactorRoots): FileReference {
  if (reference.startsWith('salt://')) return parseSaltUrl(reference)
  const moved = srvPath(reference, roots)
  return { kind: 'path', path: moved.startsWith('/') ? moved : joined(roots.reactor, moved) }
}

/** `salt://path?saltenv=env`; the environment is `base` unless it is named. */
export function parseSaltUrl(url: string): FileReference & { kind: 'salt' } {
  const resource = url.slice('salt://'.length)
  const at = resource.indexOf('?saltenv=')
  const path = at < 0 ? resource.split('?env=', 1)[0] : resource.slice(0, at)
  const saltenv = at < 0 ? '' : resource.slice(at + '?saltenv='.length)
  return { kind: 'salt', path: (path ?? '').replace(/^\|?\/*/, ''), saltenv: saltenv === '' ? 'base' : saltenv }
}

function srvPath(path: string, roots: ReactorRoots): string {
  if (!roots.hasSrvReactor && path.startsWith('/srv/reactor/')) return joined(roots.reactor, path.slice(13))
  if (!roots.hasSrvSalt && path.startsWith('/srv/salt/')) return joined(roots.base, path.slice(10))
  return path
}

function joined(folder: string, path: string): string {
  return `${folder.replace(/\/+$/, '')}/${path.replace(/^(?:\.?\/)+/, '')}`
}

/** Whether a path is a glob in Python's eyes. */
export function isFileGlob(path: string): boolean {
  return /[*?[]/.test(path)
}

/** The folder under which everything lies that a path or glob can name: what comes before the first glob. */
export function globFolder(path: string): string {
  const parts = path.split('/')
  const first = parts.findIndex(isFileGlob)
  return parts.slice(0, first < 0 ? -1 : first).join('/') || (path.startsWith('/') ? '/' : '')
}

/**
 * The paths of a listing that a path or glob names, as Python's `glob.glob` finds them, but sorted. A glob names parts of
 * a path between slashes: `*` does not cross them, `**` is `*`, and a leading dot has to be written out.
 */
export function expandFileGlob(path: string, listing: readonly string[]): string[] {
  if (!isFileGlob(path)) return listing.includes(path) ? [path] : []
  const parts = path.split('/').map(matchPart)
  const found = listing.filter((candidate) => {
    const names = candidate.split('/')
    return names.length === parts.length && parts.every((matches, index) => matches(names[index] ?? ''))
  })
  return [...new Set(found)].sort(byCodePoint)
}

function matchPart(part: string): (name: string) => boolean {
  if (!isFileGlob(part)) return (name) => name === part
  const matches = tagGlob(part)
  return (name) => matches(name) && (!name.startsWith('.') || part.startsWith('.'))
}
