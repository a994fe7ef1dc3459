// What an archive has in it, as Salt's `archive.list` tells it.
import { messageOf } from '../../core/error.ts'
import { byCodePoint } from '../../core/sls/high.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { tarMembers, UnreadableTar } from './tar.ts'
import { BadZip, isFolder, isLink, ZipArchive } from './zip.ts'

/** Paths by what they are; a directory's ends with a slash. */
export interface Contents {
  readonly dirs: readonly string[]
  readonly files: readonly string[]
  readonly links: readonly string[]
}

/** What stands at an archive's top. */
export interface TopLevel {
  readonly top_level_dirs: readonly string[]
  readonly top_level_files: readonly string[]
  readonly top_level_links: readonly string[]
}

/** `tar`, `zip` or `rar`, by a file's ending. */
export function guessFormat(name: string): string | undefined {
  if (/\.(?:tar(?:\.(?:gz|bz2|xz|lzma))?|tgz|tbz2|tbz|txz|tlz)$/i.test(name)) return 'tar'
  return /\.(zip|rar)$/i.exec(name)?.[1]?.toLowerCase()
}

/** The contents of an archive at `path`, which is called `name` in words. Throws CommandExecutionError where it cannot be read. */
export async function contentsOf(name: string, path: string, format: string): Promise<Contents> {
  try {
    return format === 'tar' ? await contentsOfTar(path) : await contentsOfZip(path)
  } catch (error) {
    if (error instanceof UnreadableTar) {
      throw new CommandExecutionError(
        `Unable to list contents of ${name}. If this is an XZ-compressed tar archive, install XZ Utils to enable listing its contents. If it is compressed using something other than XZ, it may be necessary to specify CLI options to decompress the archive. See the documentation for details.`,
        error,
      )
    }
    if (error instanceof BadZip) throw new CommandExecutionError(`${name} is not a ZIP file`, error)
    throw new CommandExecutionError(`Failed to list contents of ${name}: ${messageOf(error)}`, error)
  }
}

async function contentsOfTar(path: string): Promise<Contents> {
  const members = await tarMembers(path)
  const named = (kind: string): string[] => members.filter((member) => member.kind === kind).map(({ name }) => name)
  return { dirs: named('directory').map((name) => `${name}/`), files: named('file'), links: named('link') }
}

async function contentsOfZip(path: string): Promise<Contents> {
  const { members } = await ZipArchive.read(path)
  const dirs = new Set(members.filter(({ mode }) => isFolder(mode)).map(({ name }) => name))
  const links = members.filter(({ mode }) => isLink(mode)).map(({ name }) => name)
  const rest = members.filter(({ mode }) => !isFolder(mode) && !isLink(mode)).map(({ name }) => name)
  for (const name of rest) if (name.includes('/')) dirs.add(name.slice(0, name.lastIndexOf('/') + 1))
  return { dirs: [...dirs], files: rest.filter((name) => !dirs.has(name)), links }
}

/** The same without so many of the first parts of each path; what has no more than those is left out. */
export function stripped(contents: Contents, parts: number): Contents {
  const strip = (paths: readonly string[]): string[] =>
    paths.map((path) => path.split('/').slice(parts).join('/')).filter((path) => path !== '')
  return { dirs: strip(contents.dirs), files: strip(contents.files), links: strip(contents.links) }
}

/** Sorted as Python sorts, by code points. */
export const sorted = (paths: readonly string[]): string[] => paths.toSorted(byCodePoint)

/** What stands at the top. A directory that all paths have in common counts, though it has no entry of its own. */
export function topLevel({ dirs, files, links }: Contents): TopLevel {
  const depth = (path: string): number => path.split('/').length - 1
  const top = sorted(dirs.filter((path) => depth(path) === 1))
  const all = [...dirs, ...files, ...links]
  const [first = ''] = all
  const common = first.includes('/') ? first.slice(0, first.indexOf('/') + 1) : ''
  if (common !== '' && all.every((path) => path.startsWith(common)) && !top.includes(common)) top.push(common)
  const flat = (paths: readonly string[]): string[] => sorted(paths.filter((path) => depth(path) === 0))
  return { top_level_dirs: top, top_level_files: flat(files), top_level_links: flat(links) }
}
