// The backend `file`: names and bcrypt hashes in a text file, as `htpasswd -B` writes it.
import { BrineError } from '../../core/error.ts'
import { type BackendAccess, settingText } from '../acl/index.ts'
import type { Backend } from './backend.ts'

/** Reads a file as it is now. */
export type ReadText = (path: string) => Promise<string>

/** A hash of a random text that was thrown away, for names that are unknown: both answers then cost the same. */
const nobody = '$2b$10$wXUzlxgOoJxFOtDkjw06..Bhg6b7OALrEull6KthGpC5x5wR4yv1K'
const bcrypt = /^\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}$/

/**
 * Reads the settings `^filename`, `^field_separator`, `^username_field`, `^password_field` and `^filetype`. Throws for a file
 * type or hash that is not taken: passwords in clear text and fast hashes are refused.
 */
export function createPasswordFile(access: BackendAccess, readText: ReadText): Backend {
  const text = (name: string): string | undefined => settingText(access, name)
  const path = text('filename')
  if (path === undefined) {
    throw new BrineError('external_auth: file has no ^filename. Name the file with lines of user:hash.', {
      code: 'config',
    })
  }
  const type = text('filetype') ?? 'text'
  const hash = text('hashtype') ?? 'bcrypt'
  if (!['text', 'htpasswd'].includes(type) || hash !== 'bcrypt') {
    throw new BrineError(
      `external_auth: file has ^filetype ${type} and ^hashtype ${hash}. Only bcrypt is taken: make the file with htpasswd -B, and take ^hashtype out.`,
      { code: 'config' },
    )
  }
  const separator = text('field_separator') ?? ':'
  const nameField = fieldOf(text('username_field') ?? '1')
  const hashField = fieldOf(text('password_field') ?? '2')

  /** Read for each log-in, so that a change holds at once; a log-in is rare and costs a hash anyway. */
  const hashes = async (): Promise<Map<string, string>> =>
    new Map(
      (await readText(path)).split('\n').flatMap((line): [string, string][] => {
        const fields = line.trim().split(separator)
        const [name, value] = [fields[nameField], fields[hashField]]
        return name === undefined || value === undefined || name === '' ? [] : [[name, value]]
      }),
    )

  return {
    async verify({ username, password }) {
      const known = (await hashes()).get(username)
      const usable = known !== undefined && bcrypt.test(known)
      // bcrypt itself reads 72 bytes; a longer password must not pass by its beginning.
      const { compare } = await import('./bcrypt.ts')
      const right = await compare(password, usable ? known : nobody)
      return usable && right && Buffer.byteLength(password) <= 72 ? { name: username, groups: [] } : undefined
    },
    async stillKnows(name) {
      return (await hashes()).has(name)
    },
  }
}

function fieldOf(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1) return number - 1
  throw new BrineError(`external_auth: file counts its fields from 1; ${text} is none.`, { code: 'config' })
}
