// `umask`: what the files a state makes may not be.
import { has } from '../value/index.ts'
import { type Low, lowText } from './low.ts'

/** A chunk's `umask`, octal as it is written; undefined where it has none. */
export function lowUmask(low: Low): number | 'invalid' | undefined {
  if (!has(low, 'umask')) return undefined
  const digits = lowText(low, 'umask')
    .trim()
    .replace(/^0o?(?=[0-7])/i, '')
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : 'invalid'
}
