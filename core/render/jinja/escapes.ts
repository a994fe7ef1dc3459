// Backslash escapes of a template's strings, as Jinja reads them: Python's `unicode-escape` of the text made ASCII.

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }
const TRUNCATED: Readonly<Record<string, string>> = {
  x: 'truncated \\xXX escape',
  u: 'truncated \\uXXXX escape',
  U: 'truncated \\UXXXXXXXX escape',
}

/** The text with its escapes resolved, or Python's complaint. An unknown escape stays as it is. */
export function unescapeString(inner: string): { text: string } | { error: string } {
  if (!inner.includes('\\')) return { text: inner }
  let text = ''
  for (let at = 0; at < inner.length; at++) {
    const char = inner[at] ?? ''
    if (char !== '\\') {
      text += char
      continue
    }
    at++
    const kind = inner[at] ?? ''
    const simple = Object.hasOwn(SIMPLE, kind) ? SIMPLE[kind] : undefined
    if (simple !== undefined) {
      text += simple
      continue
    }
    const octal = /^[0-7]{1,3}/.exec(inner.slice(at, at + 3))
    if (octal !== null) {
      text += String.fromCharCode(Number.parseInt(octal[0], 8))
      at += octal[0].length - 1
      continue
    }
    const width = Object.hasOwn(HEX_DIGITS, kind) ? (HEX_DIGITS[kind] ?? 0) : 0
    if (width > 0) {
      const hex = inner.slice(at + 1, at + 1 + width)
      if (hex.length < width || !/^[0-9a-fA-F]+$/.test(hex)) return { error: TRUNCATED[kind] ?? 'truncated escape' }
      const code = Number.parseInt(hex, 16)
      if (code > 0x10ffff) return { error: 'illegal Unicode character' }
      text += String.fromCodePoint(code)
      at += width
      continue
    }
    if (kind === 'N') return { error: 'unknown Unicode character name' }
    text += afterBackslash(inner, at)
    if (inner.charCodeAt(at) >= 0xd800 && inner.charCodeAt(at) < 0xdc00) at++
  }
  return { text }
}

/** A backslash before a letter beyond ASCII escapes the backslash of that letter's own escape, which then shows. */
function afterBackslash(inner: string, at: number): string {
  const code = inner.codePointAt(at) ?? 0
  if (code < 0x80) return `\\${inner[at] ?? ''}`
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\U${code.toString(16).padStart(8, '0')}`
}
