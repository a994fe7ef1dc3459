// Which version this is, and which of Salt's it speaks.

/** Brine's version. */
export const brineVersion = '0.1.0'

/** The version of Salt whose formats and functions this follows. */
export const saltVersion = '3007.15'

/** The runtime's version. */
export const nodeVersion = process.versions.node
