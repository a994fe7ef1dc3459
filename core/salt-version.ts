// Which Salt this speaks like.

/** The version of Salt whose formats and functions this follows. */
export const saltVersion = '3007.15'
