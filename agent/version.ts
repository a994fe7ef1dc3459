// Which version this is, and which of Salt's it speaks.

/** Brine's version. */
export const brineVersion = '0.1.0'

export { saltVersion } from '../core/salt-version.ts'

/** The runtime's version. */
export const nodeVersion = process.versions.node
