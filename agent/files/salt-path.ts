// What a `salt://` URL names, and which paths stay below a root.
import { parseSaltUrl } from '../../core/sls/reaction-files.ts'

/** A file or folder of an environment. */
export interface SaltPath {
  readonly path: string
  readonly saltenv: string
}

/** `salt://path?saltenv=env`; `saltenv` where the URL names none. A path without `salt://` is taken as well. */
export function saltPath(url: string, saltenv: string): SaltPath {
  const whole = url.startsWith('salt://') ? url : `salt://${url}`
  const named = /\?saltenv=./.test(whole)
  const { path, saltenv: env } = parseSaltUrl(whole)
  return { path: path.replace(/\/+$/, ''), saltenv: named ? env : saltenv }
}

/** Whether a relative path is made of names alone. */
export function isInside(path: string): boolean {
  if (path === '' || path.includes('\0') || path.includes('\\')) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
