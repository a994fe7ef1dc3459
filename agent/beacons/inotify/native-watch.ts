// A directory watched by Node itself: what it says is made exact by looking at the file.
import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Change, DirectoryWatch, MaskName } from './change.ts'

/** What Node's watch can tell apart: it says `change` or `rename`, and the file says the rest. */
export const nativeMask: ReadonlySet<MaskName> = new Set([
  'attrib',
  'create',
  'delete',
  'delete_self',
  'modify',
  'move_self',
  'moved_to',
])

interface Known {
  readonly inode: number
  readonly size: number
  readonly modified: number
  /** When anything of it was last changed, its rights and its owner too. */
  readonly changed: number
  readonly isDirectory: boolean
}

/** Watches one directory, not what is below it. Throws the file system's error where it cannot. */
export function watchNatively(directory: string): DirectoryWatch {
  const known = new Map<string, Known>()
  let changes: Change[] = []
  let isAlive = true
  let watcher: FSWatcher

  const tell = (name: string, what: MaskName, isDirectory: boolean): void => {
    changes.push({ directory, name, what, isDirectory })
  }
  const onEvent = (name: string): void => {
    const before = known.get(name)
    const now = look(join(directory, name))
    if (now === undefined) {
      known.delete(name)
      if (before !== undefined) tell(name, 'delete', before.isDirectory)
      return
    }
    known.set(name, now)
    if (before === undefined) tell(name, 'create', now.isDirectory)
    else if (before.inode !== now.inode) tell(name, 'moved_to', now.isDirectory)
    else if (now.isDirectory) return
    else if (before.modified !== now.modified || before.size !== now.size) tell(name, 'modify', false)
    // Seen before: of several changes the first event finds the file as the last has left it.
    else if (before.changed !== now.changed) tell(name, 'attrib', false)
  }
  const open = (): void => {
    watcher = watch(directory, { persistent: false }, (_, name) => {
      if (name !== null) onEvent(name)
    })
    watcher.on('error', () => {
      isAlive = false
      watcher.close()
    })
    known.clear()
    for (const name of readdirSync(directory)) {
      const entry = look(join(directory, name))
      if (entry !== undefined) known.set(name, entry)
    }
  }
  open()
  const inode = look(directory)?.inode
  return {
    take: () => changes.splice(0),
    // What the kernel has told and Node not yet is lost with the old watch; the new one begins at once.
    quiet() {
      watcher.close()
      changes = []
      try {
        open()
      } catch {
        isAlive = false
      }
    },
    get isAlive() {
      return isAlive && look(directory)?.inode === inode
    },
    close: () => watcher.close(),
  }
}

function look(path: string): Known | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  return {
    inode: stat.ino,
    size: stat.size,
    modified: stat.mtimeMs,
    changed: stat.ctimeMs,
    isDirectory: stat.isDirectory(),
  }
}
