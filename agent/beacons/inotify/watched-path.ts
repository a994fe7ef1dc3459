// One path of an inotify beacon: a file or a directory, watched through the directories that hold it.
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Change, DirectoryWatch, MaskName } from './change.ts'

/** What is told of a path: where, what, and inotify's name for what happened. */
export interface PathEvent {
  readonly directory: string
  readonly path: string
  readonly change: string
}

/** How a path is watched. */
export interface PathOptions {
  readonly mask: ReadonlySet<MaskName>
  readonly recurse: boolean
  readonly autoAdd: boolean
}

/**
 * Watches a path that may not be there yet. A file is watched through its directory, so that a file in its place is
 * watched as well; that it was replaced or deleted is told as IN_IGNORED, and what follows within the same turn is not
 * told, as in Salt, where the new file is watched from the next turn on.
 */
export class WatchedPath {
  readonly #path: string
  readonly #options: PathOptions
  readonly #watch: (directory: string) => DirectoryWatch
  readonly #watches = new Map<string, DirectoryWatch>()
  /** Names of the file: its own, and that of the file a link leads to. */
  #names = new Set<string>()
  #isDirectory = false
  #isGone = true

  constructor(path: string, options: PathOptions, watch: (directory: string) => DirectoryWatch) {
    this.#path = path.length > 1 ? path.replace(/\/+$/, '') : path
    this.#options = options
    this.#watch = watch
  }

  /** What happened since the last turn; then watches what is there now. Throws where a directory cannot be watched. */
  turn(): PathEvent[] {
    const events: PathEvent[] = []
    for (const [directory, watch] of this.#watches) {
      for (const change of watch.take()) events.push(...(this.#isDirectory ? this.#inside(change) : this.#file(change)))
      if (!watch.isAlive) {
        watch.close()
        this.#watches.delete(directory)
      }
    }
    this.#follow()
    return events
  }

  quiet(): void {
    for (const watch of this.#watches.values()) watch.quiet()
    this.#isGone = !exists(this.#path)
  }

  close(): void {
    for (const watch of this.#watches.values()) watch.close()
    this.#watches.clear()
  }

  #follow(): void {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    // That it went is told by what happens in its directory, which may come later than this look.
    if (stat !== undefined) this.#isGone = false
    const wanted = this.#directories(stat)
    for (const directory of wanted) {
      if (!this.#watches.has(directory) && exists(directory)) this.#watches.set(directory, this.#watch(directory))
    }
    for (const [directory, watch] of this.#watches) {
      if (wanted.includes(directory)) continue
      watch.close()
      this.#watches.delete(directory)
    }
  }

  #directories(stat: Stats | undefined): string[] {
    if (stat?.isDirectory() === true) {
      this.#isDirectory = true
      const known = [...this.#watches.keys()].filter(exists)
      if (!this.#options.recurse) return [this.#path]
      return this.#options.autoAdd || known.length === 0 ? below(this.#path) : known
    }
    this.#isDirectory = false
    const real = stat === undefined ? this.#path : realpathSync(this.#path)
    this.#names = new Set([this.#path, real])
    return [...new Set([dirname(this.#path), dirname(real)])]
  }

  /** Something in a watched directory. */
  #inside({ directory, name, what, isDirectory }: Change): PathEvent[] {
    if (!this.#options.mask.has(what)) return []
    return [{ directory, path: join(directory, name), change: maskText(what, isDirectory) }]
  }

  /** Something in the directory of a watched file. */
  #file({ directory, name, what }: Change): PathEvent[] {
    if (!this.#names.has(join(directory, name)) || this.#isGone) return []
    const { mask } = this.#options
    const told = (change: string): PathEvent => ({ directory: this.#path, path: this.#path, change })
    switch (what) {
      case 'create':
        return []
      case 'moved_to':
      case 'delete':
        this.#isGone = true
        return [...(mask.has('delete_self') ? [told('IN_DELETE_SELF')] : []), told('IN_IGNORED')]
      case 'moved_from':
        this.#isGone = true
        return [...(mask.has('move_self') ? [told('IN_MOVE_SELF')] : []), told('IN_IGNORED')]
      default:
        return mask.has(what) ? [told(maskText(what, false))] : []
    }
  }
}

function maskText(what: MaskName, isDirectory: boolean): string {
  return `IN_${what.toUpperCase()}${isDirectory ? '|IN_ISDIR' : ''}`
}

/** A directory and all directories below it; links are not followed. */
function below(directory: string): string[] {
  const found = [directory]
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) found.push(...below(join(directory, basename(entry.name))))
  return found
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
