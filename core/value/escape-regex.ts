// Text as a regular expression that finds just that text.

/** Python's `re.escape`; JavaScript reads it alike where the flags are neither `u` nor `v`. */
export function escapeRegex(text: string): string {
  return text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, '\\$&')
}
