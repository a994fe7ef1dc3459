// The system's errors in C's and Python's words.
import { getSystemErrorMap } from 'node:util'
import { messageOf } from '../../core/error.ts'
import { pythonRepr } from '../../core/value/index.ts'
import { PythonError } from '../modules/errors.ts'

/** Where the words of Node's library differ from C's. */
const words: Readonly<Record<string, string>> = {
  EISDIR: 'Is a directory',
  EEXIST: 'File exists',
  EXDEV: 'Invalid cross-device link',
  ELOOP: 'Too many levels of symbolic links',
  ENAMETOOLONG: 'File name too long',
  EBUSY: 'Device or resource busy',
  ETXTBSY: 'Text file busy',
}

/** Python's classes for the commonest of them. */
const classes: Readonly<Record<string, string>> = {
  ENOENT: 'FileNotFoundError',
  EEXIST: 'FileExistsError',
  EACCES: 'PermissionError',
  EPERM: 'PermissionError',
  EISDIR: 'IsADirectoryError',
  ENOTDIR: 'NotADirectoryError',
}

/** Whether the system refused with this code (`ENOENT`). */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error)
  return code !== undefined && codes.includes(code)
}

/** C's `strerror`: `No such file or directory`. What is no error of the system keeps its message. */
export function strerror(error: unknown): string {
  const code = codeOf(error)
  const number = errnoOf(error)
  if (code === undefined || number === undefined) return messageOf(error)
  const text = words[code] ?? getSystemErrorMap().get(-number)?.[1] ?? code
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Python's `str(OSError)`: `[Errno 2] No such file or directory: '/x'`. */
export function osErrorText(error: unknown, path?: string): string {
  const number = errnoOf(error)
  if (number === undefined) return messageOf(error)
  const at = path ?? (error instanceof Error && 'path' in error ? String(error.path) : undefined)
  const to =
    path === undefined && error instanceof Error && 'dest' in error ? ` -> ${pythonRepr(String(error.dest))}` : ''
  return `[Errno ${number}] ${strerror(error)}${at === undefined ? '' : `: ${pythonRepr(at)}${to}`}`
}

/** The same error as Python raises it; what is no error of the system stays what it is. */
export function asPython(error: unknown, path?: string): unknown {
  const code = codeOf(error)
  if (code === undefined || errnoOf(error) === undefined) return error
  return new PythonError(classes[code] ?? 'OSError', osErrorText(error, path))
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

function errnoOf(error: unknown): number | undefined {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? -error.errno : undefined
}
