// A tar archive of a few small files.

const block = 512

/** The archive (ustar), as Python's tarfile pads it: to a multiple of 10,240 bytes. */
export function tarOf(files: readonly (readonly [name: string, text: string])[]): Uint8Array {
  const parts = files.flatMap(([name, text]) => {
    const body = Buffer.from(text)
    return [headerOf(name, body.length), body, Buffer.alloc((block - (body.length % block)) % block)]
  })
  const size = parts.reduce((sum, part) => sum + part.length, 0) + 2 * block
  return Buffer.concat([...parts, Buffer.alloc(2 * block + ((20 * block - (size % (20 * block))) % (20 * block)))])
}

/** The header of a file: a block. The content follows, filled up to whole blocks of 512 bytes; two empty blocks end the archive. */
export function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(block)
  const put = (at: number, text: string): void => void header.write(text, at, 'latin1')
  const octal = (number: number, digits: number): string => `${number.toString(8).padStart(digits, '0')}\0`
  put(0, name)
  put(100, octal(0o644, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(size, 11))
  put(136, octal(0, 11))
  put(148, '        ')
  put(156, '0')
  put(257, 'ustar\0')
  put(263, '00')
  const sum = header.reduce((total, byte) => total + byte, 0)
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `)
  return header
}
