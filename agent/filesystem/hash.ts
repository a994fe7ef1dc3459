// Digests of files, and which hash a digest's length tells.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { CommandExecutionError, PythonError } from '../modules/errors.ts'
import { asPython } from './os-error.ts'

/** The hashes that Salt knows by their digests' lengths, in hexadecimal digits. */
export const HASH_LENGTHS: Readonly<Record<string, number>> = {
  sha512: 128,
  sha384: 96,
  sha256: 64,
  sha224: 56,
  sha1: 40,
  md5: 32,
}

/** The hash whose digests are that long. */
export function hashOfLength(length: number): string | undefined {
  return Object.keys(HASH_LENGTHS).find((name) => HASH_LENGTHS[name] === length)
}

/** `md5 (32), sha1 (40), …`, for messages. */
export const SUPPORTED_HASHES = Object.entries(HASH_LENGTHS)
  .sort(([, a], [, b]) => a - b)
  .map(([name, length]) => `${name} (${length})`)
  .join(', ')

/** The digest of a file in hexadecimal digits. Throws ValueError for an unknown hash, the system's error as Python does. */
export async function hashFile(path: string, form = 'sha256'): Promise<string> {
  if (HASH_LENGTHS[form] === undefined && form !== 'blake2b512') {
    throw new PythonError('ValueError', `Invalid hash type: ${form}`)
  }
  const hash = createHash(form)
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch (error) {
    throw asPython(error, path)
  }
  return hash.digest('hex')
}

/** A digest as it is given: `sha256=…`, `sha256:…`, or its digits alone. */
export interface SourceSum {
  hash_type: string
  hsum: string
}

/** Reads a digest; throws CommandExecutionError in Salt's words where it is none. */
export function readSum(text: string): SourceSum {
  const [type, sum] = text.includes('=') ? splitOnce(text, '=') : [undefined, text]
  const digits = (sum ?? '').trim()
  if (type === undefined) {
    const known = /^[0-9a-fA-F]+$/.test(digits) ? hashOfLength(digits.length) : undefined
    if (known === undefined) throw invalidSum(text)
    return { hash_type: known, hsum: digits.toLowerCase() }
  }
  const form = type.trim()
  const length = HASH_LENGTHS[form]
  if (length === undefined) {
    throw new CommandExecutionError(
      `Invalid hash type '${form}'. Supported hash types are: ${Object.keys(HASH_LENGTHS).join(', ')}. Either remove the hash type and simply use '${digits}' as the source_hash, or change the hash type to a supported type.`,
    )
  }
  const known = hashOfLength(digits.length)
  if (known === undefined) throw invalidSum(text)
  if (digits.length !== length) {
    throw new CommandExecutionError(
      `Invalid length (${digits.length}) for hash type '${form}'. Either remove the hash type and simply use '${digits}' as the source_hash, or change the hash type to '${known}'`,
    )
  }
  return { hash_type: form, hsum: digits.toLowerCase() }
}

/** What Salt says of a source_hash that is neither a digest nor a place of one. */
export function invalidSum(text: string): CommandExecutionError {
  return new CommandExecutionError(
    `Source hash ${text} format is invalid. The supported formats are: 1) a hash, 2) an expression in the format <hash_type>=<hash>, or 3) either a path to a local file containing hashes, or a URI of a remote hash file. Supported protocols for remote hash files are: salt, file, http, https, ftp, swift, s3. The hash may also not be of a valid length, the following are supported hash types and lengths: ${SUPPORTED_HASHES}.`,
  )
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return [text.slice(0, at), text.slice(at + separator.length)]
}
