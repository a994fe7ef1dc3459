// File modes: Salt's texts of four digits, and the system's numbers.
import { pythonStr, type Value } from '../../core/value/index.ts'
import { currentUmask } from './umask.ts'

/** Salt's `normalize_mode`: `644`, `0644`, `'0o644'` and `00644` are `0644`; None is undefined. */
export function normalMode(mode: Value): string | undefined {
  if (mode === null) return undefined
  return pythonStr(mode)
    .replaceAll('0o', '0')
    .replace(/^"+|"+$/g, '')
    .replace(/^'+|'+$/g, '')
    .replace(/^0+/, '')
    .padStart(4, '0')
}

/** The mode as the system's number; undefined where it is not octal. */
export function modeNumber(mode: string): number | undefined {
  const digits = mode.replace(/^[0oO]+/, '') || '0'
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined
}

/** The mode of something that is there, in Salt's four digits. */
export function modeText(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

/** The mode a new file gets where nobody asks for one: what the umask leaves. */
export function defaultFileMode(): string {
  return modeText(0o666 & ~currentUmask())
}

/** A directory's mode for a file's: who may read or write may also enter. */
export function enterable(mode: string): string {
  return [...mode.slice(-3)].map((digit) => (digit === '0' ? digit : String(Number(digit) | 1))).join('')
}
