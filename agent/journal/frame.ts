// One record of the journal as a line with its checksum, and the longest whole prefix of a file of such lines.

/** A record: one letter for its kind, an id without spaces, and text without newlines (JSON). */
export interface Frame {
  readonly kind: string
  readonly id: string
  readonly text: string
}

/** `<crc32> <kind> <id> <text>\n`. */
export function encodeFrame(frame: Frame): Buffer {
  const body = Buffer.from(`${frame.kind} ${frame.id} ${frame.text}\n`)
  return Buffer.concat([Buffer.from(`${crc32(body).toString(16).padStart(8, '0')} `), body])
}

/**
 * The records before the first line that is cut off or damaged, and how many bytes they take. What follows such a line
 * is not read: its order could not be trusted.
 */
export function decodeFrames(bytes: Buffer): { readonly frames: Frame[]; readonly length: number } {
  const frames: Frame[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf(0x0a, at)
    if (end < 0) return { frames, length: at }
    const frame = decodeLine(bytes.subarray(at, end + 1))
    if (frame === undefined) return { frames, length: at }
    frames.push(frame)
    at = end + 1
  }
}

function decodeLine(line: Buffer): Frame | undefined {
  const checksum = line.subarray(0, 9).toString('latin1')
  const body = line.subarray(9)
  if (!/^[0-9a-f]{8} $/.test(checksum) || crc32(body) !== Number.parseInt(checksum, 16)) return undefined
  const text = body.toString('utf8', 0, body.length - 1)
  const second = text.indexOf(' ', 2)
  if (second < 0) return undefined
  return { kind: text.slice(0, 1), id: text.slice(2, second), text: text.slice(second + 1) }
}

const table = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 (IEEE 802.3), unsigned. */
export function crc32(bytes: Uint8Array): number {
  let crc = -1
  for (let index = 0; index < bytes.length; index++) {
    crc = (crc >>> 8) ^ (table[(crc ^ (bytes[index] ?? 0)) & 0xff] ?? 0)
  }
  return (crc ^ -1) >>> 0
}
