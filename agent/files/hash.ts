// Hashes of files, read piece by piece.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** The hash of a file, hex. Throws where it cannot be read or the algorithm (`sha256`, `md5`, …) is not known. */
export async function hashOfFile(path: string, algorithm: string): Promise<string> {
  const hash = createHash(algorithm)
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}
