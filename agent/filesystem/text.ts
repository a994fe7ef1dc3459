// Files as text: whether they are, and their lines.
import { open } from 'node:fs/promises'

/** Salt's guess from the beginning of a file: with a NUL, or more than three in ten odd bytes, it is binary. */
export function looksBinary(block: Uint8Array): boolean {
  if (block.length === 0) return false
  if (block.includes(0)) return true
  const isUtf8 = isText(block)
  const odd = block.filter((byte) => {
    if ((byte >= 32 && byte < 127) || [8, 9, 10, 12, 13].includes(byte)) return false
    return !(isUtf8 && byte >= 128 && byte < 255)
  })
  return odd.length / block.length > 0.3
}

/** Valid UTF-8, but for a character cut off at the end. */
function isText(block: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(block, { stream: true })
    return true
  } catch {
    return false
  }
}

/** {@link looksBinary} of a file; one that cannot be read is. */
export async function isBinaryFile(path: string, size = 512): Promise<boolean> {
  try {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size), position: 0 })
      return looksBinary(buffer.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  } catch {
    return true
  }
}

/** The bytes as text: UTF-8 where they are, Latin-1 where not, so that nothing is lost in a diff. */
export function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes('\uFFFD') && !Buffer.from(text).equals(bytes) ? bytes.toString('latin1') : text
}

/** Lines with their ends, cut at line feeds alone, as a file's `readlines`. */
export function fileLines(text: string): string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? [])
}

/** Python's `bytes.splitlines(True)`: cut at `\n`, `\r` and `\r\n`. */
export function byteLines(text: string): string[] {
  return text === '' ? [] : (text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [])
}

const ends = '\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029'
const textLine = new RegExp(`[^${ends}]*(?:\\r\\n|[${ends}])|[^${ends}]+$`, 'g')
const lineEnd = new RegExp(`(?:\\r\\n|[${ends}])$`)

/** Python's `str.splitlines(True)`. */
export function textLinesWithEnds(text: string): string[] {
  return text === '' ? [] : (text.match(textLine) ?? [])
}

/** Python's `str.splitlines()`. */
export function textLines(text: string): string[] {
  return textLinesWithEnds(text).map((line) => line.replace(lineEnd, ''))
}
