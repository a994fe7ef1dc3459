// What inotify can tell, and what a watch on a directory says happened in it.

/** The names a mask may have, without `IN_`, in small letters. */
export const maskNames = [
  'access',
  'attrib',
  'close_nowrite',
  'close_write',
  'create',
  'delete',
  'delete_self',
  'modify',
  'moved_from',
  'moved_to',
  'move_self',
  'open',
] as const

/** One of them. */
export type MaskName = (typeof maskNames)[number]

/** Options that Salt takes among a mask's names. */
export const maskOptions: readonly string[] = ['dont_follow', 'excl_unlink', 'ignored', 'oneshot', 'onlydir', 'unmount']

/** Where nothing is said. */
export const defaultMask: readonly MaskName[] = ['create', 'delete', 'modify']

/** Something that happened to the entry `name` of a directory. */
export interface Change {
  readonly directory: string
  readonly name: string
  readonly what: MaskName
  readonly isDirectory: boolean
}

/** A watch on one directory. It holds on until it is closed, or the directory is gone. */
export interface DirectoryWatch {
  /** Changes since the last call, in their order. */
  take(): Change[]
  /** Forgets what happened until now. */
  quiet(): void
  /** False where it has ended by itself: the directory is gone, or its program died. */
  readonly isAlive: boolean
  close(): void
}
