// Whether a file says who may join, or somebody else who may write it.

/** What the file system tells of a file. */
export interface FileRights {
  readonly mode: number
  readonly gid: number
}

/** Who reads it. */
export interface FileReader {
  /** Undefined where the system has no users. */
  readonly uid: number | undefined
  readonly groups: readonly number[]
  /** `permissive_pki_access`. */
  readonly permissive: boolean
}

/**
 * As Salt sees it: nobody else may write the file; its group may with `permissive_pki_access`, where root reads it only one
 * that root is in.
 */
export function isTrustedFile({ mode, gid }: FileRights, { uid, groups, permissive }: FileReader): boolean {
  if ((mode & 0o002) !== 0) return false
  if ((mode & 0o020) === 0) return true
  return permissive && (uid !== 0 || groups.includes(gid))
}

/** The files of a folder of grains that are one: no hidden ones, and no editor's copies. */
export function isGrainFile(name: string): boolean {
  return !name.startsWith('.') && !/~$|\.(?:swp|bak|rpmsave|rpmnew|dpkg-\w+)$/.test(name)
}
