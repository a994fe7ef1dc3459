// Whether a process of a number lives; the number may be another's by now.
import { isErrno } from './filesystem/os-error.ts'

/** True for a process that lives, be it another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}
