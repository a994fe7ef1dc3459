// A string as a quoted YAML scalar, as PyYAML's emitter writes it with no limit on the width.

const SHORT: Readonly<Record<string, string>> = {
  '\0': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\u000b': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
}
const NOT_ASCII = /[^ !#-[\]-~]/gu
const NOT_PRINTABLE = /[^ !#-[\]-~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu

/** In double quotes; `unicode` leaves printable characters beyond ASCII as they are. */
export function doubleQuoted(text: string, unicode: boolean): string {
  return `"${text.replace(unicode ? NOT_PRINTABLE : NOT_ASCII, escapeChar)}"`
}

function escapeChar(char: string): string {
  const short = Object.hasOwn(SHORT, char) ? SHORT[char] : undefined
  if (short !== undefined) return `\\${short}`
  const code = char.codePointAt(0) ?? 0
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** In single quotes; a line break is doubled, since YAML folds a single one. */
export function singleQuoted(text: string): string {
  const doubled = text.replace(/[\n\u0085\u2028\u2029]+/g, (breaks) =>
    breaks.startsWith('\n') ? `\n${breaks}` : breaks,
  )
  return `'${doubled.replaceAll("'", "''")}'`
}
