// Which texts are paths of files below a root.

/** A relative path of names alone: nothing that leads up, nothing empty, no NUL, no backslash. */
export function isFilePath(path: string): boolean {
  if (path === '' || path.includes('\0') || path.includes('\\')) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
